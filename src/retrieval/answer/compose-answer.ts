import type { SearchResult } from "../../engine/ports/search.ts";
import { estimateTokens } from "../../kit/estimate-tokens.ts";
import type { EachTerm } from "../text/terms.ts";
import { excerpt, shares } from "./excerpt.ts";
import type { Passage } from "./passages.ts";
import type { Query, QueryTerm } from "./query.ts";

/** Results with less room than this are useless, so fewer results are returned. */
const leastTokens = 24;

/** Turns passages with their texts into results within the token budget. */
export function composeResults(
  found: readonly { readonly passage: Passage; readonly text: string }[],
  budget: number,
  query: Query,
  eachTerm: EachTerm,
): SearchResult[] {
  const shown = found.slice(0, Math.max(1, Math.floor(budget / leastTokens)));
  const room = shares(
    shown.map(({ text }) => estimateTokens(text.trim())),
    budget,
  );
  return shown.map(({ passage, text }, at) => {
    const { file, section, score, firstLine } = passage;
    const { content, tokens, lines } = excerpt(text, firstLine, room[at] ?? 0, query, eachTerm);
    return {
      content,
      file,
      section,
      score: round(score),
      tokens,
      lines,
      matched: matches(passage, text, query, eachTerm),
    };
  });
}

function matches({ title, section }: Passage, text: string, query: Query, eachTerm: EachTerm): SearchResult["matched"] {
  const found = new Set<QueryTerm>();
  const collect = (part: string) => {
    let isFound = false;
    eachTerm(part, (term) => {
      const asked = query.terms.get(term);
      if (asked === undefined) return;
      found.add(asked);
      isFound = true;
    });
    return isFound;
  };
  const headings = [...new Set([title, ...section.split(" > ")])].filter(
    (heading) => heading !== "" && collect(heading),
  );
  collect(text);
  const inOrder = [...query.terms.values()].filter((asked) => found.has(asked));
  const longest = inOrder.filter((asked) => !inOrder.some((other) => isPartOf(asked, other)));
  return { terms: [...new Set(longest.map(({ said }) => said))], headings };
}

/** True for a part of an identifier that is already named whole. */
function isPartOf(part: QueryTerm, whole: QueryTerm): boolean {
  return part.word === whole.word && part.said.length < whole.said.length && whole.said.includes(part.said);
}

function round(score: number): number {
  return Math.round(score * 1000) / 1000;
}
