import { Unavailable } from "../../kit/unavailable.ts";

/** An error that the user can fix, described in one sentence. */
export class UserError extends Error {}

/** Describes an error in one line for the user, with a stack only for unexpected errors. */
export function describeError(error: unknown): string {
  // Control characters in names or arguments must not move the cursor; line breaks stay.
  if (error instanceof UserError) return error.message.replaceAll(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ");
  if (error instanceof Unavailable) return `${error.message} ${error.fix}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
