import { lstatSync } from "node:fs";
import { faultCode } from "./faults.ts";
import { keepSole } from "./sole-name.ts";
import { InTheWay, keepClear } from "./way.ts";

/** Says, a sentence each, what stands in the way where only files and folders of ours may. */
export function strangersAt(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.flatMap(strangerOn))];
}

function strangerOn(path: string): string[] {
  try {
    keepClear(path);
    keepSole(path, () => lstatSync(path, { bigint: true, throwIfNoEntry: false }));
    return [];
  } catch (error) {
    if (error instanceof InTheWay) return [error.message];
    if (faultCode(error) === undefined) throw error;
    return []; // what cannot be looked at is reported by whoever needs it
  }
}
