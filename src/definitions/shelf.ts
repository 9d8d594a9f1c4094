import { type BigIntStats, type Dirent, lstat, promises } from "node:fs";
import { dirname, resolve } from "node:path";
import { isShortage } from "../evidence/shortage.ts";
import { leadsOut, type RealFolders, realFolders } from "./home.ts";
import { isUnchanged, readWith, type Stand, seen, type Want } from "./stand.ts";

/** Hears of changes in folders, where the system can tell. */
export type FolderWatch = {
  /** Watches these folders from now on. */
  cover(folders: readonly string[]): unknown;
  /** True where every folder is watched and nothing in them has changed since the last call of `cover`. */
  isQuiet(): Promise<boolean>;
};

/** Files as they are now, looked at without holding anybody up. */
export type Shelf = {
  /** A call begins: what is known to be quiet after this need not be asked about again for it. */
  begin(): void;
  /** Makes something of files: what it looks at is there when it is run, and it is run again until nothing was missing. It must only read. */
  read<T>(key: string, make: () => T): Promise<T>;
  /** The same, remembered for as long as nothing that it looked at has changed. */
  remember<T>(key: string, make: () => T): Promise<T>;
};

/** A system may not hear of every change (a folder of another machine): so often, in milliseconds, all is looked at again. */
const longestTrust = 2000;
/** Listening is begun when whoever has just started, or changed something, has had its answer. */
const untilListening = 250;
const mostStands = 20_000;

