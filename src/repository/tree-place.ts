import { basename, isAbsolute, relative, sep } from "node:path";
import { closedFolder, pathsAsFileSystemsSee } from "../evidence/content-path.ts";

/**
 * Those of these folders in which a linked work tree can stand: not in git's own folder, ours or one of packages, and not around the main
 * one. It is no dot-folder, unless the main one is, and below one of another work tree only in a folder for work trees: what else lies there is no checkout.
 */
export function believedTrees(main: string, folders: readonly string[]): ReadonlySet<string> {
  const believed = new Set<string>();
  // One that holds another is judged first.
  for (const folder of [...folders].sort((one, other) => one.length - other.length)) {
    const isAround = partsBelow(folder, main) !== undefined;
    const isHidden = basename(folder).startsWith(".") && !basename(main).startsWith(".");
    const inside = [main, ...believed].flatMap((tree) => [partsBelow(tree, folder) ?? []]);
    if (!isAround && !isHidden && closedFolder(main, folder, sep) === undefined && inside.every(isForTrees))
      believed.add(folder);
  }
  return believed;
}

/** Whether a work tree can stand there in another one, by the names that lead to it. */
function isForTrees(parts: readonly string[]): boolean {
  const seen = pathsAsFileSystemsSee(parts, sep);
  const lastDot = seen.findLastIndex((part) => part.startsWith("."));
  return lastDot < 0 || seen.slice(lastDot, -1).some((part) => /(?:^|[._-])(?:work)?trees?$/.test(part));
}

/** The names that lead from a folder to a path below it, or none where it is that folder; undefined for any other path. */
function partsBelow(folder: string, path: string): readonly string[] | undefined {
  const parts = relative(folder, path).split(sep);
  return parts[0] === ".." || isAbsolute(parts.join(sep)) ? undefined : parts.filter((part) => part !== "");
}
