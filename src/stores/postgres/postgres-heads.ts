import type { Heads } from "../../audit/ports.ts";
import { canonical } from "../../evidence/json.ts";
import { readHead } from "../signed-head.ts";
import { deskValues, type StorePlace } from "./place.ts";

/** The signed heads of one area of a project in PostgreSQL. */
export function postgresHeads(place: StorePlace): Heads {
  const { database } = place;
  const { schema } = database;
  return {
    async read(id) {
      const read = `select line from ${schema}.heads where project = $1 and area = $2 and desk = $3 order by number`;
      const rows = await database.run(read, await deskValues(place, id));
      const heads = rows.flatMap(({ line }) => readHead(String(line)) ?? []);
      return { heads, unreadable: rows.length - heads.length };
    },
    async keep(id, head) {
      const keep = `insert into ${schema}.heads (project, area, desk, line) values ($1, $2, $3, $4) on conflict do nothing`;
      await database.run(keep, [...(await deskValues(place, id)), canonical(head)]);
    },
  };
}
