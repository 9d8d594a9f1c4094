/** Something a user can mend, said in one sentence. */
export class UserFault extends Error {}

/** One line for whoever ran the command; a stack only for what we did not expect. */
export function describeFault(error: unknown): string {
  if (error instanceof UserFault) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
