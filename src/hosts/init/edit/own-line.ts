import { isAbsolute } from "node:path";
import type { EntryFacts } from "./edit-result.ts";

/** True for a hook line that a person wrote and that can still start; lines from init follow the package. */
export function isOwnLine(line: string, { replace, exists, installed }: EntryFacts): boolean {
  if (replace || (installed && line.startsWith("waymark hook"))) return false;
  return line.split(/[\s'"\\]+/).every((word) => !isAbsolute(word) || exists(word));
}
