import { crc32 } from "node:zlib";
import { type Dictionary, dictionary } from "./dictionary.ts";
import { type DocumentRecord, placeWidth } from "./document-record.ts";
import { type Postings, postingsOf } from "./inverted.ts";
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

/** Encodes an index: a checksum, a head, then plain arrays; unused words are dropped. */
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
  const postings = postingsOf(records, used.length);
  const sections = documents.map(({ record }) => Buffer.from(record.sections().join("\n")));
  const head: Head = documents.map(
    ({ record: { file, hash, title, tags, problem, places, terms }, key, isYoung }, at) => ({
      about: { file, hash, title, tags, problem },
      key,
      isYoung,
      chunks: places.length / placeWidth,
      terms: terms.length,
      sections: sections[at]?.length ?? 0,
    }),
  );
  const parts = [
    Buffer.from(JSON.stringify(head)),
    Buffer.from(used.join("\n")),
    Buffer.concat(sections),
    ...[
      documents.map(({ record }) => record.places),
      records.map(({ units }) => units),
      records.map(({ terms }) => terms),
      [postings.starts],
      [postings.units],
    ].map((arrays) => bytesOf(joined(Uint32Array, arrays))),
    bytesOf(postings.counts),
    bytesOf(
      joined(
        Uint16Array,
        records.map(({ counts }) => counts),
      ),
    ),
  ];
  const sizes = Buffer.from(Uint32Array.from(parts, ({ length }) => length).buffer);
  const body = Buffer.concat([sizes, ...parts.flatMap((part) => [part, Buffer.alloc(padding(part.length))])]);
  const front = Buffer.alloc(frontSize);
  front.write(mark, 0, "latin1");
  front.writeUInt32LE(crc32(body), mark.length);
  return Buffer.concat([front, body]);
}

/** Decodes a saved index: `other` if another version wrote it, `damaged` if the checksum fails. */
export function decodeIndex(bytes: Buffer): SavedIndex | "other" | "damaged" {
  if (bytes.toString("latin1", 0, family.length) !== family) return "damaged";
  if (bytes.toString("latin1", 0, mark.length) !== mark) return "other";
  const body = bytes.subarray(frontSize);
  if (bytes.length < frontSize || bytes.readUInt32LE(mark.length) !== crc32(body)) return "damaged";
  let at = partCount * 4;
  const parts = Array.from({ length: partCount }, (_, part) => {
    const size = body.readUInt32LE(part * 4);
    const taken = body.subarray(at, at + size);
    at += size + padding(size);
    return taken;
  });
  const [head, words, sections, places, units, terms, starts, inUnits, times, counts] = parts;
  if (!head || !words || !sections || !places || !units || !terms || !starts || !inUnits || !times || !counts)
    return "damaged";
  return {
    words: dictionary(words.length === 0 ? [] : words.toString("utf8").split("\n")),
    documents: documentsOf(parseHead(head), {
      sections,
      places: asUint32(places),
      units: asUint32(units),
      terms: asUint32(terms),
      counts: asUint16(counts),
    }),
    postings: { starts: asUint32(starts), units: asUint32(inUnits), counts: asUint16(times) },
  };
}

/** Changes with chunks, terms or layout, so that an index of another version is rebuilt. */
const mark = "WAYMARK index 02";
const family = "WAYMARK index ";
const frontSize = mark.length + 4;
const partCount = 10;

type Head = readonly {
  /** Only open documents are saved. */
  readonly about: Pick<DocumentRecord, "file" | "hash" | "title" | "tags" | "problem">;
  readonly key: string;
  readonly isYoung: boolean;
  readonly chunks: number;
  readonly terms: number;
  /** The size of its heading paths in bytes. */
  readonly sections: number;
}[];

/** Parses the head; the checksum has verified it. */
function parseHead(bytes: Buffer): Head {
  return JSON.parse(bytes.toString("utf8")) as Head;
}

type Arrays = {
  readonly sections: Buffer;
  readonly places: Uint32Array;
  readonly units: Uint32Array;
  readonly terms: Uint32Array;
  readonly counts: Uint16Array;
};

function documentsOf(head: Head, { sections, places, units, terms, counts }: Arrays): IndexedDocument[] {
  const from = { chunk: 0, unit: 0, term: 0, section: 0 };
  return head.map(({ about, key, isYoung, ...count }) => {
    const own = sections.subarray(from.section, from.section + count.sections);
    const record: DocumentRecord = {
      ...about,
      problem: about.problem,
      belongs: { kind: "open" },
      sections: () => own.toString("utf8").split("\n"),
      places: places.subarray(from.chunk * placeWidth, (from.chunk + count.chunks) * placeWidth),
      units: units.subarray(from.unit * unitWidth, (from.unit + count.chunks + 1) * unitWidth),
      terms: terms.subarray(from.term, from.term + count.terms),
      counts: counts.subarray(from.term, from.term + count.terms),
    };
    from.chunk += count.chunks;
    from.unit += count.chunks + 1;
    from.term += count.terms;
    from.section += count.sections;
    return { record, key, isYoung };
  });
}

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

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array | Uint16Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function asUint32(bytes: Buffer): Uint32Array {
  const { buffer, byteOffset, byteLength } = even(bytes);
  return new Uint32Array(buffer, byteOffset, byteLength / 4);
}

function asUint16(bytes: Buffer): Uint16Array {
  const { buffer, byteOffset, byteLength } = even(bytes);
  return new Uint16Array(buffer, byteOffset, byteLength / 2);
}

/** The bytes themselves if they are aligned to four, otherwise a copy. */
function even(bytes: Buffer): Uint8Array {
  return bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes);
}

function padding(length: number): number {
  return (4 - (length % 4)) % 4;
}
