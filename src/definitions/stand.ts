import { type BigIntStats, type Dirent, readdirSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { realPathSync } from "../paths/real-path.ts";
import { keepInside } from "./home.ts";
import { noteRead, readsDuring } from "./reads.ts";

/** The stats of a path, and whether they tell what came before from what comes after. */
export type Sight = {
  readonly stats: BigIntStats;
  /** File times tick in milliseconds: what had changed just before the look may have changed again under the same time, and is not kept. */
  readonly isSettled: boolean;
};

/** What stands at a path, as far as it was looked at. */
export type Stand = Partial<Sight> & {
  /** Why there are no stats. */
  readonly error?: unknown;
  readonly isLink?: boolean;
  readonly text?: string;
  readonly entries?: readonly Dirent[];
  /** Where its links lead; null where they lead nowhere. */
  readonly real?: string | null;
  /** Why text or entries could not be had. */
  readonly loadError?: unknown;
};

/** What is wanted of a path. */
export type Want = "stats" | "text" | "entries" | "real";

/** What was looked at beforehand, and what turns out to be missing. */
export type Looked = {
  find(path: string): Stand | undefined;
  readonly wanted: Map<string, Want>;
  readonly seen: Set<string>;
};

/** What is read from while something is made; nobody's: the disk itself. */
let looked: Looked | null = null;

/** Makes something from what was looked at beforehand: what is missing is noted, and taken for absent. */
export function readWith<T>(from: Looked, make: () => T): T {
  const outer = looked;
  looked = from;
  try {
    return make();
  } finally {
    looked = outer;
  }
}

/** The folder of definitions that is read from the disk itself, where somebody said so. */
let home: Home | null = null;

/** A folder, and what was seen in it: while something is made of it, it is looked at once. */
type Home = { readonly folder: string; readonly sights: Map<string, Sight | undefined> };

/** Makes something of the definitions in a folder, as they stand on disk; links out of it are not followed. */
export function readInside<T>(folder: string, make: () => T): T {
  const outer = home;
  if (outer?.folder !== resolve(folder)) home = { folder: resolve(folder), sights: new Map() };
  try {
    return make();
  } finally {
    home = outer;
  }
}

/** Makes something anew each time, but while the definitions in a folder are read: then once, and who watches what is read hears of it again. */
export function onceInside<A extends readonly unknown[], T>(make: (...args: A) => T): (...args: A) => T {
  type Made = { readonly value: T; readonly reads: ReadonlySet<string> };
  let kept: { readonly home: Home; readonly made: Map<string, Made> } | undefined;
  return (...args) => {
    if (home === null || looked !== null) return make(...args);
    if (kept?.home !== home) kept = { home, made: new Map() };
    const key = JSON.stringify(args);
    const made = kept.made.get(key) ?? readsDuring(() => make(...args));
    kept.made.set(key, made);
    for (const path of made.reads) noteRead(path);
    return made.value;
  };
}

/** What is seen at a path; undefined where nothing stands there. Throws what keeps one from looking. */
export function sightOf(path: string): Sight | undefined {
  if (looked === null) return sightNow(path);
  looked.seen.add(path);
  const stand = looked.find(path);
  if (stand === undefined) looked.wanted.set(path, "stats");
  else if (stand.error !== undefined && !isGone(stand.error)) throw stand.error;
  return stand?.stats === undefined ? undefined : { stats: stand.stats, isSettled: stand.isSettled === true };
}

function sightNow(path: string): Sight | undefined {
  if (home?.sights.has(path)) return home.sights.get(path);
  if (home !== null) keepInside(home.folder, path);
  const at = Date.now();
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  const sight = stats === undefined ? undefined : seen(stats, at);
  home?.sights.set(path, sight);
  return sight;
}

/** The whole of a file as text; undefined where it has yet to be fetched. */
export function textOf(path: string): string | undefined {
  if (looked === null) return readFileSync(path, "utf8");
  return fetched(path, "text")?.text;
}

/** What is in a folder; undefined where it has yet to be fetched. */
export function entriesOf(path: string): readonly Dirent[] | undefined {
  if (looked === null) return readdirSync(path, { withFileTypes: true });
  return fetched(path, "entries")?.entries;
}

/** Whether it is known what is in a folder: whoever asked before may have asked for somebody else. */
export function hasEntries(path: string): boolean {
  return looked === null || looked.find(path)?.entries !== undefined;
}

/** Where a path leads once its links are followed; undefined where it leads nowhere, or has yet to be fetched. */
export function realPathOf(path: string): string | undefined {
  return looked === null ? realPathSync(path) : (fetched(path, "real")?.real ?? undefined);
}

function fetched(path: string, want: "text" | "entries" | "real"): Stand | undefined {
  looked?.seen.add(path);
  const stand = looked?.find(path);
  if (stand?.loadError !== undefined && want !== "real") throw stand.loadError;
  if (stand?.[want] === undefined) looked?.wanted.set(path, want);
  return stand;
}

/** Gone between looking and reading, or a path that leads through a file. */
export function isGone(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}

/** Tells whether a file is the one that was looked at before. */
export function isUnchanged(before: BigIntStats, now: BigIntStats): boolean {
  return (
    before.ino === now.ino &&
    before.size === now.size &&
    before.mtimeNs === now.mtimeNs &&
    before.ctimeNs === now.ctimeNs &&
    before.dev === now.dev
  );
}

/** What was seen at a time, in milliseconds. */
export function seen(stats: BigIntStats, at: number): Sight {
  const { ctimeMs, mtimeMs } = stats;
  return { stats, isSettled: at - Math.max(Number(ctimeMs), Number(mtimeMs)) > 100 };
}
