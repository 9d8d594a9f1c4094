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
import { type Change, type InitPlan, writesAnything } from "./change.ts";
import { missingFolders } from "./folders.ts";

/** Applies a plan whole or not at all; the first failing change rolls back those before it. */
export function applyPlan({ changes, notes, folders }: InitPlan): { readonly problem?: string } {
  const work = [...changes, ...notes].filter(writesAnything);
  const made = missingFolders(work.map(({ path }) => path));
  const done: Change[] = [];
  for (const change of work) {
    try {
      put(change.path, change.after, folders);
      done.push(change);
    } catch (error) {
      for (const { path, before } of done.reverse()) put(path, before, made);
      removeEmpty(dirname(change.path), made);
      const why = error instanceof Error ? error.message : String(error);
      return { problem: `${change.path} cannot be written (${why}). Nothing was changed.` };
    }
  }
  return {};
}

function put(path: string, text: string | undefined, folders: readonly string[]): void {
  if (text === undefined) {
    rmSync(path, { force: true });
    removeEmpty(dirname(path), folders);
    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  const status = statSync(path, { throwIfNoEntry: false });
  // Writes through a link, since dotfiles are often links.
  const target = status === undefined ? path : realpathSync(path);
  const beside = `${target}.waymark-${process.pid}`;
  try {
    writeFileSync(beside, text);
    if (status !== undefined) chmodSync(beside, status.mode);
    renameSync(beside, target);
  } finally {
    rmSync(beside, { force: true });
  }
}

function removeEmpty(folder: string, folders: readonly string[]): void {
  if (!folders.includes(folder)) return;
  if (statSync(folder, { throwIfNoEntry: false }) !== undefined) {
    if (readdirSync(folder).length > 0) return;
    rmdirSync(folder);
  }
  removeEmpty(dirname(folder), folders);
}
