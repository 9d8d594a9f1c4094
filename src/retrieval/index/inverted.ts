import { type DescribedDocument, describeDocument } from "../document-access.ts";
import type { Dictionary } from "./dictionary.ts";
import type { DocumentRecord } from "./document-record.ts";
import { type Units, unitWidth } from "./units.ts";

/** For each term, the units that contain it and how often, grouped by document. */
export type Postings = {
  /** The start of each term's postings, and one past the last. */
  readonly starts: Uint32Array;
  readonly units: Uint32Array;
  readonly counts: Uint16Array;
};

/** The inverted index over all documents. */
export type Inverted = Postings & {
  readonly documents: readonly DocumentRecord[];
  readonly described: readonly DescribedDocument[];
  /** The documents with a problem for their author. */
  readonly troubled: readonly number[];
  readonly words: Dictionary;
  /** The first unit of each document, its card, and one past the last. */
  readonly firstUnits: Uint32Array;
  readonly documentOf: Uint32Array;
  readonly textLengths: Uint32Array;
  readonly headLengths: Uint32Array;
};

/** Inverts records, fast enough to repeat after every change; known postings of the same records are reused. */
export function invert(documents: readonly DocumentRecord[], words: Dictionary, known?: Postings): Inverted {
  const firstUnits = new Uint32Array(documents.length + 1);
  documents.forEach(({ units }, document) => {
    firstUnits[document + 1] = (firstUnits[document] ?? 0) + units.length / unitWidth;
  });
  const unitCount = firstUnits.at(-1) ?? 0;
  const index = {
    documentOf: new Uint32Array(unitCount),
    textLengths: new Uint32Array(unitCount),
    headLengths: new Uint32Array(unitCount),
  };
  documents.forEach(({ units }, document) => {
    let unit = firstUnits[document] ?? 0;
    for (let field = 0; field < units.length; field += unitWidth, unit++) {
      index.documentOf[unit] = document;
      index.textLengths[unit] = units[field + 1] ?? 0;
      index.headLengths[unit] = units[field + 2] ?? 0;
    }
  });
  return {
    documents,
    described: documents.map(({ file, tags, belongs }) => describeDocument(file, tags, belongs)),
    troubled: documents.flatMap(({ problem }, document) => (problem === undefined ? [] : [document])),
    words,
    firstUnits,
    ...index,
    ...(known ?? postingsOf(documents, words.words.length)),
  };
}

/** Builds the postings in two passes: count, then fill. */
export function postingsOf(documents: readonly Units[], wordCount: number): Postings {
  // Shifted by one while filling, so that each entry ends up at the start of its term.
  const starts = new Uint32Array(wordCount + 2);
  for (const { terms } of documents)
    for (let at = 0; at < terms.length; at++) {
      const place = (terms[at] ?? 0) + 2;
      starts[place] = (starts[place] ?? 0) + 1;
    }
  for (let place = 2; place < starts.length; place++) starts[place] = (starts[place] ?? 0) + (starts[place - 1] ?? 0);
  const found = new Uint32Array(starts.at(-1) ?? 0);
  const times = new Uint16Array(found.length);
  let unit = 0;
  for (const { units, terms, counts } of documents) {
    let at = 0;
    for (let field = 0; field < units.length; field += unitWidth, unit++)
      for (const end = units[field] ?? 0; at < end; at++) {
        const term = (terms[at] ?? 0) + 1;
        const place = starts[term] ?? 0;
        found[place] = unit;
        times[place] = counts[at] ?? 0;
        starts[term] = place + 1;
      }
  }
  return { starts, units: found, counts: times };
}
