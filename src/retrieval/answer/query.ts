import type { Dictionary } from "../index/dictionary.ts";
import { type WrittenTerm, writtenTerms } from "../text/terms.ts";

/** A query as terms. */
export type Query = {
  readonly text: string;
  readonly terms: ReadonlyMap<string, QueryTerm>;
  readonly isCut: boolean;
};

/** The written word of a term, its position in the query, and its number of occurrences. */
export type QueryTerm = { readonly said: string; readonly word: number; readonly times: number };

const longest = 8000;
const mostTerms = 64;
const longestWord = 64;

/** Parses a query; a very long one is cut to bound the work. */
export function parseQuery(text: string): Query {
  const used = text.slice(0, longest);
  const terms = new Map<string, QueryTerm>();
  let isCut = text.length > longest;
  const ask = ({ term, said }: WrittenTerm, word: number) => {
    const known = terms.get(term);
    if (known !== undefined) terms.set(term, { ...known, times: known.times + 1 });
    else if (terms.size < mostTerms) terms.set(term, { said: said.slice(0, longestWord), word, times: 1 });
    else isCut = true;
  };
  writtenTerms(used).forEach((word, at) => {
    for (const term of word) ask(term, at);
  });
  return { text: used, terms, isCut };
}

/** The terms of a query that an index knows, as term numbers with weights. */
export function weightedTerms({ terms }: Query, words: Dictionary): ReadonlyMap<number, number> {
  return new Map(
    [...terms].flatMap(([term, { times }]): [number, number][] => {
      const number = words.find(term);
      return number === undefined ? [] : [[number, times]];
    }),
  );
}
