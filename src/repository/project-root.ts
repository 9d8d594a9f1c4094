import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * The nearest folder upwards that holds `.waymark/`, else the one it begins with. Where there are several the nearest with
 * definitions is meant: a project area below the root holds the engine's own files alone.
 */
export function findRoot(from: string): string {
  const holding = foldersFrom(from).filter((folder) => isFolder(join(folder, ".waymark")));
  return holding.find(holdsDefinitions) ?? holding[0] ?? from;
}

/** A folder and all those above it. */
export function foldersFrom(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersFrom(above)];
}

/** Whether a folder stands at a path. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function holdsDefinitions(folder: string): boolean {
  return ["bots", "base_actions", "workflows", "standards", "config.json"].some((part) =>
    existsSync(join(folder, ".waymark", part)),
  );
}
