import { isAbsolute } from "node:path";
import type { Circumstances } from "./edited.ts";

/** Whether a line that calls our hook is a person's own way, which stays as long as it can be started; what init wrote follows the package. */
export function isOwnLine(line: string, { replace, exists, installed }: Circumstances): boolean {
  if (replace || (installed && line.startsWith("waymark hook"))) return false;
  return line.split(/[\s'"\\]+/).every((word) => !isAbsolute(word) || exists(word));
}
