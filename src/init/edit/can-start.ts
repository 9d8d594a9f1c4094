import { isAbsolute } from "node:path";

/** Whether a server's entry can be started on this machine, as far as its paths tell: all of them must be there. */
export function canStart(entry: unknown, exists: (path: string) => boolean): boolean {
  if (typeof entry !== "object" || entry === null || !("command" in entry)) return false;
  const args: readonly unknown[] = "args" in entry && Array.isArray(entry.args) ? entry.args : [];
  return [entry.command, ...args].every((word) => typeof word !== "string" || !isAbsolute(word) || exists(word));
}
