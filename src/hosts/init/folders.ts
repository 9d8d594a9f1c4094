import { existsSync } from "node:fs";
import { dirname } from "node:path";

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
