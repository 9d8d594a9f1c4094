import { isAbsolute, relative, sep } from "node:path";
import { realPathOf } from "../stand.ts";

/** Tells whether a file that exists really lies in a folder, with every link on the way followed. */
export function isInside(folder: string, path: string): boolean {
  const [outer, inner] = [realPathOf(folder), realPathOf(path)];
  return outer !== undefined && inner !== undefined && liesIn(outer, inner);
}

/** The same of two paths without links. */
export function liesIn(outer: string, inner: string): boolean {
  const way = relative(outer, inner);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