/** Opens a shelf. Where nobody watches, every file is looked at each time. Links that lead out of `home` are not followed. */
export function openShelf(watch?: FolderWatch, home?: string): Shelf {
  const stands = new Map<string, Kept>();
  const looked = new Map<string, Set<string>>();
  const made = new Map<string, Made>();
  const making = new Map<string, Promise<unknown>>();
  /** The changes that were found, counted, and the last one of each path. */
  let found = 0;
  const changed = new Map<string, number>();
  /** What lies in folders that are listened to. */
  let heard: ReadonlySet<string> = none;
  let listeningSince = Number.POSITIVE_INFINITY;
  /** When the call at hand began; where nobody says so, everything is asked about each time. */
  let begunAt = Number.POSITIVE_INFINITY;
  let quietAt = Number.NEGATIVE_INFINITY;
  /** Found out once a call; where nobody says when one begins, once a look at several. */
  let realFolder = realFolders();

  async function isQuietNow(): Promise<boolean> {
    if (quietAt >= begunAt) return true;
    const askedAt = performance.now();
    const isQuiet = (await watch?.isQuiet()) === true;
    if (isQuiet) quietAt = askedAt;
    return isQuiet;
  }

  let isCovering = false;

  /** Listens to the folders of everything on the shelf: from now on only what is heard of is looked at again. */
  function listen(): void {
    if (watch === undefined || isCovering) return;
    isCovering = true;
    setTimeout(async () => {
      const standing = [...stands];
      // A link leads where nobody listens.
      const listened = standing.some(([, { stand }]) => stand.isLink === true) ? [] : standing;
      if (listened.length > 0) watch.cover(await heardIn(listened));
      heard = new Set(listened.map(([path]) => path));
      listeningSince = performance.now();
      isCovering = false;
    }, untilListening).unref();
  }

  async function verify(paths: ReadonlySet<string>): Promise<void> {
    if (paths === none) return;
    const isQuiet = await isQuietNow();
    const now = performance.now();
    const isTrusted = (path: string, at: number): boolean =>
      isQuiet && heard.has(path) && at > listeningSince && now - at < longestTrust;
    const doubtful = [...paths].filter((path) => {
      const kept = stands.get(path);
      return kept !== undefined && !isTrusted(path, kept.checkedAt);
    });
    if (doubtful.length === 0) return;
    if (begunAt === Number.POSITIVE_INFINITY) realFolder = realFolders();
    if (!isQuiet || doubtful.some((path) => !heard.has(path))) listen();
    await Promise.all(doubtful.map(check)); // a look opens nothing
  }

  function haveChanged(paths: Iterable<string>, since: number): boolean {
    for (const path of paths) if ((changed.get(path) ?? 0) > since) return true;
    return false;
  }

  async function check(path: string): Promise<void> {
    const checkedAt = performance.now();
    const now = await look(path, home, realFolder);
    const kept = stands.get(path);
    if (kept !== undefined && kept.checkedAt > checkedAt) return; // somebody has looked since
    const isAsKept = kept !== undefined && isSame(kept.stand, now);
    if (!isAsKept) changed.set(path, ++found);
    stands.set(path, { stand: isAsKept ? kept.stand : now, checkedAt });
  }

  async function fetch(path: string, want: Want): Promise<void> {
    const kept = stands.get(path);
    const checkedAt = kept?.checkedAt ?? performance.now();
    const known = kept?.stand ?? (await look(path, home, realFolder));
    const stand = { ...known, ...(await load(path, known, want)) };
    // What somebody else has put there since is newer; what is missing of it is asked for again.
    if (stands.get(path)?.stand === kept?.stand) stands.set(path, { stand, checkedAt });
  }

  async function read<T>(key: string, make: () => T): Promise<T> {
    await verify(looked.get(key) ?? none);
    return (await readAgain(key, make)).value;
  }

  /** Makes it from what stands on the shelf; what is missing is fetched first. */
  async function readAgain<T>(key: string, make: () => T): Promise<Made & { readonly value: T }> {
    if (stands.size > mostStands) for (const map of [stands, looked, made, changed]) map.clear();
    const isFirst = !looked.has(key);
    const begun = performance.now();
    const sure = new Set(looked.get(key));
    for (;;) {
      const wanted = new Map<string, Want>();
      const asked = new Set<string>();
      const asOf = found; // what others find changed from now on is not in it
      const value = readWith({ find: (path) => stands.get(path)?.stand, wanted, seen: asked }, make);
      if (wanted.size === 0) {
        // What others had put on the shelf earlier may have changed since.
        const unsure = new Set(
          [...asked].filter((path) => !sure.has(path) && (stands.get(path)?.checkedAt ?? begun) < begun),
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

  /** The same key is always the same making. */
  async function makeOrKnow<T>(key: string, make: () => T): Promise<T> {
    await verify(made.get(key)?.paths ?? looked.get(key) ?? none);
    const known = made.get(key);
    if (known !== undefined && !haveChanged(known.paths, known.asOf)) return known.value as T;
    const now = await readAgain(key, make);
    const isKeepable = [...now.paths].every((path) => isLasting(stands.get(path)?.stand));
    if (isKeepable) made.set(key, now);
    else made.delete(key);
    return now.value;
  }

  return {
    begin() {
      begunAt = performance.now();
      realFolder = realFolders();
    },
    read,
    async remember<T>(key: string, make: () => T) {
      // Who comes while it is made for the first time waits for that; and then looks, for something may have changed since.
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

/** What was made, of which paths, and which changes were known by then. */
type Made = { readonly value: unknown; readonly paths: ReadonlySet<string>; readonly asOf: number };

/** The folders in which changes are heard. One that nobody looked into changes with all that goes on in it, and none of that matters. */
async function heardIn(stands: readonly (readonly [string, Kept])[]): Promise<readonly string[]> {
  const folders = stands.flatMap(([path, { stand }]) => {
    if (!isFolder(stand)) return [dirname(path)];
    return stand.entries === undefined ? [] : [path];
  });
  const found = await Promise.all([...new Set(folders)].map(nearest));
  return [...new Set(found)];
}

/** A folder, or the nearest one above it that is there. */
async function nearest(folder: string): Promise<string> {
  if (folder === dirname(folder)) return folder;
  const stats = await promises.stat(folder).catch(() => undefined);
  return stats?.isDirectory() === true ? folder : nearest(dirname(folder));
}

const none: ReadonlySet<string> = new Set();

/** So many files are open at a time: a system lets a program have a few hundred. */
const mostOpen = 64;

/** Does something with each; the first fault ends it. */
async function fewAtOnce<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = all.values();
  const worker = async (): Promise<void> => {
    for (const one of left) await work(one);
  };
  await Promise.all(Array.from({ length: Math.min(mostOpen, all.length) }, worker));
}

/** What keeps one from looking, as the answer to a look; a shortage of the machine is none, and must not pass for a file that is gone. */
function answer(error: unknown): unknown {
  if (isShortage(error)) throw error;
  return error;
}

type Kept = { readonly stand: Stand; readonly checkedAt: number };

async function look(path: string, home: string | undefined, realFolder: RealFolders): Promise<Stand> {
  if (home !== undefined) void realFolder(dirname(resolve(path))); // both at once
  const at = Date.now();
  const own = await new Promise<BigIntStats | Error>((resolve) =>
    lstat(path, { bigint: true }, (error, stats) => resolve(error ?? stats)),
  );
  const isLink = own instanceof Error || own.isSymbolicLink();
  const out = home === undefined ? undefined : await leadsOut(resolve(home), path, isLink, realFolder);
  if (out !== undefined) return { error: out, isLink: true };
  if (own instanceof Error) return { error: answer(own) };
  if (!own.isSymbolicLink()) return seen(own, at);
  try {
    return { ...seen(await promises.stat(path, { bigint: true }), at), isLink: true };
  } catch (error) {
    return { error: answer(error), isLink: true };
  }
}

async function load(path: string, { stats }: Stand, want: Want): Promise<Partial<Stand>> {
  try {
    switch (want) {
      case "stats":
        // Who asks about a file mostly reads it next.
        return stats?.isFile() && stats.size <= mostAhead ? { text: await promises.readFile(path, "utf8") } : {};
      case "text":
        return { text: await promises.readFile(path, "utf8") };
      case "entries":
        return { entries: stats?.isDirectory() ? await promises.readdir(path, { withFileTypes: true }) : noEntries };
      case "real":
        return { real: await promises.realpath(path) };
    }
  } catch (error) {
    return { loadError: answer(error), ...(want === "real" ? { real: null } : {}) };
  }
}

/** A file of so many bytes is read with the first look at it. */
const mostAhead = 64 * 1024;
const noEntries: Dirent[] = [];

function isFolder({ stats }: Stand): boolean {
  return stats?.isDirectory() === true;
}

/** A folder that nobody looked into: what goes on in it does not matter. */
function isFolderAlone(stand: Stand): boolean {
  return stand.entries === undefined && isFolder(stand);
}

/** Tells that what was read of it stays true for as long as its times stay the same. */
function isLasting(stand: Stand = {}): boolean {
  return stand.isSettled !== false || isFolderAlone(stand);
}

function isSame(before: Stand, now: Stand): boolean {
  if (before.stats === undefined || now.stats === undefined)
    return before.stats === now.stats && String(before.error) === String(now.error);
  if (isFolderAlone(before) && isFolder(now))
    return before.stats.ino === now.stats.ino && before.stats.dev === now.stats.dev;
  return isUnchanged(before.stats, now.stats) && isLasting(before) && before.isLink === now.isLink;
}
