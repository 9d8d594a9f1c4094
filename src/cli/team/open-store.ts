import { type OpenedPostgres, openPostgres } from "../../app/postgres.ts";
import { namePattern } from "../../http/token-record.ts";
import { UserError } from "../terminal/user-error.ts";

/** Opens the database of `--store`; a command closes its connections soon after the last answer, so that it can end. */
export function openStore(
  url: string,
  project: string | undefined,
  isServer: boolean,
  more: { readonly patience?: number } = {},
): OpenedPostgres {
  if (project !== undefined && !namePattern.test(project))
    throw new UserError("--project must be at most 64 letters, digits and ._-, starting with a letter or a digit.");
  try {
    return openPostgres(url, isServer ? {} : { idle: 0.2, connections: 3, ...more });
  } catch (error) {
    throw new UserError(`--store: ${error instanceof Error ? error.message : error}`);
  }
}
