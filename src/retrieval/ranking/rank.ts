import type { Inverted } from "../index/inverted.ts";
import { placeWidth } from "../index/record.ts";
import { withFeedback } from "./feedback.ts";
import { type Scores, score } from "./score.ts";
import { ranking } from "./settings.ts";
import type { Visible } from "./visible.ts";

/** A file that answers a query: what it and its best passage count together, and its passages (units), the best first. */
export type RankedFile = {
  readonly document: number;
  readonly score: number;
  readonly passages: readonly number[];
};

/** The `wanted` files that answer a query best, each by its best passage and by itself; equal ones by name. */
export function rankFiles(
  index: Inverted,
  visible: Visible,
  query: ReadonlyMap<number, number>,
  wanted: number,
): RankedFile[] {
  const { keepsFirst, passages } = ranking.feedback;
  const byQuery = score(index, visible, query);
  const own = ordered(index, byQuery, Math.max(wanted, passages));
  if (wanted <= keepsFirst) return own.slice(0, wanted);
  const first = own.slice(0, keepsFirst);
  const wider = score(index, visible, withFeedback(index, visible, query, own));
  // Feedback orders what the query found; what holds no word of it is no answer.
  wider.documents.forEach((_, document) => {
    if (byQuery.documents[document] === 0) wider.documents[document] = 0;
  });
  const rest = ordered(index, wider, wanted, byQuery).filter(
    ({ document }) => !first.some((file) => file.document === document),
  );
  // The second look counts more terms: its scores are brought below those of the first, so that they fall with the rank.
  const lowest = first.at(-1)?.score ?? 0;
  const scale = lowest / Math.max(lowest, rest[0]?.score ?? 0, Number.MIN_VALUE);
  const following = rest.map((file) => ({ ...file, score: Math.min(file.score * scale, lowest) }));
  return [...first, ...following].slice(0, wanted);
}

/** The best files by some scores, each with its passages by the query's own words. */
function ordered(index: Inverted, scores: Scores, wanted: number, byQuery = scores): RankedFile[] {
  const found: { readonly document: number; readonly score: number }[] = [];
  for (let document = 0; document < index.documents.length; document++) {
    const onFile = scores.documents[document] ?? 0;
    const hasText = (index.firstUnits[document + 1] ?? 0) - (index.firstUnits[document] ?? 0) > 1;
    if (onFile > 0 && hasText)
      found.push({ document, score: bestUnit(index, scores, document) + ranking.fileWeight * onFile });
  }
  return found
    .sort((a, b) => b.score - a.score || a.document - b.document)
    .slice(0, wanted)
    .map((file) => ({ ...file, passages: passagesOf(index, byQuery, file.document) }));
}

function bestUnit({ firstUnits }: Inverted, { units }: Scores, document: number): number {
  let best = 0;
  const end = firstUnits[document + 1] ?? 0;
  for (let unit = firstUnits[document] ?? 0; unit < end; unit++) {
    const found = units[unit] ?? 0;
    if (found > best) best = found;
  }
  return best;
}

/** A list of questions speaks for its file but answers nothing: it is no passage. */
function passagesOf({ firstUnits, documents }: Inverted, { units }: Scores, document: number): number[] {
  const card = firstUnits[document] ?? 0;
  const places = documents[document]?.places ?? new Uint32Array();
  const passages: number[] = [];
  for (let chunk = 0; chunk * placeWidth < places.length; chunk++) {
    const unit = card + 1 + chunk;
    const isAnswer = places[chunk * placeWidth + 4] === 0;
    if (isAnswer && (units[unit] ?? 0) > 0) passages.push(unit);
  }
  passages.sort((a, b) => (units[b] ?? 0) - (units[a] ?? 0) || a - b);
  return passages.length > 0 || places.length === 0 ? passages : [card + 1];
}
