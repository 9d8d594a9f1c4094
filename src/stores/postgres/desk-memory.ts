import { deserialize, serialize } from "node:v8";
import type { StoredRecord } from "../../engine/ports.ts";
import { sha256 } from "../../evidence/sha256.ts";
import { Unavailable } from "../../evidence/unavailable.ts";
import { type Desk, emptyDesk } from "../../workflow/desk.ts";
import { replay } from "../../workflow/replay.ts";
import { beginning, readLine } from "../chain/record.ts";
import type { Row } from "./database.ts";

/** What a desk adds up to at one record: a copy of what the database says, believed only as long as that record stands there. */
export type Known = {
  readonly seq: number;
  readonly head: string;
  readonly desk: Desk;
  /** Up to which record the database has it saved. */
  readonly saved: number;
};

/** Nothing on record. */
export const nothingKnown: Known = { seq: 0, head: beginning, desk: emptyDesk, saved: 0 };

/** Changes whenever a desk adds up otherwise than before: what older code saved is not believed. */
export const snapshotFormat = 2;

/** A desk as it is saved. */
export function toSnapshot({ desk }: Known): Buffer {
  return serialize(desk);
}

/** Reads a saved desk; undefined where it was written by a Node that we do not understand. */
export function fromSnapshot({ seq, head, body }: Row): Known | undefined {
  try {
    const desk: Desk = deserialize(bytesOf(body));
    return { seq: Number(seq), head: String(head), desk, saved: Number(seq) };
  } catch {
    return undefined;
  }
}

/** Bytes as a row has them. */
export function bytesOf(value: Row[string] | undefined): Buffer {
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0);
}

/** Reads a row as the record that follows another; throws where it does not follow: nobody goes on from a history that was changed. */
export function recordAfter(head: string, seq: number, row: Row, name: string): StoredRecord {
  const text = String(row.text);
  const record = readLine(Buffer.from(text));
  const hash = sha256(text);
  const follows =
    record !== undefined &&
    !("bridge" in record) &&
    record.seq === seq + 1 &&
    record.prev === head &&
    hash === row.hash;
  if (!follows)
    throw new Unavailable(
      `The history of ${name} in the store is damaged: record ${seq + 1} is missing, or is not what was recorded.`,
      "Nothing goes on from there. Whoever runs the server looks with waymark verify, and restores it from a backup.",
    );
  return { seq: record.seq, hash, text, events: record.events };
}

/** Adds records to what is known. */
export function extended(known: Known, records: readonly StoredRecord[]): Known {
  const last = records.at(-1);
  if (last === undefined) return known;
  const desk = replay(
    records.flatMap(({ events }) => events),
    known.desk,
  );
  return { ...known, seq: last.seq, head: last.hash, desk };
}
