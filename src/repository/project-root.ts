import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * The nearest folder upwards with `.waymark/` and definitions, else the nearest with `.waymark/`, else `from`; a project area below the
 * root holds only the engine's files.
 */
export function findRoot(from: string): string {
  const holding = foldersFrom(from).filter((folder) => isFolder(join(folder, ".waymark")));
  return holding.find(holdsDefinitions) ?? holding[0] ?? from;
}

/** A folder and all its ancestors. */
export function foldersFrom(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersFrom(above)];
}

/** Tells if a path is a folder. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function holdsDefinitions(folder: string): boolean {
  return ["bots", "base_actions", "workflows", "standards", "config.json"].some((part) =>
    existsSync(join(folder, ".waymark", part)),
  );
}
