import { Unavailable } from "../evidence/unavailable.ts";

/** Something a user can mend, said in one sentence. */
export class UserFault extends Error {}

/** One line for whoever ran the command; a stack only for what we did not expect. */
export function describeFault(error: unknown): string {
  // What a name or an argument holds does not move a terminal's cursor; the lines of a message stay.
  if (error instanceof UserFault) return error.message.replaceAll(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ");
  if (error instanceof Unavailable) return `${error.message} ${error.fix}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
