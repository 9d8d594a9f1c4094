import type { NoticeQueue, PendingNotice } from "../../engine/ports/notice-queue.ts";
import { parsedJson } from "../../kit/json.ts";
import { areaValues, type StoreLocation } from "./store-location.ts";

/** The notices to be sent for one area of a project in PostgreSQL; times go by the database's clock. */
export function postgresNotices(place: StoreLocation): NoticeQueue {
  const { database } = place;
  const table = `${database.schema}.notices`;
  const entry = "project = $1 and area = $2 and key = $3";
  return {
    async put(key, pending) {
      const put = `insert into ${table} (project, area, key, body) values ($1, $2, $3, $4) on conflict do nothing`;
      await database.run(put, [...(await areaValues(place)), key, JSON.stringify(pending)]);
    },
    async claim(most, seconds) {
      const claim = `update ${table} set due = now() + make_interval(secs => $4::float8)
        where (project, area, key) in (select project, area, key from ${table}
          where project = $1 and area = $2 and due <= now() order by due limit $3::integer for update skip locked)
        returning key, body, extract(epoch from now() - made)::text as age`;
      const rows = await database.run(claim, [...(await areaValues(place)), most, String(seconds)]);
      return rows.map(({ key, body, age }) => ({
        key: String(key),
        pending: parsedJson(String(body)) as PendingNotice,
        age: Number(age),
      }));
    },
    async postpone({ key }, pending, seconds) {
      const postpone = `update ${table} set body = $4, due = now() + make_interval(secs => $5::float8) where ${entry} returning key`;
      await database.run(postpone, [...(await areaValues(place)), key, JSON.stringify(pending), String(seconds)]);
    },
    async remove({ key }) {
      await database.run(`delete from ${table} where ${entry}`, [...(await areaValues(place)), key]);
    },
  };
}
