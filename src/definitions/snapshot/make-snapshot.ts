import { basename, dirname, join, resolve } from "node:path";
import type { DefinitionSnapshot, FileEntry } from "../../engine/ports/definition-snapshot.ts";

/** Makes the snapshot of a folder from its entries by absolute path. */
export function makeSnapshot(
  folder: string,
  entries: ReadonlyMap<string, FileEntry>,
  version: number,
): DefinitionSnapshot {
  const made = new Map<string, unknown>();
  const find = (path: string): FileEntry | undefined => {
    const real = follow(entries, resolve(path));
    return real === undefined ? undefined : entries.get(real);
  };
  return {
    folder,
    version,
    entries,
    find,
    realPath(path) {
      const real = follow(entries, resolve(path));
      const entry = real === undefined ? undefined : entries.get(real);
      return entry?.kind === "outside" ? entry.to : real;
    },
    derived<T>(key: string, make: () => T) {
      if (!made.has(key)) made.set(key, make());
      return made.get(key) as T;
    },
  };
}

/** The path of the entry that a path leads to; a link out of the folder is the end of the way. */
function follow(entries: ReadonlyMap<string, FileEntry>, path: string): string | undefined {
  const entry = entries.get(path);
  if (entry !== undefined) return entry.kind === "link" ? entry.to : path;
  const above = dirname(path);
  const real = above === path ? undefined : follow(entries, above);
  if (real === undefined || entries.get(real)?.kind === "outside") return real;
  return real === above ? undefined : follow(entries, join(real, basename(path)));
}
