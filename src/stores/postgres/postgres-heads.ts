import type { SignedHeads } from "../../engine/ports/signed-heads.ts";
import { canonical } from "../../kit/json.ts";
import { parseHead } from "../parse-head.ts";
import { type StoreLocation, streamValues } from "./store-location.ts";

/** The signed heads of one area of a project in PostgreSQL. */
export function postgresHeads(place: StoreLocation): SignedHeads {
  const { database } = place;
  const { schema } = database;
  return {
    async read(id) {
      const read = `select line from ${schema}.heads where project = $1 and area = $2 and desk = $3 order by number`;
      const rows = await database.run(read, await streamValues(place, id));
      const heads = rows.flatMap(({ line }) => parseHead(String(line)) ?? []);
      return { heads, unreadable: rows.length - heads.length };
    },
    async keep(id, head) {
      const keep = `insert into ${schema}.heads (project, area, desk, line) values ($1, $2, $3, $4) on conflict do nothing`;
      await database.run(keep, [...(await streamValues(place, id)), canonical(head)]);
    },
  };
}
