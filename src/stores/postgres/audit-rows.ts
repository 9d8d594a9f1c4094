import { isDeepStrictEqual } from "node:util";
import type { AuditedLog, DeskId } from "../../engine/ports.ts";
import { sha256 } from "../../evidence/sha256.ts";
import { emptyDesk } from "../../workflow/desk.ts";
import { replay } from "../../workflow/replay.ts";
import { readLine } from "../chain/record.ts";
import { verifyLines } from "../chain/verify-lines.ts";
import type { Row } from "./database.ts";
import { fromSnapshot, snapshotFormat } from "./desk-memory.ts";
import type { LogStatements } from "./log-statements.ts";
import { deskValues, type StorePlace } from "./place.ts";

const atOnce = 5000;

/** Reads the history of a desk from its first row to its last, believing nothing but the texts; writes nothing. */
export async function auditRows(place: StorePlace, statements: LogStatements, id: DeskId): Promise<AuditedLog> {
  const { database } = place;
  const values = await deskValues(place, id);
  const rows: Row[] = [];
  for (;;) {
    const more = await database.run(statements.all, [...values, Number(rows.at(-1)?.seq ?? 0), atOnce]);
    rows.push(...more);
    if (more.length < atOnce) break;
  }
  const aside = await database.run(statements.aside, values);
  const lines = [...rows, ...aside].map(({ text }) => Buffer.from(String(text)));
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

/** A row is found by its columns: they have to say what its text says. */
function doubtsOf({ seq, hash, prev, op, text }: Row): readonly string[] {
  const record = readLine(Buffer.from(String(text)));
  if (record === undefined || "bridge" in record) return []; // a break, and said as one
  const isSame = record.seq === seq && record.prev === prev && record.op === op && sha256(String(text)) === hash;
  return isSame ? [] : [`the columns of record ${seq} do not say what its text says`];
}

/** A saved desk is a shorter way to what the records add up to, and has to come to just that. */
function doubtSnapshot(rows: readonly Row[], snapshot: Row): readonly string[] {
  const end = rows.findIndex(({ seq, hash }) => seq === snapshot.seq && hash === snapshot.head);
  const saved = end < 0 || snapshot.format !== snapshotFormat ? undefined : fromSnapshot(snapshot);
  if (saved === undefined) return []; // of another history or another version: nobody believes it
  const events = rows.slice(0, end + 1).flatMap(({ text }) => {
    const record = readLine(Buffer.from(String(text)));
    return record === undefined || "bridge" in record ? [] : record.events;
  });
  return isDeepStrictEqual(saved.desk, replay(events, emptyDesk))
    ? []
    : [`what is saved of it up to record ${saved.seq} is not what its records add up to`];
}
