import { estimateTokens } from "../../kit/estimate-tokens.ts";
import { writtenTerms } from "../text/terms.ts";
import type { Passage } from "./passages.ts";
import type { Query } from "./query.ts";
import type { ResolvedQuery } from "./resolve-query.ts";

/** A hint costs at most this many tokens. */
const mostTokens = 60;

/** Says that a match is weak: the words that no document contains, and words of the sections that came nearest. */
export function weakMatchHint(query: Query, { unknown }: ResolvedQuery, passages: readonly Passage[]): string {
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

/** The words of the titles and headings of passages that the query does not have, each once. */
function sectionWords({ terms }: Query, passages: readonly Passage[]): readonly string[] {
  const words = new Map<string, string>();
  for (const { title, section } of passages)
    for (const [first] of writtenTerms(`${title} ${section}`))
      if (first !== undefined && !terms.has(first.term) && /\p{L}{4}/u.test(first.said) && !words.has(first.term))
        words.set(first.term, first.said.toLowerCase());
  return [...words.values()].slice(0, 10);
}
