import type { Inverted } from "../index/inverted.ts";
import type { RankedFile } from "../ranking/ranked-file.ts";
import { rarity } from "../ranking/score.ts";
import type { Visible } from "../ranking/visible-documents.ts";
import { stem } from "../text/stem.ts";
import { isStopWord } from "../text/stop-words.ts";
import type { Query } from "./query.ts";

/** A query as term numbers with weights, and its words that no visible document contains, each with the nearest that one does. */
export type ResolvedQuery = {
  readonly weights: ReadonlyMap<number, number>;
  readonly unknown: readonly UnknownWord[];
};

export type UnknownWord = { readonly said: string; readonly weight: number; readonly near?: string };

/** At most this many unknown words of a query are looked for in another spelling. */
const mostUnknown = 8;

/** Resolves the terms of a query; a word that no visible document contains counts as the nearest one that some do. */
export function resolveQuery({ terms }: Query, index: Inverted, visible: Visible): ResolvedQuery {
  const weights = new Map<number, number>();
  const known = new Set<number>();
  for (const [term, { word, weight }] of terms) {
    const number = index.words.find(term);
    if (number === undefined || timesHeld(index, visible, number) === 0) continue;
    weights.set(number, weight);
    known.add(word);
  }
  const missing = [...terms.values()].filter(
    ({ word }, at, all) => !known.has(word) && all.findIndex((other) => other.word === word) === at,
  );
  const unknown = missing.map(({ said, weight }, at): UnknownWord => {
    const near = at < mostUnknown ? nearestWord(said.toLowerCase(), index, visible) : undefined;
    if (near === undefined) return { said, weight };
    weights.set(near.number, Math.max(weights.get(near.number) ?? 0, weight));
    return { said, weight, near: near.said };
  });
  return { weights, unknown };
}

/** A match is weak if its best passage has less than this share of the query, by rarity; given terms are alternatives, so fewer suffice. */
const leastShare = { question: 0.5, terms: 0.3 } as const;

/** Tells if the best file's best passage has too little of a query to answer it. */
export function isWeakMatch(
  { terms, hasTerms }: Query,
  { weights, unknown }: ResolvedQuery,
  index: Inverted,
  { holders, chunkCount, documentCount }: Visible,
  best: RankedFile | undefined,
): boolean {
  if (terms.size === 0 || documentCount === 0) return false;
  let [found, all] = [0, 0];
  for (const [term, weight] of weights) {
    const worth = weight * rarity(holders[term] ?? 0, chunkCount);
    all += worth;
    if (best !== undefined && isIn(index, term, best)) found += worth;
  }
  for (const { weight, near } of unknown) if (near === undefined) all += weight * rarity(0, chunkCount);
  return found === 0 || found < all * leastShare[hasTerms ? "terms" : "question"];
}

/** Tells if a file's best passage, title, path, tags or questions contain a term. */
function isIn({ starts, units, firstUnits }: Inverted, term: number, { document, passages }: RankedFile): boolean {
  const places = [firstUnits[document], passages[0]];
  for (let at = starts[term] ?? 0; at < (starts[term + 1] ?? 0); at++) if (places.includes(units[at])) return true;
  return false;
}

type NearWord = { readonly said: string; readonly number: number; readonly held: number };

/** The most used word one edit away from a misspelled one; those with its first letter come first. */
function nearestWord(written: string, index: Inverted, visible: Visible): NearWord | undefined {
  if (!/^[a-z]{4,24}$/.test(written)) return undefined;
  const rank = ({ said, held }: NearWord): number => (said.charAt(0) === written.charAt(0) ? 1 : 0) + held / (held + 1);
  let best: NearWord | undefined;
  for (const said of spellingsNear(written)) {
    const number = isStopWord(said) ? undefined : index.words.find(stem(said));
    const held = number === undefined ? 0 : timesHeld(index, visible, number);
    if (number === undefined || held === 0) continue;
    const found = { said, number, held };
    if (best === undefined || rank(found) > rank(best)) best = found;
  }
  return best;
}

/** The number of visible passages that contain a term; 1 if only a title, a path, a tag or a question does. */
function timesHeld({ starts, units, documentOf }: Inverted, { holders, documents }: Visible, term: number): number {
  const held = holders[term] ?? 0;
  if (held > 0) return held;
  for (let at = starts[term] ?? 0; at < (starts[term + 1] ?? 0); at++)
    if (documents[documentOf[units[at] ?? 0] ?? 0] === 1) return 1;
  return 0;
}

const letters = "abcdefghijklmnopqrstuvwxyz";

/** Every spelling one edit away: two letters exchanged, one dropped, one replaced, one added. */
function* spellingsNear(word: string): Generator<string> {
  for (let at = 0; at + 1 < word.length; at++)
    yield `${word.slice(0, at)}${word.charAt(at + 1)}${word.charAt(at)}${word.slice(at + 2)}`;
  for (let at = 0; at < word.length; at++) yield word.slice(0, at) + word.slice(at + 1);
  for (let at = 0; at <= word.length; at++)
    for (const letter of letters) {
      if (at < word.length && word.charAt(at) !== letter) yield word.slice(0, at) + letter + word.slice(at + 1);
      yield word.slice(0, at) + letter + word.slice(at);
    }
}
