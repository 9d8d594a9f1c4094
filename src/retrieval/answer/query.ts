import type { Dictionary } from "../index/dictionary.ts";
import { type SaidTerm, saidTerms } from "../text/terms.ts";

/** A question as terms. */
export type Query = {
  readonly text: string;
  readonly terms: ReadonlyMap<string, Asked>;
  readonly isCut: boolean;
};

/** How a term was asked for: the word, or the part of one, that stands for it; the place of the word; and how often. */
export type Asked = { readonly said: string; readonly word: number; readonly times: number };

const longest = 8000;
const mostTerms = 64;
const longestWord = 64;

/** Reads a question. One that is very long is cut: what matters is said early, and no caller may keep us busy. */
export function readQuery(text: string): Query {
  const used = text.slice(0, longest);
  const terms = new Map<string, Asked>();
  let isCut = text.length > longest;
  const ask = ({ term, said }: SaidTerm, word: number) => {
    const known = terms.get(term);
    if (known !== undefined) terms.set(term, { ...known, times: known.times + 1 });
    else if (terms.size < mostTerms) terms.set(term, { said: said.slice(0, longestWord), word, times: 1 });
    else isCut = true;
  };
  saidTerms(used).forEach((word, at) => {
    for (const term of word) ask(term, at);
  });
  return { text: used, terms, isCut };
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
