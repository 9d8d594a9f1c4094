import path from "node:path";

/** What of `node:path` tells whether one path lies in another; that of another system, where its paths are meant. */
type PathRules = Pick<path.PlatformPath, "isAbsolute" | "relative" | "sep">;

/** Whether a path is a folder or lies somewhere in it. Both are whole paths and taken as they are written: no link is followed. */
export function liesIn(folder: string, inner: string, { isAbsolute, relative, sep }: PathRules = path): boolean {
  const way = relative(folder, inner);
  // A name may begin with two dots. From one drive of Windows to another there is no way but the whole path.
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
