import { isAbsolute, relative, sep } from "node:path";
import { realPathOf } from "../stand.ts";

/** Tells whether a file that exists really lies in a folder, with every link on the way followed. */
export function isInside(folder: string, path: string): boolean {
  const [outer, inner] = [realPathOf(folder), realPathOf(path)];
  if (outer === undefined || inner === undefined) return false;
  const way = relative(outer, inner);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
