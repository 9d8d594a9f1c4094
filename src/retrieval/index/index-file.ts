import { type Dictionary, dictionary } from "./dictionary.ts";
import { type DocumentRecord, placeWidth } from "./document-record.ts";
import { type Postings, postingsOf } from "./inverted.ts";
import { decodeData, encodeData, hasMark } from "./saved-data.ts";
import { unitWidth } from "./units.ts";

/** An indexed document with its file identity from when it was read. */
export type IndexedDocument = {
  readonly record: DocumentRecord;
  readonly key: string;
  /** True if it was read so soon after a change that another change might not show. */
  readonly isYoung: boolean;
};

/** The words and documents of an indexed folder. */
export type IndexContents = { readonly words: Dictionary; readonly documents: readonly IndexedDocument[] };

/** A decoded index with its postings, so that loading does not count terms. */
export type SavedIndex = IndexContents & { readonly postings: Postings };

/** The saved form: one array for all documents, since thousands of small ones take long to read. */
type Saved = {
  readonly words: string;
  readonly documents: readonly {
    /** Only open documents are saved. */
    readonly about: Pick<DocumentRecord, "file" | "hash" | "title" | "tags" | "problem">;
    readonly key: string;
    readonly isYoung: boolean;
    readonly sections: string;
    readonly chunks: number;
    readonly terms: number;
  }[];
  readonly places: Uint32Array;
  readonly units: Uint32Array;
  readonly terms: Uint32Array;
  readonly counts: Uint16Array;
  readonly postings: Postings;
};

/** Encodes an index with its version and a checksum; unused words are dropped. */
export function encodeIndex({ words, documents }: IndexContents): Buffer {
  const renumbered = new Int32Array(words.words.length).fill(-1);
  const used: string[] = [];
  const records = documents.map(({ record: { units, terms, counts } }) => ({
    units,
    counts,
    terms: terms.map((term) => {
      if (renumbered[term] === -1) renumbered[term] = used.push(words.words[term] ?? "") - 1;
      return renumbered[term] ?? 0;
    }),
  }));
  const saved: Saved = {
    words: used.join("\n"),
    documents: documents.map(
      ({ record: { file, hash, title, tags, problem, sections, places, terms }, key, isYoung }) => ({
        about: { file, hash, title, tags, problem },
        key,
        isYoung,
        sections: sections().join("\n"),
        chunks: places.length / placeWidth,
        terms: terms.length,
      }),
    ),
    places: joined(
      Uint32Array,
      documents.map(({ record }) => record.places),
    ),
    units: joined(
      Uint32Array,
      records.map(({ units }) => units),
    ),
    terms: joined(
      Uint32Array,
      records.map(({ terms }) => terms),
    ),
    counts: joined(
      Uint16Array,
      records.map(({ counts }) => counts),
    ),
    postings: postingsOf(records, used.length),
  };
  return encodeData(mark, saved);
}

/** Decodes a saved index: `other` if another version wrote it, `damaged` if the checksum fails. */
export function decodeIndex(bytes: Buffer): SavedIndex | "other" | "damaged" {
  const saved = decodeData(mark, bytes) as Saved | undefined;
  if (saved === undefined) return hasMark(family, bytes) && !hasMark(mark, bytes) ? "other" : "damaged";
  const { words, documents, postings, places, units, terms, counts } = saved;
  const from = { chunk: 0, unit: 0, term: 0 };
  return {
    words: dictionary(words === "" ? [] : words.split("\n")),
    postings,
    documents: documents.map(({ about, key, isYoung, sections, ...count }) => {
      const record: DocumentRecord = {
        ...about,
        belongs: { kind: "open" },
        sections: () => sections.split("\n"),
        places: places.subarray(from.chunk * placeWidth, (from.chunk + count.chunks) * placeWidth),
        units: units.subarray(from.unit * unitWidth, (from.unit + count.chunks + 1) * unitWidth),
        terms: terms.subarray(from.term, from.term + count.terms),
        counts: counts.subarray(from.term, from.term + count.terms),
      };
      from.chunk += count.chunks;
      from.unit += count.chunks + 1;
      from.term += count.terms;
      return { record, key, isYoung };
    }),
  };
}

/** Changes with chunks, terms or layout, so that an index of another version is rebuilt. */
const mark = "WAYMARK index 04";
const family = "WAYMARK index ";

function joined<Numbers extends Uint32Array | Uint16Array>(
  kind: new (length: number) => Numbers,
  parts: readonly Numbers[],
): Numbers {
  const whole = new kind(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
