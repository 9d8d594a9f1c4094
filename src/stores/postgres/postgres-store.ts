import { viewsOnRequest } from "../projections/views-on-request.ts";
import type { Store } from "../store.ts";
import { logStatements } from "./log-statements.ts";
import { deskOfKey, placeValues, type StorePlace } from "./place.ts";
import { type PostgresContent, postgresContent } from "./postgres-content.ts";
import { postgresHeads } from "./postgres-heads.ts";
import { postgresLog } from "./postgres-log.ts";
import { postgresMoving } from "./postgres-moving.ts";

/** One area of a project in PostgreSQL, shared with any number of processes. What shows it is made on request; where a work tree is at hand, `compose` attaches its files. Does not close the database. */
export function postgresStore(place: StorePlace): Store & { readonly content: PostgresContent } {
  const log = postgresLog(place);
  const { database } = place;
  return {
    log,
    views: viewsOnRequest(log),
    content: postgresContent(place),
    heads: postgresHeads(place),
    async atWork() {
      const rows = await database.run(logStatements(database.schema).atWork, await placeValues(place));
      const desks = rows.map(({ desk }) => deskOfKey(String(desk)));
      return [...new Set(desks.filter(({ kind }) => kind === "bot").map(({ name }) => name))];
    },
    async standing(caller) {
      const values = [...(await placeValues(place)), caller];
      return (await database.run(logStatements(database.schema).standing, values)).map(({ desk }) =>
        deskOfKey(String(desk)),
      );
    },
    moving: postgresMoving(place, log),
    close: log.close,
  };
}
