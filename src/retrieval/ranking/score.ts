import type { Inverted } from "../index/inverted.ts";
import { cardShift, headShift, mostInText } from "../index/units.ts";
import { ranking } from "./ranking-parameters.ts";
import type { Visible } from "./visible-documents.ts";

/** The scores of all units and documents. */
export type Scores = { readonly units: Float64Array; readonly documents: Float64Array };

/** Scores visible units and documents by weighted terms with BM25F: fields add up before they saturate. */
export function score(index: Inverted, visible: Visible, terms: ReadonlyMap<number, number>): Scores {
  const scores = {
    units: new Float64Array(index.documentOf.length),
    documents: new Float64Array(index.documents.length),
  };
  const inFile = new Float64Array(index.documents.length);
  const touched = new Uint32Array(index.documents.length);
  for (const [term, weight] of terms) {
    const count = scoreUnits(index, visible, term, weight, scores.units, inFile, touched);
    scoreFiles(visible, weight, touched.subarray(0, count), scores.documents, inFile);
  }
  return scores;
}

/** The weight of a term by its rarity. */
export function rarity(holders: number, all: number): number {
  return Math.log(1 + (all - holders + 0.5) / (holders + 0.5));
}

/** Adds one term to the scores of its units and files, and returns the number of files that contain it. */
function scoreUnits(
  { starts, units, counts, documentOf, firstUnits }: Inverted,
  { documents, holders, chunkCount, inText, inHead, inFile: inWhole }: Visible,
  term: number,
  weight: number,
  scores: Float64Array,
  inFile: Float64Array,
  touched: Uint32Array,
): number {
  const { saturation, headings } = ranking.chunk;
  const most = weight * rarity(holders[term] ?? 0, chunkCount) * (saturation + 1);
  const end = starts[term + 1] ?? 0;
  let count = 0;
  for (let at = starts[term] ?? 0; at < end; at++) {
    const unit = units[at] ?? 0;
    const document = documentOf[unit] ?? 0;
    if (documents[document] === 0) continue;
    if (count === 0 || touched[count - 1] !== document) touched[count++] = document;
    const packed = counts[at] ?? 0;
    let found = 0;
    if (unit === firstUnits[document]) {
      inFile[document] = (inFile[document] ?? 0) + onCard(packed);
      found = ((packed >> cardShift.questions) & 15) * (inText[unit] ?? 0);
    } else {
      const times = packed & mostInText;
      inFile[document] = (inFile[document] ?? 0) + times * (inWhole[document] ?? 0);
      found = times * (inText[unit] ?? 0) + headings * (packed >> headShift) * (inHead[unit] ?? 0);
    }
    scores[unit] = (scores[unit] ?? 0) + (most * found) / (saturation + found);
  }
  return count;
}

function scoreFiles(
  { documentCount }: Visible,
  weight: number,
  touched: Uint32Array,
  scores: Float64Array,
  inFile: Float64Array,
): void {
  const { saturation } = ranking.file;
  const most = weight * rarity(touched.length, documentCount) * (saturation + 1);
  for (const document of touched) {
    const found = inFile[document] ?? 0;
    inFile[document] = 0;
    scores[document] = (scores[document] ?? 0) + (most * found) / (saturation + found);
  }
}

function onCard(packed: number): number {
  const { file } = ranking;
  return (
    file.title * ((packed >> cardShift.title) & 15) +
    file.path * ((packed >> cardShift.path) & 15) +
    file.tags * ((packed >> cardShift.tags) & 15) +
    file.questions * ((packed >> cardShift.questions) & 15)
  );
}
