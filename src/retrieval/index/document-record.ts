import { crc32 } from "node:zlib";
import type { ParsedDocument } from "../chunks/document.ts";
import type { Ownership } from "../chunks/document-head.ts";
import type { EachTerm } from "../text/terms.ts";
import type { Dictionary } from "./dictionary.ts";
import { cardShift, headShift, mostInField, mostInText, type Units, unitWriter } from "./units.ts";

/** An indexed document; unit 0 is its card (title, path, tags, questions), the others are its chunks. */
export type DocumentRecord = Units & {
  readonly file: string;
  readonly hash: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly belongs: Ownership;
  readonly problem: string | undefined;
  /** The heading path of each chunk as one line, decoded from the saved index on demand. */
  readonly sections: () => readonly string[];
  /** For each chunk: start, end, first line, last line, 1 if it lists questions, and a checksum. */
  readonly places: Uint32Array;
};

export const placeWidth = 6;

/** The tools for reading terms: the dictionary, the term reader, and when to yield. */
export type Analysis = {
  readonly words: Dictionary;
  readonly eachTerm: EachTerm;
  readonly breathe: () => Promise<void> | undefined;
};

/** Counts the terms of a document chunk by chunk; unchanged chunks are copied from the earlier record. */
export async function recordOf(
  file: string,
  hash: string,
  parsed: ParsedDocument,
  { words, eachTerm, breathe }: Analysis,
  before?: DocumentRecord,
): Promise<DocumentRecord> {
  const { title, tags, rest, questions, text, chunks, belongs, problem } = parsed;
  const writer = unitWriter(words, eachTerm);
  writer.count(title, cardShift.title, mostInField);
  writer.count(file.replace(/\.\w+$/, ""), cardShift.path, mostInField);
  writer.count(`${tags.join("\n")}\n${rest}`, cardShift.tags, mostInField);
  writer.end(writer.count(questions.join("\n"), cardShift.questions, mostInField), 0);

  const known = unitsByChecksum(before);
  const places = new Uint32Array(chunks.length * placeWidth);
  for (const [at, { start, end, firstLine, lastLine, asks, headings }] of chunks.entries()) {
    const content = text.slice(start, end);
    const above = headings.filter((heading) => heading !== title).join("\n");
    const sum = crc32(`${above}\n\n${content}`);
    places.set([start, end, firstLine, lastLine, asks ? 1 : 0, sum], at * placeWidth);
    const same = known.get(`${sum} ${end - start}`);
    if (before !== undefined && same !== undefined) writer.copy(before, same);
    else writer.end(writer.count(content, 0, mostInText), writer.count(above, headShift, mostInField));
    await breathe();
  }
  const sections = chunks.map(({ section }) => section.join(" > "));
  return { file, hash, title, tags, belongs, problem, sections: () => sections, places, ...writer.written() };
}

function unitsByChecksum(record: DocumentRecord | undefined): ReadonlyMap<string, number> {
  const known = new Map<string, number>();
  const { places } = record ?? { places: new Uint32Array() };
  for (let at = 0; at < places.length; at += placeWidth)
    known.set(`${places[at + 5]} ${(places[at + 1] ?? 0) - (places[at] ?? 0)}`, at / placeWidth + 1);
  return known;
}
