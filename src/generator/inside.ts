import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Where a path leads once its links are followed, also where its last parts do not exist yet. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}
