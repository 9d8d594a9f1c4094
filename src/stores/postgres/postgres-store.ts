import type { Forgetting } from "../../engine/ports/forgetting.ts";
import { viewsOnRequest } from "../projections/views-on-request.ts";
import type { Store } from "../store.ts";
import { logStatements } from "./log-statements.ts";
import { type PostgresContent, postgresContent } from "./postgres-content.ts";
import { postgresForgetting } from "./postgres-forgetting.ts";
import { postgresHeads } from "./postgres-heads.ts";
import { postgresLog } from "./postgres-log.ts";
import { postgresNotices } from "./postgres-notices.ts";
import { postgresTransfer } from "./postgres-transfer.ts";
import { areaValues, type StoreLocation, streamOfKey } from "./store-location.ts";

/**
 * One area of a project in PostgreSQL, shared by any number of processes. Views are made on request, or attached by the caller if there
 * is a work tree. Does not close the database.
 */
export function postgresStore(
  place: StoreLocation,
): Store & { readonly content: PostgresContent; readonly forgetting: Forgetting } {
  const log = postgresLog(place);
  const { database } = place;
  return {
    log,
    views: viewsOnRequest(log),
    content: postgresContent(place),
    heads: postgresHeads(place),
    notices: postgresNotices(place),
    forgetting: postgresForgetting(place),
    async activeBots() {
      const rows = await database.run(logStatements(database.schema).atWork, await areaValues(place));
      const streams = rows.map(({ desk: stream }) => streamOfKey(String(stream)));
      return [...new Set(streams.filter(({ kind }) => kind === "bot").map(({ name }) => name))];
    },
    openFor: log.openFor,
    transfer: postgresTransfer(place, log),
    close: log.close,
  };
}
