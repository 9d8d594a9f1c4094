import { ranking } from "../ranking/ranking-parameters.ts";
import { type WrittenTerm, writtenTerms } from "../text/terms.ts";

/** A query as terms. */
export type Query = {
  readonly text: string;
  readonly terms: ReadonlyMap<string, QueryTerm>;
  /** Terms were given with it. */
  readonly hasTerms: boolean;
  readonly isCut: boolean;
};

/** The written word of a term, its position in the query, and its weight: its occurrences, fewer beside given terms. */
export type QueryTerm = { readonly said: string; readonly word: number; readonly weight: number };

const longest = 8000;
const mostTerms = 64;
const longestWord = 64;

/** Parses a query; a very long one is cut to bound the work. Terms that an answer would use carry more than the question's own words. */
export function parseQuery(text: string, given: readonly string[] = []): Query {
  const wanted = given.join("\n").slice(0, longest);
  const used = text.slice(0, longest);
  const terms = new Map<string, QueryTerm>();
  let isCut = text.length > longest;
  let at = 0;
  const ask = ({ term, said }: WrittenTerm, weight: number) => {
    const known = terms.get(term);
    if (known !== undefined) terms.set(term, { ...known, weight: known.weight + weight });
    else if (terms.size < mostTerms) terms.set(term, { said: said.slice(0, longestWord), word: at, weight });
    else isCut = true;
  };
  const read = (written: string, weight: number): void => {
    for (const word of writtenTerms(written)) {
      for (const term of word) ask(term, weight);
      at++;
    }
  };
  read(wanted, 1);
  const hasTerms = terms.size > 0;
  read(used, hasTerms ? ranking.besideTerms : 1);
  return { text: used, terms, hasTerms, isCut };
}
