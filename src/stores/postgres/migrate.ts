import { Unavailable } from "../../evidence/unavailable.ts";
import { migrations } from "./migrations.ts";

/** Asks the database something within one transaction. */
export type Asking = (text: string) => Promise<readonly Record<string, unknown>[]>;

/** A database that a statement can be put to, and a transaction. */
export type Migratable = {
  readonly schema: string;
  ask: Asking;
  inTransaction(work: (ask: Asking) => Promise<void>): Promise<void>;
};

/** Brings the schema up to date. Any number of processes may begin at once: one of them does it, and the others wait for it. */
export async function migrate(database: Migratable): Promise<void> {
  const { schema, ask, inTransaction } = database;
  if ((await versionOf(schema, ask)) === newest) return;
  await inTransaction(async (inside) => {
    // Whoever waits here finds the work done. The lock ends with the transaction, however that ends.
    await inside(`select pg_advisory_xact_lock(hashtextextended('waymark migrations of ${schema}', 0))`);
    const version = await versionOf(schema, inside);
    if (version > newest)
      throw new Unavailable(
        `The schema ${schema} in the database was made by a newer Waymark (version ${version}; this one knows ${newest}).`,
        "Upgrade this Waymark to the one that the others run.",
      );
    await inside(`create schema if not exists ${schema}`);
    await inside(
      `create table if not exists ${schema}.migrations (version integer primary key, at timestamptz not null default now())`,
    );
    for (const migration of migrations.filter((one) => one.version > version)) {
      await inside(migration.sql(schema));
      await inside(`insert into ${schema}.migrations (version) values (${migration.version})`);
    }
  });
}

const newest = Math.max(...migrations.map(({ version }) => version));

async function versionOf(schema: string, ask: Asking): Promise<number> {
  // Read from the catalog's own tables: a name that a connection has looked up in vain once stays unknown to it while it waits for a lock.
  const there = `select from pg_catalog.pg_tables where schemaname = '${schema}' and tablename = 'migrations'`;
  if ((await ask(there)).length === 0) return 0;
  const [row] = await ask(`select coalesce(max(version), 0) as version from ${schema}.migrations`);
  return Number(row?.version);
}
