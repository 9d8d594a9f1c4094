import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { DefinitionSnapshot, FileEntry } from "../../engine/ports/definition-snapshot.ts";
import { isPathInside } from "../../kit/is-path-inside.ts";
import { makeSnapshot } from "./make-snapshot.ts";

/** Reads a definitions folder whole and at once, with no regard to its parts. */
export function filesOf(named: string): DefinitionSnapshot {
  const folder = resolve(named);
  const entries = new Map<string, FileEntry>();
  const isOwn = basename(folder) === ".waymark";
  const real = attempt(() => realpathSync.native(isOwn ? dirname(folder) : folder)) ?? folder;
  const home = isOwn ? join(real, ".waymark") : real;
  const visit = (path: string): void => {
    if (entries.has(path)) return;
    const stats = attempt(() => (path === folder ? statSync(path) : lstatSync(path)));
    if (stats === undefined) return;
    if (stats.isSymbolicLink() || path === folder) {
      const target = attempt(() => realpathSync.native(path));
      if (target === undefined && isCircular(path)) {
        entries.set(path, { kind: "other", problem: "it cannot be read (ELOOP)" });
        return;
      }
      if (target !== undefined && !isPathInside(home, target)) {
        const isFolder = statSync(path).isDirectory();
        const problem = "it is a link, or behind a link, to a place outside the definitions folder and is not followed";
        entries.set(path, { kind: "outside", to: target, isFolder, problem });
        return;
      }
      if (path !== folder) {
        const to = target === undefined ? undefined : join(folder, relative(home, target));
        entries.set(path, { kind: "link", to });
        if (to !== undefined) visit(to);
        return;
      }
    }
    if (stats.isDirectory()) {
      const names = attempt(() => readdirSync(path));
      const problem = names === undefined ? { problem: "it cannot be read (EACCES)" } : {};
      entries.set(path, { kind: "folder", names: [...(names ?? [])].sort(), ...problem });
      for (const name of names ?? []) visit(join(path, name));
    } else if (stats.isFile()) {
      const text = stats.size > 8 * 1024 * 1024 ? undefined : attempt(() => readFileSync(path, "utf8"));
      const read =
        text === undefined ? { problem: "it cannot be read (EACCES)" } : { text: text.replace(/^\uFEFF/, "") };
      entries.set(path, { kind: "file", size: stats.size, stamp: "", changed: 0, isSettled: true, ...read });
    } else entries.set(path, { kind: "other", problem: "it is not a file" });
  };
  visit(folder);
  return makeSnapshot(folder, entries, 0);
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function isCircular(path: string): boolean {
  try {
    return statSync(path) === undefined;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ELOOP";
  }
}
