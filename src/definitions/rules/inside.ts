import { realpathSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";

/** Tells whether a file that exists really lies in a folder, with every link on the way followed. */
export function isInside(folder: string, path: string): boolean {
  try {
    const way = relative(realpathSync(folder), realpathSync(path));
    return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  } catch {
    return false;
  }
}
