import { basename, isAbsolute, relative, sep } from "node:path";
import { foldPaths } from "../kit/fold-names.ts";
import { closedFolderBetween } from "../kit/portable-path.ts";

/**
 * The folders where a linked work tree is allowed: not in git's folder, ours or installed packages, not around the main one, not in a
 * dot-folder unless the main one is; inside another work tree only in a folder for work trees.
 */
export function allowedWorkTrees(main: string, folders: readonly string[]): ReadonlySet<string> {
  const trusted = new Set<string>();
  // A folder that contains another is judged first.
  for (const folder of [...folders].sort((one, other) => one.length - other.length)) {
    const isAround = partsBelow(folder, main) !== undefined;
    const isHidden = basename(folder).startsWith(".") && !basename(main).startsWith(".");
    const inside = [main, ...trusted].flatMap((tree) => [partsBelow(tree, folder) ?? []]);
    if (
      !isAround &&
      !isHidden &&
      closedFolderBetween(main, folder, sep) === undefined &&
      inside.every(isWorkTreeFolder)
    )
      trusted.add(folder);
  }
  return trusted;
}

/** Tells if a work tree is allowed at this path inside another one. */
function isWorkTreeFolder(parts: readonly string[]): boolean {
  const seen = foldPaths(parts, sep);
  const lastDot = seen.findLastIndex((part) => part.startsWith("."));
  return lastDot < 0 || seen.slice(lastDot, -1).some((part) => /(?:^|[._-])(?:work)?trees?$/.test(part));
}

/** The path segments from a folder to a path below it, empty if equal; undefined for other paths. */
function partsBelow(folder: string, path: string): readonly string[] | undefined {
  const parts = relative(folder, path).split(sep);
  return parts[0] === ".." || isAbsolute(parts.join(sep)) ? undefined : parts.filter((part) => part !== "");
}
