import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder and its ancestors and returns the topmost missing one. Node's own function never ends where a system calls a lack of
 * room "not found", as under /proc.
 */
export function makeFolders(folder: string, mode = 0o777): string | undefined {
  const missing: string[] = [];
  for (let at = folder; statSync(at, { throwIfNoEntry: false }) === undefined; at = dirname(at)) {
    missing.unshift(at);
    if (at === dirname(at)) break;
  }
  let made: string | undefined;
  for (const one of missing) if (makeOne(one, mode)) made ??= one;
  if (!statSync(folder).isDirectory()) throw Object.assign(new Error(`${folder} is not a folder`), { code: "ENOTDIR" });
  return made;
}

/** False if another process was faster. */
function makeOne(folder: string, mode: number): boolean {
  try {
    mkdirSync(folder, { mode });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}
