import type { Inverted } from "../index/inverted.ts";
import { headShift, mostInText, unitWidth } from "../index/units.ts";
import type { RankedFile } from "./ranked-file.ts";
import { ranking } from "./ranking-parameters.ts";
import { rarity } from "./score.ts";
import type { Visible } from "./visible-documents.ts";

/** Expands a query with terms that its best passages share, to find documents that use other words. */
export function withFeedback(
  index: Inverted,
  visible: Visible,
  query: ReadonlyMap<number, number>,
  best: readonly RankedFile[],
): ReadonlyMap<number, number> {
  const { passages, terms, weight } = ranking.feedback;
  const top = best[0]?.score ?? 1;
  const gathered = new Map<number, number>();
  for (const { passages: units, score } of best.slice(0, passages))
    eachTermOf(index, units[0] ?? 0, (term, count) => {
      if (!query.has(term)) gathered.set(term, (gathered.get(term) ?? 0) + ((score / top) * count) / (count + 1));
    });
  const told = [...gathered].flatMap(([term, found]): [number, number][] => {
    const holders = visible.holders[term] ?? 0;
    return holders < 2 ? [] : [[term, found * rarity(holders, visible.chunkCount)]];
  });
  const chosen = told.sort(([a, inA], [b, inB]) => inB - inA || byName(index, a, b)).slice(0, terms);
  const most = chosen[0]?.[1] ?? 1;
  return new Map([...query, ...chosen.map(([term, found]): [number, number] => [term, (weight * found) / most])]);
}

function eachTermOf(index: Inverted, unit: number, found: (term: number, count: number) => void): void {
  const document = index.documentOf[unit] ?? 0;
  const record = index.documents[document];
  if (record === undefined) return;
  const field = (unit - (index.firstUnits[document] ?? 0)) * unitWidth;
  const end = record.units[field] ?? 0;
  for (let at = record.units[field - unitWidth] ?? 0; at < end; at++) {
    const packed = record.counts[at] ?? 0;
    found(record.terms[at] ?? 0, (packed & mostInText) + (packed >> headShift));
  }
}

/** Compares terms by name, since their numbers depend on documents that may be hidden. */
function byName({ words }: Inverted, a: number, b: number): number {
  return (words.words[a] ?? "") < (words.words[b] ?? "") ? -1 : 1;
}
