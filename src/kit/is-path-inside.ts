import path from "node:path";

/** The parts of `node:path` needed here, for this or another system. */
type PathRules = Pick<path.PlatformPath, "isAbsolute" | "relative" | "sep">;

/** Tells if a path is a folder or inside it; compares absolute paths as written, without following links. */
export function isPathInside(folder: string, inner: string, { isAbsolute, relative, sep }: PathRules = path): boolean {
  const way = relative(folder, inner);
  // A name may begin with two dots, and between Windows drives the relative path is absolute.
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
