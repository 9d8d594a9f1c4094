import { startPostgres } from "../postgres-server.mjs";

/** A PostgreSQL with a standby that every commit waits for, and the address that names both. */
export async function startDatabases() {
  const primary = await startPostgres({ settings: { fsync: "on" } });
  await primary.start();
  const standby = await primary.standby();
  // Only now: had the standby been copied with it, it would wait for another one when it takes over.
  await primary.restart("SIGINT", { synchronous_standby_names: "standby" });
  return {
    primary,
    standby,
    store: `postgres://waymark@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`,
    dispose: () => Promise.all([standby.dispose(), primary.dispose()]),
  };
}
