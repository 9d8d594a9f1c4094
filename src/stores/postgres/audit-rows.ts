import { isDeepStrictEqual } from "node:util";
import type { AuditedLog } from "../../engine/ports/event-log.ts";
import { sha256 } from "../../kit/sha256.ts";
import { replay } from "../../workflow/replay.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import { emptyStream } from "../../workflow/stream-snapshot.ts";
import { parseLine } from "../chain/journal-record.ts";
import { verifyLines } from "../chain/verify-lines.ts";
import type { Row } from "./database.ts";
import { fromSnapshot, snapshotFormat } from "./known-stream.ts";
import type { LogStatements } from "./log-statements.ts";
import { type StoreLocation, streamValues } from "./store-location.ts";

const atOnce = 5000;

/** Reads a stream's whole history, trusting only the texts; writes nothing. */
export async function auditRows(place: StoreLocation, statements: LogStatements, id: StreamId): Promise<AuditedLog> {
  const { database } = place;
  const values = await streamValues(place, id);
  const rows: Row[] = [];
  for (;;) {
    const more = await database.run(statements.all, [...values, Number(rows.at(-1)?.seq ?? 0), atOnce]);
    rows.push(...more);
    if (more.length < atOnce) break;
  }
  const forked = await database.run(statements.aside, values);
  const lines = [...rows, ...forked].map(({ text }) => Buffer.from(String(text)));
  const verified = verifyLines((line) => {
    let offset = 0;
    for (const [index, bytes] of lines.entries()) {
      line(bytes, offset, index + 1);
      offset += bytes.length + 1;
    }
  });
  const [snapshot] = await database.run(statements.anySnapshot, values);
  return {
    ...verified,
    unfinished: 0,
    doubts: [...rows.flatMap(doubtsOf), ...(snapshot === undefined ? [] : doubtSnapshot(rows, snapshot))],
    place: `${database.place} ${values[0]}`,
    ...(rows.length === 0 ? { missing: "its history is gone" } : {}),
  };
}

/** The columns of a row must match its text. */
function doubtsOf({ seq, hash, prev, op, text }: Row): readonly string[] {
  const record = parseLine(Buffer.from(String(text)));
  if (record === undefined || "bridge" in record) return []; // a break, reported as one
  const isSame = record.seq === seq && record.prev === prev && record.op === op && sha256(String(text)) === hash;
  return isSame ? [] : [`the columns of record ${seq} differ from its text`];
}

/** A saved snapshot must equal what the records add up to. */
function doubtSnapshot(rows: readonly Row[], snapshot: Row): readonly string[] {
  const end = rows.findIndex(({ seq, hash }) => seq === snapshot.seq && hash === snapshot.head);
  const saved = end < 0 || snapshot.format !== snapshotFormat ? undefined : fromSnapshot(snapshot);
  if (saved === undefined) return []; // of another history or version: not trusted
  const events = rows.slice(0, end + 1).flatMap(({ text }) => {
    const record = parseLine(Buffer.from(String(text)));
    return record === undefined || "bridge" in record ? [] : record.events;
  });
  return isDeepStrictEqual(saved.stream, replay(events, emptyStream))
    ? []
    : [`its snapshot at record ${saved.seq} differs from its records`];
}
