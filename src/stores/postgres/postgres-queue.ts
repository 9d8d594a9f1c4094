import type { CheckQueue, QueuedCheck, Sightings, WantedCheck } from "../../engine/ports/runners.ts";
import { parsedJson } from "../../kit/json.ts";
import type { Database, Row } from "./database.ts";

/** The checks that runners are asked for, in PostgreSQL: leases go by the database's clock, and one statement decides who has a claim. */
export function postgresQueue({ run, schema }: Database): CheckQueue {
  const table = `${schema}.wanted`;
  const columns = "body, note, case when lease > now() then claim end as claim";
  const isHeld = "id = $1 and nonce = $2 and lease > now()";
  return {
    async put(wanted) {
      await run(`delete from ${table} where at < now() - interval '1 hour'`, []);
      await run(
        `insert into ${table} (id, project, body) values ($1, $2, $3) on conflict (id) do update set at = now(), note = null`,
        [wanted.id, wanted.project, JSON.stringify(wanted)],
      );
    },
    async find(id) {
      const [row] = await run(`select ${columns} from ${table} where id = $1`, [id]);
      return row === undefined ? undefined : queuedOf(row);
    },
    async list(project) {
      return (await run(`select ${columns} from ${table} where project = $1 order by at`, [project])).map(queuedOf);
    },
    async claim(id, claim, seconds) {
      // The same claim, sent again after a lost answer, is won again.
      const taken = await run(
        `update ${table} set claim = $2, nonce = $3, lease = now() + make_interval(secs => $4::float8), note = null
         where id = $1 and (lease is null or lease <= now() or nonce = $3) returning id`,
        [id, JSON.stringify(claim), claim.nonce, String(seconds)],
      );
      return taken.length > 0;
    },
    async renew(id, nonce, seconds) {
      const renewed = `update ${table} set lease = now() + make_interval(secs => $3::float8) where ${isHeld} returning id`;
      return (await run(renewed, [id, nonce, String(seconds)])).length > 0;
    },
    async release(id, nonce, note) {
      const released = `update ${table} set claim = null, lease = null, note = $3 where ${isHeld} returning id`;
      return (await run(released, [id, nonce, JSON.stringify(note)])).length > 0;
    },
    remove: async (id) => void (await run(`delete from ${table} where id = $1`, [id])),
  };
}

/** Our own rows, as they were put. */
function queuedOf({ body, claim, note }: Row): QueuedCheck {
  const wanted = parsedJson(String(body)) as WantedCheck;
  const part = <K extends "claim" | "note">(name: K, text: unknown): Pick<QueuedCheck, K> =>
    typeof text === "string" ? ({ [name]: parsedJson(text) } as Pick<QueuedCheck, K>) : ({} as Pick<QueuedCheck, K>);
  return { ...wanted, ...part("claim", claim), ...part("note", note) };
}

/** The latest sightings, in PostgreSQL. */
export function postgresSightings({ run, schema }: Database): Sightings {
  const table = `${schema}.sightings`;
  return {
    async note(kind, { name, at, about }) {
      await run(
        `insert into ${table} (kind, name, at, about) values ($1, $2, $3, $4)
         on conflict (kind, name) do update set at = excluded.at, about = excluded.about where ${table}.at < excluded.at`,
        [kind, name, at, JSON.stringify(about)],
      );
    },
    async list(kind) {
      const rows = await run(`select name, at, about from ${table} where kind = $1 order by at desc limit 1000`, [
        kind,
      ]);
      return rows.map(({ name, at, about }) => ({
        name: String(name),
        at: String(at),
        about: (parsedJson(String(about)) ?? {}) as object as Record<string, never>,
      }));
    },
  };
}
