import type { Inverted } from "../index/inverted.ts";
import { ranking } from "./ranking-parameters.ts";

/** The documents that a search may use, with their statistics; hidden ones affect no score. */
export type Visible = {
  /** 1 for each document that may be used. */
  readonly documents: Uint8Array;
  readonly chunkCount: number;
  readonly documentCount: number;
  /** The number of chunks that contain each term. */
  readonly holders: Uint32Array;
  /** The weight of one occurrence in each unit's text and headings and in each file: less in long ones. */
  readonly inText: Float32Array;
  readonly inHead: Float32Array;
  readonly inFile: Float32Array;
};

/** Computes the statistics of the visible documents. */
export function visibleOf(index: Inverted, documents: Uint8Array): Visible {
  const lengths = lengthsOf(index, documents);
  const { chunk, file } = ranking;
  const share = (length: number, mean: number, weight: number) =>
    1 / (1 - weight + (weight * length) / (mean === 0 ? 1 : mean));
  const meanText = lengths.text / lengths.chunkCount;
  const meanHead = lengths.head / lengths.chunkCount;
  const meanFile = lengths.text / lengths.documentCount;
  return {
    documents,
    chunkCount: lengths.chunkCount,
    documentCount: lengths.documentCount,
    holders: holdersOf(index, documents),
    inText: Float32Array.from(index.textLengths, (length) => share(length, meanText, chunk.length)),
    inHead: Float32Array.from(index.headLengths, (length) => share(length, meanHead, chunk.headLength)),
    inFile: Float32Array.from(lengths.files, (length) => share(length, meanFile, file.length)),
  };
}

/** Caches the last few sets of visible documents, since the next query usually has the same. */
export function rememberVisible(): typeof visibleOf {
  const known: { readonly index: Inverted; readonly visible: Visible }[] = [];
  return (index, documents) => {
    const key = Buffer.from(documents);
    const before = known.find((entry) => entry.index === index && key.equals(entry.visible.documents));
    if (before !== undefined) return before.visible;
    const visible = visibleOf(index, documents);
    if (known.some((entry) => entry.index !== index)) known.length = 0;
    known.unshift({ index, visible });
    known.length = Math.min(known.length, 4);
    return visible;
  };
}

function lengthsOf(index: Inverted, documents: Uint8Array) {
  const files = new Float64Array(documents.length);
  let [chunkCount, documentCount, text, head] = [0, 0, 0, 0];
  for (let document = 0; document < documents.length; document++) {
    if (documents[document] === 0) continue;
    const first = (index.firstUnits[document] ?? 0) + 1;
    const end = index.firstUnits[document + 1] ?? 0;
    let length = 0;
    for (let unit = first; unit < end; unit++) {
      length += index.textLengths[unit] ?? 0;
      head += index.headLengths[unit] ?? 0;
    }
    files[document] = length;
    text += length;
    chunkCount += end - first;
    documentCount++;
  }
  return { files, chunkCount, documentCount, text, head };
}

function holdersOf(index: Inverted, documents: Uint8Array): Uint32Array {
  const counts = new Uint8Array(index.documentOf.length);
  for (let unit = 0; unit < counts.length; unit++) {
    const document = index.documentOf[unit] ?? 0;
    counts[unit] = documents[document] === 1 && unit !== index.firstUnits[document] ? 1 : 0;
  }
  const holders = new Uint32Array(index.starts.length);
  for (let term = 0; term + 1 < index.starts.length; term++) {
    let found = 0;
    const end = index.starts[term + 1] ?? 0;
    for (let at = index.starts[term] ?? 0; at < end; at++) found += counts[index.units[at] ?? 0] ?? 0;
    holders[term] = found;
  }
  return holders;
}
