import { deserialize, serialize } from "node:v8";
import type { StoredRecord } from "../../engine/ports/event-log.ts";
import { sha256 } from "../../kit/sha256.ts";
import { Unavailable } from "../../kit/unavailable.ts";
import { replay } from "../../workflow/replay.ts";
import { emptyStream, type StreamSnapshot } from "../../workflow/stream-snapshot.ts";
import { genesisHash, parseLine } from "../chain/journal-record.ts";
import type { Row } from "./database.ts";

/** A stream's state at one record: a cache, trusted only while that record is in the database. */
export type KnownStream = {
  readonly seq: number;
  readonly head: string;
  readonly stream: StreamSnapshot;
  /** The record up to which the database has a snapshot. */
  readonly saved: number;
};

/** The state without records. */
export const unknownStream: KnownStream = { seq: 0, head: genesisHash, stream: emptyStream, saved: 0 };

/** Changes whenever a stream is computed differently: older snapshots are not trusted. */
export const snapshotFormat = 6;

/** Serializes a stream's state. */
export function toSnapshot({ stream }: KnownStream): Buffer {
  return serialize(stream);
}

/** Parses a saved state; undefined if an incompatible Node version wrote it. */
export function fromSnapshot({ seq, head, body }: Row): KnownStream | undefined {
  try {
    const stream: StreamSnapshot = deserialize(bytesOf(body));
    return { seq: Number(seq), head: String(head), stream, saved: Number(seq) };
  } catch {
    return undefined;
  }
}

/** Bytes of a column. */
export function bytesOf(value: Row[string] | undefined): Buffer {
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0);
}

/** Reads a row as the record after another; throws if it does not follow, since a changed history must not continue. */
export function recordAfter(head: string, seq: number, row: Row, name: string): StoredRecord {
  const text = String(row.text);
  const record = parseLine(Buffer.from(text));
  const hash = sha256(text);
  const follows =
    record !== undefined &&
    !("bridge" in record) &&
    record.seq === seq + 1 &&
    record.prev === head &&
    hash === row.hash;
  if (!follows)
    throw new Unavailable(
      `The history of ${name} in the store is damaged: record ${seq + 1} is missing or was changed.`,
      "It cannot continue. Ask the server's operator to run waymark verify and restore a backup.",
    );
  return { seq: record.seq, hash, text, events: record.events };
}

/** Adds records to a known state. */
export function extendKnown(known: KnownStream, records: readonly StoredRecord[]): KnownStream {
  const last = records.at(-1);
  if (last === undefined) return known;
  const stream = replay(
    records.flatMap(({ events }) => events),
    known.stream,
  );
  return { ...known, seq: last.seq, head: last.hash, stream };
}
