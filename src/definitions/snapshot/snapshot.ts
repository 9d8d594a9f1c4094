import { type BigIntStats, type Dirent, lstat, promises } from "node:fs";
import { dirname, resolve } from "node:path";
import { isResourceShortage } from "../../kit/out-of-resources.ts";
import { type EntryPart, type FileEntry, isUnchanged, runOnEntries, statAt } from "./file-entry.ts";
import { checkInside, type RealPathCache, realPathCache } from "./inside-definitions.ts";

/** Reports changes in folders, on systems that can. */
export type FolderWatch = {
  /** Watches these folders from now on. */
  cover(folders: readonly string[]): unknown;
  /** The number of changes heard so far; NaN if something is not watched. */
  changes(): Promise<number>;
};

/** A snapshot of files that stays current without blocking. */
export type DefinitionSnapshot = {
  /** Starts a call; anything verified after this needs no second check during it. */
  begin(): void;
  /** Runs a read-only function on files, and runs it again until every file it needs is loaded. */
  read<T>(key: string, make: () => T): Promise<T>;
  /** Runs a function like `read`, and caches the result until a file it used changes. */
  remember<T>(key: string, make: () => T): Promise<T>;
};

/** Some systems miss changes (network folders), so everything is checked again after this many milliseconds. */
const longestTrust = 2000;
/** Watching starts after the first answers, so that it does not delay them. */
const untilListening = 250;
const maxEntries = 20_000;

