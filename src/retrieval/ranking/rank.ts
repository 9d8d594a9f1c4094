import { placeWidth } from "../index/document-record.ts";
import type { Inverted } from "../index/inverted.ts";
import { withFeedback } from "./feedback.ts";
import type { RankedFile } from "./ranked-file.ts";
import { ranking } from "./ranking-parameters.ts";
import { type Scores, score } from "./score.ts";
import type { Visible } from "./visible-documents.ts";

/** Ranks the files that match a query best, by their best passage and as a whole; ties by name. */
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
  // Feedback only reorders what the query found; a file without its words is no match.
  wider.documents.forEach((_, document) => {
    if (byQuery.documents[document] === 0) wider.documents[document] = 0;
  });
  const rest = ordered(index, wider, wanted, byQuery).filter(
    ({ document }) => !first.some((file) => file.document === document),
  );
  // The second pass counts more terms, so its scores are scaled below those of the first.
  const lowest = first.at(-1)?.score ?? 0;
  const scale = lowest / Math.max(lowest, rest[0]?.score ?? 0, Number.MIN_VALUE);
  const following = rest.map((file) => ({ ...file, score: Math.min(file.score * scale, lowest) }));
  return [...first, ...following].slice(0, wanted);
}

/** The best files by these scores, each with its passages by the query's own words. */
function ordered(index: Inverted, scores: Scores, wanted: number, byQuery = scores): RankedFile[] {
  const found: { readonly document: number; readonly score: number }[] = [];
  for (let document = 0; document < index.documents.length; document++) {
    const onFile = scores.documents[document] ?? 0;
    const hasText = (index.firstUnits[document + 1] ?? 0) - (index.firstUnits[document] ?? 0) > 1;
    if (onFile > 0 && hasText)
      found.push({ document, score: byPassages(index, scores, document) + ranking.fileWeight * onFile });
  }
  return found
    .sort((a, b) => b.score - a.score || a.document - b.document)
    .slice(0, wanted)
    .map((file) => ({ ...file, passages: passagesOf(index, byQuery, file.document) }));
}

/** The score of a document by its best passage, and a part of its second best. */
function byPassages({ firstUnits }: Inverted, { units }: Scores, document: number): number {
  let best = 0;
  let second = 0;
  const end = firstUnits[document + 1] ?? 0;
  for (let unit = firstUnits[document] ?? 0; unit < end; unit++) {
    const found = units[unit] ?? 0;
    if (found > best) {
      second = best;
      best = found;
    } else if (found > second) second = found;
  }
  return best + ranking.secondPassage * second;
}

/** The passages of a file without its list of questions, which answers nothing itself. */
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
