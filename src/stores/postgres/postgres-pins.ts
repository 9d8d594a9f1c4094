import type { PinStore } from "../../engine/ports/pins.ts";
import { sha256 } from "../../kit/sha256.ts";
import type { Database } from "./database.ts";
import { bytesOf } from "./known-stream.ts";

/** The copies of a project's definitions in PostgreSQL. */
export function postgresPins(database: Database, project: string): PinStore {
  const { schema } = database;
  return {
    async keep(text) {
      const pin = sha256(text);
      const keep = `insert into ${schema}.pins (project, pin, body) values ($1, $2, $3) on conflict do nothing`;
      await database.run(keep, [project, pin, Buffer.from(text)]);
      return pin;
    },
    async find(pin) {
      const [row] = await database.run(`select body from ${schema}.pins where project = $1 and pin = $2`, [
        project,
        pin,
      ]);
      const text = row && bytesOf(row.body).toString("utf8");
      return text !== undefined && sha256(text) === pin ? text : undefined;
    },
  };
}