/** Opens a snapshot; without a watcher every file is checked each time. Links out of `home` are not followed. */
export function openSnapshot(watch?: FolderWatch, home?: string): DefinitionSnapshot {
  const known = new Map<string, CheckedEntry>();
  const looked = new Map<string, Set<string>>();
  const made = new Map<string, CachedResult>();
  const making = new Map<string, Promise<unknown>>();
  /** The number of changes found so far, and the last one of each path. */
  let found = 0;
  const changed = new Map<string, number>();
  /** The folders that are watched, and the paths they were chosen for. */
  let watched: ReadonlySet<string> = none;
  let heard: ReadonlySet<string> = none;
  /** The start of the current call; if never set, everything is checked each time. */
  let begunAt = Number.POSITIVE_INFINITY;
  /** The number of changes heard, and when it was asked for. */
  let quiet = { at: Number.NEGATIVE_INFINITY, changes: Number.NaN };
  /** Resolved once per call, or once per batch if calls are not announced. */
  let realFolder = realPathCache();

  /** The number of changes heard by now, asked for once per call; NaN if nothing can be told. */
  async function changesHeard(): Promise<number> {
    if (quiet.at >= begunAt) return quiet.changes;
    const at = performance.now();
    quiet = { at, changes: (await watch?.changes()) ?? Number.NaN };
    return quiet.changes;
  }

  let isCovering = false;

  /** Watches the folders of all files in the snapshot, so that only reported changes are checked again. */
  function listen(): void {
    if (watch === undefined || isCovering) return;
    isCovering = true;
    setTimeout(async () => {
      const status = [...known];
      // A link's target may be outside the watched folders.
      const listened = status.some(([, { entry }]) => entry.isLink === true) ? [] : status;
      const folders = await foldersToWatch(listened);
      if (folders.length > 0) watch.cover(folders);
      watched = new Set(folders);
      heard = new Set(listened.map(([path]) => path));
      isCovering = false;
    }, untilListening).unref();
  }

  /** Checks those paths again that may have changed since they were checked. */
  async function verify(paths: ReadonlySet<string>): Promise<void> {
    if (paths === none) return;
    const changes = await changesHeard();
    const now = performance.now();
    const doubtful = [...paths].filter((path) => {
      const kept = known.get(path);
      return kept !== undefined && !(kept.changes === changes && now - kept.checkedAt < longestTrust);
    });
    if (doubtful.length === 0) return;
    if (begunAt === Number.POSITIVE_INFINITY) realFolder = realPathCache();
    if (doubtful.some((path) => !isWatched(path))) listen();
    await Promise.all(doubtful.map((path) => check(path, changes))); // a stat opens no file
  }

  /** Tells if a change at a path would be heard; of a folder that is listed, a change in it. */
  function isWatched(path: string, isListed = known.get(path)?.entry.entries !== undefined): boolean {
    return isListed ? watched.has(path) : heard.has(path) || watched.has(dirname(path));
  }

  function haveChanged(paths: Iterable<string>, since: number): boolean {
    for (const path of paths) if ((changed.get(path) ?? 0) > since) return true;
    return false;
  }

  async function check(path: string, changes: number): Promise<void> {
    const checkedAt = performance.now();
    // A change is heard only in a folder that was watched before the check.
    const asOf = isWatched(path) ? changes : Number.NaN;
    const now = await statEntry(path, home, realFolder);
    const kept = known.get(path);
    if (kept !== undefined && kept.checkedAt > checkedAt) return; // a newer check exists
    const isAsKept = kept !== undefined && isSame(kept.entry, now);
    if (!isAsKept) changed.set(path, ++found);
    known.set(path, { entry: isAsKept ? kept.entry : now, checkedAt, changes: asOf });
  }

  async function fetch(path: string, want: EntryPart): Promise<void> {
    const kept = known.get(path);
    const checkedAt = kept?.checkedAt ?? performance.now();
    const isHeard = want === "entries" ? isWatched(path, true) : isWatched(path);
    const changes = kept?.changes ?? (quiet.at >= begunAt ? quiet.changes : Number.NaN);
    const looked = kept?.entry ?? (await statEntry(path, home, realFolder));
    const entry = { ...looked, ...(await loadEntry(path, looked, want)) };
    // A newer entry wins; anything it lacks is requested again.
    if (known.get(path)?.entry === kept?.entry)
      known.set(path, { entry, checkedAt, changes: isHeard ? changes : Number.NaN });
  }

  async function read<T>(key: string, make: () => T): Promise<T> {
    await verify(looked.get(key) ?? none);
    return (await readAgain(key, make)).value;
  }

  /** Runs a function on the snapshot; missing files are loaded first. */
  async function readAgain<T>(key: string, make: () => T): Promise<CachedResult & { readonly value: T }> {
    if (known.size > maxEntries) for (const map of [known, looked, made, changed]) map.clear();
    const isFirst = !looked.has(key);
    const begun = performance.now();
    const sure = new Set(looked.get(key));
    for (;;) {
      const wanted = new Map<string, EntryPart>();
      const asked = new Set<string>();
      const asOf = found; // later changes are not included
      const value = runOnEntries({ find: (path) => known.get(path)?.entry, wanted, seen: asked }, make);
      if (wanted.size === 0) {
        // Entries that others loaded earlier may have changed since.
        const unsure = new Set(
          [...asked].filter((path) => !sure.has(path) && (known.get(path)?.checkedAt ?? begun) < begun),
        );
        for (const path of unsure) sure.add(path);
        if (unsure.size > 0) await verify(unsure);
        if (haveChanged(unsure, asOf)) continue;
        looked.set(key, asked);
        if (isFirst) listen();
        return { value, paths: asked, asOf };
      }
      await fewAtOnce([...wanted], ([path, want]) => fetch(path, want));
    }
  }

  /** Runs a function or returns its cached result; a key always belongs to one function. */
  async function makeOrKnow<T>(key: string, make: () => T): Promise<T> {
    await verify(made.get(key)?.paths ?? looked.get(key) ?? none);
    const cached = made.get(key);
    if (cached !== undefined && !haveChanged(cached.paths, cached.asOf)) return cached.value as T;
    const now = await readAgain(key, make);
    const isKeepable = [...now.paths].every((path) => isStable(known.get(path)?.entry));
    if (isKeepable) made.set(key, now);
    else made.delete(key);
    return now.value;
  }

  return {
    begin() {
      begunAt = performance.now();
      realFolder = realPathCache();
    },
    read,
    async remember<T>(key: string, make: () => T) {
      // Concurrent callers wait for the first run, then check for changes since.
      const first = made.has(key) ? undefined : making.get(key);
      const own = first === undefined ? makeOrKnow(key, make) : first.then(() => makeOrKnow(key, make));
      making.set(
        key,
        own.catch(() => undefined),
      );
      return own;
    },
  };
}

/** A cached result, the paths it used, and the changes known at that time. */
type CachedResult = { readonly value: unknown; readonly paths: ReadonlySet<string>; readonly asOf: number };

