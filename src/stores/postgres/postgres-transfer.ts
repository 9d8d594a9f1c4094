import type { EventLog } from "../../engine/ports/event-log.ts";
import { sha256 } from "../../kit/sha256.ts";
import { Unavailable } from "../../kit/unavailable.ts";
import { streamName } from "../../workflow/stream-id.ts";
import { writingOf } from "../chain/journal-chain.ts";
import { genesisHash, parseLine } from "../chain/journal-record.ts";
import type { HistoryTransfer } from "../store.ts";
import { logStatements } from "./log-statements.ts";
import { openCallers } from "./open-callers.ts";
import { type StoreLocation, streamValues } from "./store-location.ts";

/** Records per statement. */
const atOnce = 500;

/** Imports and exports one area's histories in PostgreSQL byte by byte. */
export function postgresTransfer(place: StoreLocation, log: Pick<EventLog, "load">): HistoryTransfer {
  const { database } = place;
  const statements = logStatements(database.schema);
  return {
    forked: async (id) =>
      (await database.run(statements.aside, await streamValues(place, id))).map(({ text }) => String(text)),
    async restore(id, texts, forked) {
      const values = await streamValues(place, id);
      for (let from = 0; from < texts.length; from += atOnce) {
        const rows = texts.slice(from, from + atOnce).map(rowOf);
        const [first] = rows;
        const last = rows.at(-1);
        if (first === undefined || last === undefined) break;
        const before = [first.seq - 1, first.seq === 1 ? genesisHash : first.prev];
        await database.run(statements.restore, [...values, JSON.stringify(rows), ...before]);
        const [status] = await database.run(statements.hashAt, [...values, last.seq]);
        if (status?.hash !== last.hash)
          throw new Unavailable(
            `The history of ${streamName(id)} changed during the import: it ends before record ${first.seq}.`,
            "Stop all work there, run waymark verify, then import it again.",
          );
      }
      const status = [...openCallers((await log.load(id)).stream)];
      await database.run(statements.setOpenCallers, [...values, JSON.stringify(status)]);
      for (const text of forked) await database.run(statements.putAside, [...values, sha256(text), text]);
    },
  };
}

function rowOf(text: string) {
  const record = parseLine(Buffer.from(text));
  if (record === undefined || "bridge" in record) throw new Error("An imported line is not a record.");
  const { seq, prev, op } = record;
  return { seq, hash: sha256(text), prev, op, at: writingOf(record).at, text };
}
