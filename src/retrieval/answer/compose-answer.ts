import type { EachTerm } from "../text/terms.ts";
import { estimateTokens } from "../text/tokens.ts";
import type { SearchResult } from "./answer.ts";
import { excerpt, shares } from "./excerpt.ts";
import type { Passage } from "./passages.ts";
import type { Query } from "./query.ts";

/** A result with less room than this says nothing: then there are fewer results. */
const leastTokens = 24;

/** Turns passages with their texts into results that together stay within the budget. */
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
  const words = new Set<string>();
  const collect = (part: string) => {
    let isFound = false;
    eachTerm(part, (term) => {
      const asked = query.terms.get(term);
      if (asked === undefined) return;
      words.add(asked.word);
      isFound = true;
    });
    return isFound;
  };
  const headings = [...new Set([title, ...section.split(" > ")])].filter(
    (heading) => heading !== "" && collect(heading),
  );
  collect(text);
  const inOrder = [...new Set([...query.terms.values()].map(({ word }) => word))];
  return { terms: inOrder.filter((word) => words.has(word)), headings };
}

function round(score: number): number {
  return Math.round(score * 1000) / 1000;
}
