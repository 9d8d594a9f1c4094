import { existsSync } from "node:fs";
import { dirname, relative } from "node:path";
import { isPathInside } from "../../kit/is-path-inside.ts";
import type { HostContext } from "../host.ts";

/** The folders of these files, below the given top folders. */
export function foldersAbove(paths: readonly string[], tops: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const path of paths) {
    let folder = dirname(path);
    while (!tops.includes(folder) && dirname(folder) !== folder && !found.has(folder)) {
      found.add(folder);
      folder = dirname(folder);
    }
  }
  return [...found];
}

/** The folders that do not exist yet, so that their creator may remove them again. */
export function missingFolders(paths: readonly string[]): readonly string[] {
  return foldersAbove(paths, []).filter((folder) => !existsSync(folder));
}

/** A path as people read it: relative to the project, or to the home folder. */
export function shortPath(path: string, { root, home }: Pick<HostContext, "root" | "home">): string {
  if (isPathInside(root, path)) return relative(root, path).replaceAll("\\", "/");
  return isPathInside(home, path) ? `~/${relative(home, path).replaceAll("\\", "/")}` : path;
}
