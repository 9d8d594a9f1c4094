import type { Forgetting } from "../../engine/ports/forgetting.ts";
import { streamKey } from "../stream-key.ts";
import type { ForgottenHashes } from "./history-witness.ts";
import { areaValues, type StoreLocation, streamOfKey, streamValues } from "./store-location.ts";

/** Erases histories and texts of one area of a project in PostgreSQL; needs a role that may delete records. */
export function postgresForgetting(place: StoreLocation): Forgetting {
  const { database, project } = place;
  const { schema } = database;
  const stream = "project = $1 and area = $2 and desk = $3 and exists (select from tomb)";
  const ofStream = ["records", "aside", "snapshots", "heads", "standing", "held"];
  const erase = `with tomb as (insert into ${schema}.forgotten (project, area, desk, records, head, hashes, at, name, reason)
      select $1, $2, $3, $4::integer, $5, $6, $7, $8, $9
      where exists (select from ${schema}.records where project = $1 and area = $2 and desk = $3 and seq = $4::integer and hash = $5)
        and not exists (select from ${schema}.records where project = $1 and area = $2 and desk = $3 and seq > $4::integer)
      on conflict (project, area, desk, head) do update set reason = excluded.reason returning head),
    ${ofStream.map((table) => `of_${table} as (delete from ${schema}.${table} where ${stream})`).join(",\n    ")}
    select head from tomb`;
  return {
    async eraseTexts(hashes) {
      if (hashes.length === 0) return;
      const listed = "hash in (select jsonb_array_elements_text($2::text::jsonb))";
      await database.run(
        `with paths as (delete from ${schema}.files where project = $1 and ${listed})
          delete from ${schema}.texts where project = $1 and ${listed}`,
        [project, JSON.stringify(hashes)],
      );
    },
    async eraseStream({ id, records, head, at, by, reason }, hashes) {
      const values = await streamValues(place, id);
      const erased = await database.run(erase, [...values, records, head, hashes.join(" "), at, by, reason]);
      if (erased.length > 0) return true;
      // its answer may have been lost
      const known = `select head from ${schema}.forgotten where project = $1 and area = $2 and desk = $3 and head = $4
        and not exists (select from ${schema}.records where project = $1 and area = $2 and desk = $3)`;
      return (await database.run(known, [...values, head])).length > 0;
    },
    async tombstones() {
      const listed = `select desk, records, head, at, name, reason from ${schema}.forgotten
        where project = $1 and area = $2 order by at, desk`;
      const rows = await database.run(listed, await areaValues(place));
      return rows.map(({ desk: key, records, head, at, name, reason }) => ({
        id: streamOfKey(String(key)),
        records: Number(records),
        head: String(head),
        at: String(at),
        by: String(name),
        reason: String(reason),
      }));
    },
  };
}

/** The hashes of the records of streams that were forgotten in one area, by stream. */
export async function forgottenHashes(place: StoreLocation): Promise<ForgottenHashes> {
  const { database } = place;
  const listed = `select desk, hashes from ${database.schema}.forgotten where project = $1 and area = $2`;
  const rows = await database.run(listed, await areaValues(place));
  return (id, head) =>
    head.length > 0 && rows.some(({ desk: key, hashes }) => key === streamKey(id) && String(hashes).includes(head));
}
