import { existsSync } from "node:fs";
import { dirname } from "node:path";

/** The folders above these files, below the ones named as top. */
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

/** Those of them that are not there yet: who makes them may take them away again. */
export function missingFolders(paths: readonly string[]): readonly string[] {
  return foldersAbove(paths, []).filter((folder) => !existsSync(folder));
}
