import { Unavailable } from "../../kit/unavailable.ts";
import { migrations } from "./migrations.ts";

/** Runs a query within one transaction. */
export type RunQuery = (text: string) => Promise<readonly Record<string, unknown>[]>;

/** A database to migrate. */
export type Migratable = {
  readonly schema: string;
  ask: RunQuery;
  inTransaction(work: (ask: RunQuery) => Promise<void>): Promise<void>;
};

/** Migrates the schema; of concurrent processes one does it and the others wait. */
export async function migrate(database: Migratable): Promise<void> {
  const { schema, ask, inTransaction } = database;
  if ((await versionOf(schema, ask)) === newest) return;
  await inTransaction(async (inside) => {
    // Waiting processes find the work done. The lock ends with the transaction.
    await inside(`select pg_advisory_xact_lock(hashtextextended('waymark migrations of ${schema}', 0))`);
    const version = await versionOf(schema, inside);
    if (version > newest)
      throw new Unavailable(
        `The schema ${schema} in the database was created by a newer Waymark (version ${version}; this one supports ${newest}).`,
        "Upgrade this Waymark to match the others.",
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

async function versionOf(schema: string, ask: RunQuery): Promise<number> {
  // Read from the catalog tables: a failed name lookup stays cached in a connection while it waits for a lock.
  const there = `select from pg_catalog.pg_tables where schemaname = '${schema}' and tablename = 'migrations'`;
  if ((await ask(there)).length === 0) return 0;
  const [row] = await ask(`select coalesce(max(version), 0) as version from ${schema}.migrations`);
  return Number(row?.version);
}
