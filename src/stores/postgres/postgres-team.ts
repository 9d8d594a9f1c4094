import { randomBytes, randomUUID } from "node:crypto";
import { type Team, type Token, tokensOfOneName } from "../../engine/ports/team.ts";
import { keyBytes, keyOf, roleOf } from "../team-values.ts";
import type { Database, Row } from "./database.ts";
import { bytesOf } from "./known-stream.ts";
import { postgresQueue, postgresSightings } from "./postgres-queue.ts";

/** The shared data of a server's replicas in PostgreSQL; closes its database. */
export function postgresTeam(database: Database): Team {
  const { schema, channel } = database;
  const tokens = `${schema}.tokens`;
  return {
    tokens: {
      async add({ name, role, project, hash, createdAt, expiresAt = null, follows = null }) {
        const add = `insert into ${tokens} (name, role, project, hash, created_at, expires_at, follows)
          select $1, $2, $3, $4, $5, $6, $7
          where (select count(*) from ${tokens} where name = $1 and revoked_at is null) < ${tokensOfOneName}
          on conflict do nothing`;
        await database.run(add, [name, role, project, hash, createdAt, expiresAt, follows]);
        const find = `select from ${tokens} where name = $1 and hash = $2 and revoked_at is null`;
        return (await database.run(find, [name, hash])).length > 0;
      },
      async revoke(name, at, hash) {
        const revoke = `update ${tokens} set revoked_at = $2 where name = $1 and revoked_at is null and ($3::text is null or hash = $3) returning name`;
        return (await database.run(revoke, [name, at, hash ?? null])).length > 0;
      },
      async list() {
        const list = `select name, role, project, hash, created_at, revoked_at, expires_at, follows from ${tokens} order by created_at, name`;
        return { tokens: (await database.run(list, [])).map(tokenOf), unreadable: 0 };
      },
    },
    queue: postgresQueue(database),
    sightings: postgresSightings(database),
    signals: {
      async send(text) {
        const id = randomUUID();
        const payload = Buffer.from(text).toString("base64");
        await database.run(`delete from ${schema}.signals where at < now() - interval '5 minutes'`, []);
        // Stored as well, for listeners that were disconnected.
        const put = `with kept as (insert into ${schema}.signals (id, text) values ($3::uuid, $4) on conflict do nothing)
          select pg_notify($1, $2)`;
        const told = payload.length <= longest ? `s ${id} ${payload}` : `l ${id}`;
        await database.run(put, [channel, told, id, payload]);
      },
      listen: (heard) => {
        const isNew = firstTimes();
        const hear = (id: string, stored: string | undefined): void => {
          if (stored !== undefined && isNew(id)) heard(Buffer.from(stored, "base64").toString("utf8"));
        };
        return database.listen(async (told) => {
          const [kind, id = "", payload = ""] = told?.split(" ") ?? [];
          if (kind === "s") return hear(id, payload);
          if (kind === "l") return hear(id, await longText(database, id).catch(() => undefined));
          if (told !== undefined) return;
          const recent = `select id, text from ${schema}.signals where at > now() - interval '1 minute' order by at`;
          const rows = await database.run(recent, []).catch(() => []);
          for (const row of rows) hear(String(row.id), String(row.text));
        });
      },
    },
    async key(name) {
      const make = `insert into ${schema}.keys (name, key) values ($1, $2) on conflict do nothing`;
      await database.run(make, [name, randomBytes(keyBytes)]);
      const [row] = await database.run(`select key from ${schema}.keys where name = $1`, [name]);
      return keyOf(name, bytesOf(row?.key), `${database.place}, table ${schema}.keys`);
    },
    statements: () => database.load(),
    ping: async () => void (await database.run("select 1 as here", [])),
    close: () => database.close(),
  };
}

/** Tells for each listener which signals are new to it: one sent again after a lost answer counts once. */
function firstTimes(): (id: string) => boolean {
  const known = new Set<string>();
  return (id) => {
    if (known.has(id)) return false;
    const [oldest] = known.add(id).size > remembered ? known : [];
    if (oldest !== undefined) known.delete(oldest);
    return true;
  };
}

/** A notification has at most 7,999 bytes. */
const longest = 7800;
const remembered = 10_000;

async function longText({ run, schema }: Database, id: string): Promise<string | undefined> {
  const [row] = await run(`select text from ${schema}.signals where id = $1::uuid`, [id]);
  return row === undefined ? undefined : String(row.text);
}

function tokenOf({ name, role, project, hash, created_at, revoked_at, expires_at, follows }: Row): Token {
  return {
    name: String(name),
    role: roleOf(role),
    project: project === null || project === undefined ? null : String(project),
    hash: String(hash),
    createdAt: String(created_at),
    ...(typeof revoked_at === "string" ? { revokedAt: revoked_at } : {}),
    ...(typeof expires_at === "string" ? { expiresAt: expires_at } : {}),
    ...(typeof follows === "string" ? { follows } : {}),
  };
}
