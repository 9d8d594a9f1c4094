import { type BigIntStats, type Dirent, readdirSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { realPathSync } from "../../kit/real-path.ts";
import { assertInside } from "./inside-definitions.ts";
import { filesReadBy, recordRead } from "./recorded-reads.ts";

/** The stats of a path, and whether they are old enough to detect later changes. */
export type FileStat = {
  readonly stats: BigIntStats;
  /** False just after a change, when another change could have the same file time; such stats are not cached. */
  readonly isSettled: boolean;
};

/** A path's entry in the snapshot, as far as it was loaded. */
export type FileEntry = Partial<FileStat> & {
  /** The error that prevented the stat. */
  readonly error?: unknown;
  readonly isLink?: boolean;
  readonly text?: string;
  readonly entries?: readonly Dirent[];
  /** The real path behind its links; null if they lead nowhere. */
  readonly real?: string | null;
  /** The error that prevented loading text or entries. */
  readonly loadError?: unknown;
};

/** A property of a path that can be requested. */
export type EntryPart = "stats" | "text" | "entries" | "real";

/** The loaded entries, and the ones found missing. */
export type LoadedEntries = {
  find(path: string): FileEntry | undefined;
  readonly wanted: Map<string, EntryPart>;
  readonly seen: Set<string>;
};

/** The entries to read from; null means the disk. */
let loadedEntries: LoadedEntries | null = null;

/** Runs a function on loaded entries; missing ones are recorded and treated as absent. */
export function runOnEntries<T>(from: LoadedEntries, make: () => T): T {
  const outer = loadedEntries;
  loadedEntries = from;
  try {
    return make();
  } finally {
    loadedEntries = outer;
  }
}

/** The definitions folder that is being read from disk. */
let home: Home | null = null;

/** A definitions folder with the stats taken so far, each once. */
type Home = { readonly folder: string; readonly sights: Map<string, FileStat | undefined> };

/** Runs a function on the definitions folder as it is on disk; links out of it are not followed. */
export function runInFolder<T>(folder: string, make: () => T): T {
  const outer = home;
  if (outer?.folder !== resolve(folder)) home = { folder: resolve(folder), sights: new Map() };
  try {
    return make();
  } finally {
    home = outer;
  }
}

/** Caches a function while a definitions folder is being read, and replays the reads for a recorder. */
export function cacheInFolder<A extends readonly unknown[], T>(make: (...args: A) => T): (...args: A) => T {
  type Made = { readonly value: T; readonly reads: ReadonlySet<string> };
  let kept: { readonly home: Home; readonly made: Map<string, Made> } | undefined;
  return (...args) => {
    if (home === null || loadedEntries !== null) return make(...args);
    if (kept?.home !== home) kept = { home, made: new Map() };
    const key = JSON.stringify(args);
    const made = kept.made.get(key) ?? filesReadBy(() => make(...args));
    kept.made.set(key, made);
    for (const path of made.reads) recordRead(path);
    return made.value;
  };
}

/** The stats of a path; undefined if it does not exist. Throws any other error. */
export function statOf(path: string): FileStat | undefined {
  if (loadedEntries === null) return statOnDisk(path);
  loadedEntries.seen.add(path);
  const entry = loadedEntries.find(path);
  if (entry === undefined) loadedEntries.wanted.set(path, "stats");
  else if (entry.error !== undefined && !isMissingError(entry.error)) throw entry.error;
  return entry?.stats === undefined ? undefined : { stats: entry.stats, isSettled: entry.isSettled === true };
}

function statOnDisk(path: string): FileStat | undefined {
  if (home?.sights.has(path)) return home.sights.get(path);
  if (home !== null) assertInside(home.folder, path);
  const at = Date.now();
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  const stat = stats === undefined ? undefined : statAt(stats, at);
  home?.sights.set(path, stat);
  return stat;
}

/** The text of a file; undefined if it is not loaded yet. */
export function loadedText(path: string): string | undefined {
  if (loadedEntries === null) return readFileSync(path, "utf8");
  return fetched(path, "text")?.text;
}

/** The entries of a folder; undefined if they are not loaded yet. */
export function loadedFolder(path: string): readonly Dirent[] | undefined {
  if (loadedEntries === null) return readdirSync(path, { withFileTypes: true });
  return fetched(path, "entries")?.entries;
}

/** True if the entries of a folder are loaded. */
export function isFolderLoaded(path: string): boolean {
  return loadedEntries === null || loadedEntries.find(path)?.entries !== undefined;
}

/** The real path behind all links; undefined if there is none or it is not loaded yet. */
export function loadedRealPath(path: string): string | undefined {
  return loadedEntries === null ? realPathSync(path) : (fetched(path, "real")?.real ?? undefined);
}

function fetched(path: string, want: "text" | "entries" | "real"): FileEntry | undefined {
  loadedEntries?.seen.add(path);
  const entry = loadedEntries?.find(path);
  if (entry?.loadError !== undefined && want !== "real") throw entry.loadError;
  if (entry?.[want] === undefined) loadedEntries?.wanted.set(path, want);
  return entry;
}

/** True for an error that means the path does not exist, for example deleted between stat and read. */
export function isMissingError(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}

/** True if a file has not changed since earlier stats. */
export function isUnchanged(before: BigIntStats, now: BigIntStats): boolean {
  return (
    before.ino === now.ino &&
    before.size === now.size &&
    before.mtimeNs === now.mtimeNs &&
    before.ctimeNs === now.ctimeNs &&
    before.dev === now.dev
  );
}

/** Stats taken at a time in milliseconds. */
export function statAt(stats: BigIntStats, at: number): FileStat {
  const { ctimeMs, mtimeMs } = stats;
  return { stats, isSettled: at - Math.max(Number(ctimeMs), Number(mtimeMs)) > 100 };
}
