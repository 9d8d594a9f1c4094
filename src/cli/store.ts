import { type OpenedPostgres, openPostgres } from "../compose-postgres.ts";
import { namePattern } from "../http/token-record.ts";
import { UserFault } from "./fault.ts";

/** Opens the database that `--store` names; a command lets its connections go soon after the last answer, so that it can end. */
export function storeFor(url: string, project: string | undefined, isServer: boolean): OpenedPostgres {
  if (project !== undefined && !namePattern.test(project))
    throw new UserFault("--project has at most 64 letters, digits and ._-, and begins with a letter or a digit.");
  try {
    return openPostgres(url, isServer ? {} : { idle: 0.2, connections: 3 });
  } catch (error) {
    throw new UserFault(`--store: ${error instanceof Error ? error.message : error}`);
  }
}
