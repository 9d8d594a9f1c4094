import { existsSync, mkdirSync, renameSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { markFile } from "../evidence/generated-mark.ts";
import type { Place } from "./place.ts";

/** Puts a finished package in its place: the old parts out and the new ones in by renaming, or everything back as it was. */
export function moveIn(draft: string, aside: string, entries: readonly string[], place: Place): void {
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
    putBack(undo, aside, error);
    throw error;
  }
}

function putBack(undo: readonly (() => void)[], aside: string, cause: unknown): void {
  try {
    for (const back of undo) back();
    rmdirSync(aside);
  } catch {
    throw new Error(`The earlier package could not be put back whole; what is missing stands in ${aside}.`, { cause });
  }
}

/** Takes an empty folder away, so that the whole package can take its name in one step. */
function isFree({ folder, exists }: Place): boolean {
  if (!exists) return true;
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false; // it holds files that stay
  }
}

function topOf(path: string): string {
  return path.split("/")[0] ?? markFile;
}
