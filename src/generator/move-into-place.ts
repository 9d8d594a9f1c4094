import { existsSync, mkdirSync, renameSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { markFile } from "../kit/generated-mark.ts";
import type { PackageFolder } from "./package-folder.ts";

/** Moves a finished package into place by renaming, or restores everything as it was. */
export function moveIntoPlace(draft: string, aside: string, entries: readonly string[], place: PackageFolder): void {
  if (place.mark === undefined && isFree(place)) {
    renameSync(draft, place.folder);
    return;
  }
  mkdirSync(aside);
  const undo: (() => void)[] = [];
  const move = (from: string, to: string): void => {
    renameSync(from, to);
    undo.unshift(() => renameSync(to, from));
  };
  try {
    const earlier = [...(place.mark?.files.keys() ?? [])].map(topOf);
    for (const name of new Set([...earlier, ...entries.map(topOf)])) {
      const target = join(place.folder, name);
      if (existsSync(target)) move(target, join(aside, name));
      const next = join(draft, name);
      if (existsSync(next)) move(next, target);
    }
  } catch (error) {
    restore(undo, aside, error);
    throw error;
  }
}

function restore(undo: readonly (() => void)[], aside: string, cause: unknown): void {
  try {
    for (const back of undo) back();
    rmdirSync(aside);
  } catch {
    throw new Error(`The earlier package could not be fully restored. The missing files are in ${aside}.`, { cause });
  }
}

/** Removes an empty folder, so that the package can take its name in one step. */
function isFree({ folder, exists }: PackageFolder): boolean {
  if (!exists) return true;
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false; // it has files that stay
  }
}

function topOf(path: string): string {
  return path.split("/")[0] ?? markFile;
}
