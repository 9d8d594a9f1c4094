import { type Described, describe } from "../visibility.ts";
import type { Dictionary } from "./dictionary.ts";
import type { DocumentRecord } from "./record.ts";
import { unitWidth } from "./units.ts";

/** The records of all documents, turned round: for each term the units that hold it, those of one document side by side. */
export type Inverted = {
  readonly documents: readonly DocumentRecord[];
  readonly described: readonly Described[];
  /** The documents that an author should look at. */
  readonly troubled: readonly number[];
  readonly words: Dictionary;
  /** The first unit of each document, its card; and one past the last. */
  readonly firstUnits: Uint32Array;
  readonly documentOf: Uint32Array;
  readonly textLengths: Uint32Array;
  readonly headLengths: Uint32Array;
  /** Where the postings of each term begin; and one past the last. */
  readonly starts: Uint32Array;
  readonly units: Uint32Array;
  readonly counts: Uint16Array;
};

/** Turns records round: two passes over all terms, quick enough to be done anew after every change. */
export function invert(documents: readonly DocumentRecord[], words: Dictionary): Inverted {
  const firstUnits = new Uint32Array(documents.length + 1);
  // Shifted by one place while it counts and fills, so that in the end each entry is where its term begins.
  const places = new Uint32Array(words.words.length + 2);
  documents.forEach(({ units, terms }, document) => {
    firstUnits[document + 1] = (firstUnits[document] ?? 0) + units.length / unitWidth;
    for (let at = 0; at < terms.length; at++) {
      const place = (terms[at] ?? 0) + 2;
      places[place] = (places[place] ?? 0) + 1;
    }
  });
  for (let place = 2; place < places.length; place++) places[place] = (places[place] ?? 0) + (places[place - 1] ?? 0);

  const unitCount = firstUnits.at(-1) ?? 0;
  const postings = places.at(-1) ?? 0;
  const index = {
    documentOf: new Uint32Array(unitCount),
    textLengths: new Uint32Array(unitCount),
    headLengths: new Uint32Array(unitCount),
    units: new Uint32Array(postings),
    counts: new Uint16Array(postings),
  };
  documents.forEach(({ units, terms, counts }, document) => {
    let unit = firstUnits[document] ?? 0;
    let at = 0;
    for (let field = 0; field < units.length; field += unitWidth, unit++) {
      index.documentOf[unit] = document;
      index.textLengths[unit] = units[field + 1] ?? 0;
      index.headLengths[unit] = units[field + 2] ?? 0;
      for (const end = units[field] ?? 0; at < end; at++) {
        const term = (terms[at] ?? 0) + 1;
        const place = places[term] ?? 0;
        index.units[place] = unit;
        index.counts[place] = counts[at] ?? 0;
        places[term] = place + 1;
      }
    }
  });
  return {
    documents,
    described: documents.map(({ file, tags, belongs }) => describe(file, tags, belongs)),
    troubled: documents.flatMap(({ problem }, document) => (problem === undefined ? [] : [document])),
    words,
    firstUnits,
    starts: places,
    ...index,
  };
}
