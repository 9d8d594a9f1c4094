import { placeWidth } from "../index/document-record.ts";
import type { Inverted } from "../index/inverted.ts";
import type { RankedFile } from "../ranking/ranked-file.ts";

/** A passage with its location. */
export type Passage = {
  readonly file: string;
  readonly hash: string;
  readonly title: string;
  readonly section: string;
  readonly start: number;
  readonly end: number;
  readonly firstLine: number;
  readonly score: number;
};

/** Spreads results over files: the best passage of each first, further ones only if files run out. */
export function spreadOverFiles(index: Inverted, files: readonly RankedFile[], limit: number): Passage[] {
  const chosen: Passage[] = [];
  const deepest = Math.max(0, ...files.map(({ passages }) => passages.length));
  for (let depth = 0; depth < deepest && chosen.length < limit; depth++)
    for (const { document, score, passages } of files) {
      const unit = passages[depth];
      if (unit === undefined || chosen.length >= limit) continue;
      const passage = passageOf(index, document, unit, score / (depth + 1));
      if (passage !== undefined) chosen.push(passage);
    }
  return chosen;
}

function passageOf(index: Inverted, document: number, unit: number, score: number): Passage | undefined {
  const record = index.documents[document];
  const chunk = unit - (index.firstUnits[document] ?? 0) - 1;
  const [start, end, firstLine] = record?.places.subarray(chunk * placeWidth, (chunk + 1) * placeWidth) ?? [];
  if (record === undefined || start === undefined || end === undefined || firstLine === undefined) return undefined;
  const { file, hash, title, sections } = record;
  return { file, hash, title, section: sections()[chunk] ?? "", start, end, firstLine, score };
}
