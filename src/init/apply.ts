import {
  chmodSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { type Change, isWork } from "./change.ts";

/** Makes all changes, or none: the first that fails takes back those before it. */
export function applyChanges(changes: readonly Change[], stopAt: readonly string[]): { readonly problem?: string } {
  const done: Change[] = [];
  for (const change of changes.filter(isWork)) {
    try {
      put(change.path, change.after, stopAt);
      done.push(change);
    } catch (error) {
      for (const { path, before } of done.reverse()) put(path, before, stopAt);
      const why = error instanceof Error ? error.message : String(error);
      return { problem: `${change.path} cannot be written (${why}). Nothing was changed.` };
    }
  }
  return {};
}

function put(path: string, text: string | undefined, stopAt: readonly string[]): void {
  if (text === undefined) {
    rmSync(path, { force: true });
    removeEmptyFolders(dirname(path), stopAt);
    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  const standing = statSync(path, { throwIfNoEntry: false });
  // Through a link to the file it names: dotfiles are often links.
  const target = standing === undefined ? path : realpathSync(path);
  const beside = `${target}.waymark-${process.pid}`;
  try {
    writeFileSync(beside, text);
    if (standing !== undefined) chmodSync(beside, standing.mode);
    renameSync(beside, target);
  } finally {
    rmSync(beside, { force: true });
  }
}

function removeEmptyFolders(folder: string, stopAt: readonly string[]): void {
  if (stopAt.includes(folder) || dirname(folder) === folder) return;
  if (statSync(folder, { throwIfNoEntry: false }) !== undefined) {
    if (readdirSync(folder).length > 0) return;
    rmdirSync(folder);
  }
  removeEmptyFolders(dirname(folder), stopAt);
}
