import type { SearchAnswer } from "../../engine/ports/search.ts";
import { estimateTokens } from "../../kit/estimate-tokens.ts";
import type { Inverted } from "../index/inverted.ts";
import type { RankedFile } from "../ranking/ranked-file.ts";
import { rarity } from "../ranking/score.ts";
import type { Visible } from "../ranking/visible-documents.ts";
import { writtenTerms } from "../text/terms.ts";
import type { ResolvedQuery } from "./near-words.ts";
import type { Passage } from "./passages.ts";
import type { Query } from "./query.ts";

/** A match is weak if its best passage has less than this share of the query, by rarity; given terms are alternatives, so fewer suffice. */
const leastShare = { question: 0.5, terms: 0.3 } as const;

/** A hint costs at most this many tokens. */
const mostTokens = 60;

/** Says that a match is weak: the words that no document contains, and words of the sections that came nearest; undefined if it is not. */
export function weakMatchHint(
  query: Query,
  { weights, unknown }: ResolvedQuery,
  { index, visible }: { readonly index: Inverted; readonly visible: Visible },
  { best, passages }: { readonly best: RankedFile | undefined; readonly passages: readonly Passage[] },
): SearchAnswer["hint"] {
  if (query.terms.size === 0 || visible.documentCount === 0) return undefined;
  let [found, all] = [0, 0];
  for (const [term, weight] of weights) {
    const worth = weight * rarity(visible.holders[term] ?? 0, visible.chunkCount);
    all += worth;
    if (best !== undefined && isIn(index, term, best)) found += worth;
  }
  for (const { weight, near } of unknown) if (near === undefined) all += weight * rarity(0, visible.chunkCount);
  if (found > 0 && found >= all * leastShare[query.hasTerms ? "terms" : "question"]) return undefined;
  const said = [
    passages.length === 0 ? "Nothing matches." : "A weak match.",
    unknown.length === 0 ? "" : `Not in any document: ${unknown.slice(0, 4).map(unknownText).join(", ")}.`,
  ].filter((part) => part !== "");
  const offered = sectionWords(query, passages);
  const text = (count: number): string =>
    [...said, count === 0 ? retry : `Nearest sections say: ${offered.slice(0, count).join(", ")}. ${retry}`].join(" ");
  let count = offered.length;
  while (count > 0 && estimateTokens(text(count)) > mostTokens) count--;
  return text(count);
}

const retry = "Search again with terms.";

function unknownText({ said, near }: ResolvedQuery["unknown"][number]): string {
  const word = said.slice(0, 24);
  return near === undefined ? word : `${word} (nearest: ${near})`;
}

/** Tells if a file's best passage, title, path, tags or questions contain a term. */
function isIn({ starts, units, firstUnits }: Inverted, term: number, { document, passages }: RankedFile): boolean {
  const places = [firstUnits[document], passages[0]];
  for (let at = starts[term] ?? 0; at < (starts[term + 1] ?? 0); at++) if (places.includes(units[at])) return true;
  return false;
}

/** The words of the titles and headings of passages that the query does not have, each once. */
function sectionWords({ terms }: Query, passages: readonly Passage[]): readonly string[] {
  const words = new Map<string, string>();
  for (const { title, section } of passages)
    for (const [first] of writtenTerms(`${title} ${section}`))
      if (first !== undefined && !terms.has(first.term) && /\p{L}{4}/u.test(first.said) && !words.has(first.term))
        words.set(first.term, first.said.toLowerCase());
  return [...words.values()].slice(0, 10);
}