/** The folders to watch; a folder that was never listed is left out, since changes in it do not matter. */
async function foldersToWatch(known: readonly (readonly [string, CheckedEntry])[]): Promise<readonly string[]> {
  const folders = known.flatMap(([path, { entry }]) => {
    if (!isFolder(entry)) return [dirname(path)];
    return entry.entries === undefined ? [] : [path];
  });
  const found = await Promise.all([...new Set(folders)].map(nearest));
  return [...new Set(found)];
}

/** A folder, or its nearest existing parent. */
async function nearest(folder: string): Promise<string> {
  if (folder === dirname(folder)) return folder;
  const stats = await promises.stat(folder).catch(() => undefined);
  return stats?.isDirectory() === true ? folder : nearest(dirname(folder));
}

const none: ReadonlySet<string> = new Set();

/** The number of files open at a time; systems allow a few hundred. */
const mostOpen = 64;

/** Runs a task for each item, a few at a time; the first error stops it. */
async function fewAtOnce<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = all.values();
  const worker = async (): Promise<void> => {
    for (const one of left) await work(one);
  };
  await Promise.all(Array.from({ length: Math.min(mostOpen, all.length) }, worker));
}

/** Returns an error as the result of a stat, but throws on a shortage of the machine, which must not look like a missing file. */
function errorAsEntry(error: unknown): unknown {
  if (isResourceShortage(error)) throw error;
  return error;
}

/** An entry, when it was checked, and how many changes were heard by then; NaN if none could have been. */
type CheckedEntry = { readonly entry: FileEntry; readonly checkedAt: number; readonly changes: number };

async function statEntry(path: string, home: string | undefined, realFolder: RealPathCache): Promise<FileEntry> {
  if (home !== undefined) void realFolder(dirname(resolve(path))); // in parallel with the stat
  const at = Date.now();
  const own = await new Promise<BigIntStats | Error>((resolve) =>
    lstat(path, { bigint: true }, (error, stats) => resolve(error ?? stats)),
  );
  const isLink = !(own instanceof Error) && own.isSymbolicLink();
  const out = home === undefined ? undefined : await checkInside(resolve(home), path, isLink, realFolder);
  if (out !== undefined) return { error: out, isLink: true };
  if (own instanceof Error) return { error: errorAsEntry(own) };
  if (!isLink) return statAt(own, at);
  try {
    return { ...statAt(await promises.stat(path, { bigint: true }), at), isLink: true };
  } catch (error) {
    return { error: errorAsEntry(error), isLink: true };
  }
}

async function loadEntry(path: string, { stats }: FileEntry, want: EntryPart): Promise<Partial<FileEntry>> {
  try {
    switch (want) {
      case "stats":
        // A stat of a file is usually followed by a read.
        return stats?.isFile() && stats.size <= mostAhead ? { text: await promises.readFile(path, "utf8") } : {};
      case "text":
        return { text: await promises.readFile(path, "utf8") };
      case "entries":
        return { entries: stats?.isDirectory() ? await promises.readdir(path, { withFileTypes: true }) : noEntries };
      case "real":
        return { real: await promises.realpath(path) };
    }
  } catch (error) {
    return { loadError: errorAsEntry(error), ...(want === "real" ? { real: null } : {}) };
  }
}

/** Files up to this size are read with the first stat. */
const mostAhead = 64 * 1024;
const noEntries: Dirent[] = [];

function isFolder({ stats }: FileEntry): boolean {
  return stats?.isDirectory() === true;
}

/** True for a folder that was never listed, so changes in it do not matter. */
function isFolderAlone(entry: FileEntry): boolean {
  return entry.entries === undefined && isFolder(entry);
}

/** True if the entry stays valid as long as its times stay the same. */
function isStable(entry: FileEntry = {}): boolean {
  return entry.isSettled !== false || isFolderAlone(entry);
}

function isSame(before: FileEntry, now: FileEntry): boolean {
  if (before.stats === undefined || now.stats === undefined)
    return before.stats === now.stats && String(before.error) === String(now.error);
  if (isFolderAlone(before) && isFolder(now))
    return before.stats.ino === now.stats.ino && before.stats.dev === now.stats.dev;
  return isUnchanged(before.stats, now.stats) && isStable(before) && before.isLink === now.isLink;
}
