import type { Inverted } from "../index/inverted.ts";
import type { RankedFile } from "../ranking/ranked-file.ts";

/** The constant of reciprocal rank fusion. */
const steady = 60;

/** Fuses files ranked by words and by nearness, by reciprocal rank; for files in both, the passage found by words is shown. */
export function fuse(byWords: readonly RankedFile[], byNearness: readonly RankedFile[]): RankedFile[] {
  const fused = new Map<number, { file: RankedFile; score: number }>();
  for (const list of [byWords, byNearness])
    list.forEach((file, place) => {
      const before = fused.get(file.document);
      fused.set(file.document, {
        file: before?.file ?? file,
        score: (before?.score ?? 0) + 1 / (steady + place + 1),
      });
    });
  return [...fused.values()]
    .map(({ file, score }) => ({ ...file, score }))
    .sort((a, b) => b.score - a.score || a.document - b.document);
}

/** Ranks visible files by their nearest chunk; `vectorOf` returns the vector of a unit if it is known. */
export function rankByNearness(
  index: Inverted,
  visible: Uint8Array,
  query: Float32Array,
  vectorOf: (document: number, chunk: number) => Float32Array | undefined,
  wanted: number,
): RankedFile[] {
  const files: RankedFile[] = [];
  for (let document = 0; document < index.documents.length; document++) {
    if (visible[document] === 0) continue;
    const card = index.firstUnits[document] ?? 0;
    const chunks = (index.firstUnits[document + 1] ?? 0) - card - 1;
    let best = { chunk: -1, near: 0 };
    for (let chunk = 0; chunk < chunks; chunk++) {
      const vector = vectorOf(document, chunk);
      const near = vector === undefined || vector.length !== query.length ? 0 : dot(vector, query);
      if (near > best.near) best = { chunk, near };
    }
    if (best.chunk >= 0) files.push({ document, score: best.near, passages: [card + 1 + best.chunk] });
  }
  return files.sort((a, b) => b.score - a.score || a.document - b.document).slice(0, wanted);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
