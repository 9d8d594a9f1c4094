import { type BigIntStats, promises } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type { FileContent, FileEntry } from "../../engine/ports/definition-snapshot.ts";
import { isPathInside } from "../../kit/is-path-inside.ts";
import { isResourceShortage } from "../../kit/out-of-resources.ts";
import { realPath } from "../../kit/real-path.ts";

export type FolderReading = {
  /** The names in the folder that are read. */
  readonly parts: readonly string[];
  /** The names that are listed too, like those of all files. */
  readonly listed?: readonly string[];
  /** True if texts are read too. */
  readonly withText: boolean;
  /** Names further files of the folder that a file needs. */
  readonly needs?: (folder: string, path: string, text: string) => readonly string[];
};

/** Reads parts of a folder, a few files at a time; a file that has not changed since an earlier reading is not read again. */
export async function readFolder(
  folder: string,
  { parts, listed: more = [], withText, needs }: FolderReading,
  before?: ReadonlyMap<string, FileEntry>,
): Promise<ReadonlyMap<string, FileEntry>> {
  const entries = new Map<string, FileEntry>();
  const visited = new Set<string>();
  const limited = fewAtOnce();
  const home = await realHome(folder);
  const known = new Set([...parts, ...more]);

  async function visit(path: string): Promise<void> {
    if (visited.has(path)) return;
    visited.add(path);
    const at = Date.now();
    const stats = await limited(() => promises.lstat(path, { bigint: true }).catch(problemOf));
    if (stats === undefined) return;
    if (typeof stats === "string") entries.set(path, { kind: "other", problem: stats });
    else if (stats.isSymbolicLink()) await visitLink(path);
    else if (stats.isDirectory()) await visitFolder(path);
    else if (stats.isFile()) await visitFile(path, stats, at);
    else entries.set(path, { kind: "other", problem: "it is not a file" });
  }

  async function visitFolder(path: string): Promise<void> {
    const listed = await limited(() => promises.readdir(path, { withFileTypes: true }).catch(problemOf));
    if (listed === undefined) return;
    const isProblem = typeof listed === "string";
    const kept = isProblem ? [] : listed.filter((one) => path !== folder || one.isFile() || known.has(one.name));
    const names = kept.map(({ name }) => name).sort();
    entries.set(path, { kind: "folder", names, ...(isProblem ? { problem: listed } : {}) });
    const visible = names.filter((name) => (path === folder ? parts.includes(name) : !passedOver.includes(name)));
    await Promise.all(visible.map((name) => visit(join(path, name))));
  }

  async function visitLink(path: string): Promise<void> {
    const found = await limited(() => promises.realpath(path).then((real) => ({ real }), problemOf));
    if (found === undefined) entries.set(path, { kind: "link", to: undefined });
    else if (typeof found === "string") entries.set(path, { kind: "other", problem: found });
    else if (!isPathInside(home, found.real)) entries.set(path, await outside(path, found.real));
    else {
      const to = join(folder, relative(home, found.real));
      entries.set(path, { kind: "link", to });
      await visit(to);
    }
  }

  async function visitFile(path: string, stats: BigIntStats, at: number): Promise<void> {
    const known = before?.get(path);
    const now = contentOf(stats, at);
    const isKnown = known?.kind === "file" && known.isSettled && known.stamp === now.stamp;
    const file = isKnown ? known : withText && now.size <= largest ? await readWhole(path, now) : now;
    entries.set(path, file);
    for (const one of file.needs ?? []) await visit(one);
  }

  async function readWhole(path: string, file: FileContent): Promise<FileContent> {
    const read = await limited(() => textAt(path));
    const named = read.text === undefined ? [] : (needs?.(folder, path, read.text) ?? []);
    const inside = named.filter((one) => one !== folder && isPathInside(folder, one));
    return { ...file, ...read, ...(inside.length === 0 ? {} : { needs: inside }) };
  }

  const real = await realPath(folder);
  if (real !== undefined && !isPathInside(home, real)) entries.set(folder, await outside(folder, real));
  else if (real !== undefined) await visitFolder(folder);
  return entries;
}

/** The size of the largest file that is read. */
export const largest = 8 * 1024 * 1024;
const passedOver = [".git", "node_modules"];
const ownName = ".waymark";

/** The definitions folder may be a link if a person named it, but not if it is a `.waymark`. */
async function realHome(folder: string): Promise<string> {
  const named = basename(folder) === ownName ? dirname(folder) : folder;
  const real = (await realPath(named)) ?? named;
  return named === folder ? real : join(real, ownName);
}

async function outside(path: string, to: string): Promise<FileEntry> {
  const stats = await promises.stat(path).catch(problemOf);
  const isFolder = typeof stats === "object" && stats.isDirectory();
  return { kind: "outside", to, isFolder, problem: outsideProblem };
}

/** A link out of the folder is not followed because its target is not the author's. */
const outsideProblem = "it is a link, or behind a link, to a place outside the definitions folder and is not followed";

function contentOf(stats: BigIntStats, at: number): FileContent {
  const { dev, ino, size, mtimeNs, ctimeNs, mtimeMs, ctimeMs } = stats;
  const changed = Math.max(Number(ctimeMs), Number(mtimeMs));
  const stamp = [dev, ino, size, mtimeNs, ctimeNs].join(" ");
  return { kind: "file", size: Number(size), stamp, changed, isSettled: at - changed > 100 };
}

async function textAt(path: string): Promise<Pick<FileContent, "text" | "problem">> {
  try {
    return { text: (await promises.readFile(path, "utf8")).replace(/^\uFEFF/, "") };
  } catch (error) {
    const problem = problemOf(error);
    return problem === undefined ? {} : { problem };
  }
}

/** The reason that a path cannot be read; undefined if nothing is there. Throws a shortage of the machine, which says nothing about the path. */
function problemOf(error: unknown): string | undefined {
  if (isResourceShortage(error)) throw error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
  return code === "ENOENT" || code === "ENOTDIR" ? undefined : `it cannot be read (${code})`;
}

/** The number of files open at a time; systems allow a few hundred. */
const mostOpen = 64;

/** Creates a function that runs tasks a few at a time. */
function fewAtOnce(): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = mostOpen;
  return async (task) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
