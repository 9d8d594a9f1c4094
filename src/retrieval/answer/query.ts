import type { Dictionary } from "../index/dictionary.ts";
import type { EachTerm } from "../text/terms.ts";

/** A question as terms, each with the word it came from and how often it was said. */
export type Query = {
  readonly text: string;
  readonly terms: ReadonlyMap<string, { readonly word: string; readonly times: number }>;
  readonly isCut: boolean;
};

const longest = 8000;
const mostTerms = 64;

/** Reads a question. One that is very long is cut: what matters is said early, and no caller may keep us busy. */
export function readQuery(text: string, eachTerm: EachTerm): Query {
  const terms = new Map<string, { word: string; times: number }>();
  let isCut = text.length > longest;
  for (const [word] of text.slice(0, longest).matchAll(/\S+/g))
    eachTerm(word, (term) => {
      const known = terms.get(term);
      if (known !== undefined) known.times++;
      else if (terms.size < mostTerms) terms.set(term, { word: plainWord(word), times: 1 });
      else isCut = true;
    });
  return { text: text.slice(0, longest), terms, isCut };
}

/** The terms of a question that an index knows, as numbers with weights. */
export function weighted({ terms }: Query, words: Dictionary): ReadonlyMap<number, number> {
  return new Map(
    [...terms].flatMap(([term, { times }]): [number, number][] => {
      const number = words.find(term);
      return number === undefined ? [] : [[number, times]];
    }),
  );
}

function plainWord(word: string): string {
  return word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "").slice(0, 64);
}
