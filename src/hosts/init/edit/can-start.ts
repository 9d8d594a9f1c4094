import { isAbsolute } from "node:path";

/** True if all paths in a server's entry exist on this machine. */
export function canStart(entry: unknown, exists: (path: string) => boolean): boolean {
  if (typeof entry !== "object" || entry === null || !("command" in entry)) return false;
  const args: readonly unknown[] = "args" in entry && Array.isArray(entry.args) ? entry.args : [];
  return [entry.command, ...args].every((word) => typeof word !== "string" || !isAbsolute(word) || exists(word));
}
