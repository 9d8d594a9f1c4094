import type { EventLog } from "../../engine/ports.ts";
import { sha256 } from "../../evidence/sha256.ts";
import { Unavailable } from "../../evidence/unavailable.ts";
import { writingOf } from "../chain/race.ts";
import { beginning, readLine } from "../chain/record.ts";
import { nameOf } from "../desk-key.ts";
import type { Moving } from "../store.ts";
import { logStatements } from "./log-statements.ts";
import { deskValues, type StorePlace } from "./place.ts";
import { whoStands } from "./who-stands.ts";

/** So many records go into one statement. */
const atOnce = 500;

/** Moves the histories of one area of a project into PostgreSQL and out of it, byte by byte. */
export function postgresMoving(place: StorePlace, log: Pick<EventLog, "look">): Moving {
  const { database } = place;
  const statements = logStatements(database.schema);
  return {
    aside: async (id) =>
      (await database.run(statements.aside, await deskValues(place, id))).map(({ text }) => String(text)),
    async restore(id, texts, aside) {
      const values = await deskValues(place, id);
      for (let from = 0; from < texts.length; from += atOnce) {
        const rows = texts.slice(from, from + atOnce).map(rowOf);
        const [first] = rows;
        const last = rows.at(-1);
        if (first === undefined || last === undefined) break;
        const before = [first.seq - 1, first.seq === 1 ? beginning : first.prev];
        await database.run(statements.restore, [...values, JSON.stringify(rows), ...before]);
        const [standing] = await database.run(statements.hashAt, [...values, last.seq]);
        if (standing?.hash !== last.hash)
          throw new Unavailable(
            `The history of ${nameOf(id)} was written to while it was brought in: it ends before record ${first.seq}.`,
            "Stop whoever works there, look with waymark verify, and bring it in again.",
          );
      }
      const standing = [...whoStands((await log.look(id)).desk)];
      await database.run(statements.stand, [...values, JSON.stringify(standing)]);
      for (const text of aside) await database.run(statements.putAside, [...values, sha256(text), text]);
    },
  };
}

function rowOf(text: string) {
  const record = readLine(Buffer.from(text));
  if (record === undefined || "bridge" in record) throw new Error("What is brought in is no record.");
  const { seq, prev, op } = record;
  return { seq, hash: sha256(text), prev, op, at: writingOf(record).at, text };
}
