import { type BigIntStats, type Dirent, lstat, promises, realpath } from "node:fs";
import { dirname, resolve } from "node:path";
import { isShortage } from "../evidence/shortage.ts";
import { leadsOut, type RealFolders, realFolders } from "./home.ts";
import { isSettled, isUnchanged, readWith, type Stand, type Want } from "./stand.ts";

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
const mostStands = 20_000;

/** Opens a shelf. Where nobody watches, every file is looked at each time. Links that lead out of `home` are not followed. */
export function openShelf(watch?: FolderWatch, home?: string): Shelf {
  const stands = new Map<string, Kept>();
  const looked = new Map<string, Set<string>>();
  const made = new Map<string, { readonly value: unknown; readonly changes: number }>();
  /** How often each path was found changed. */
  const changes = new Map<string, number>();
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
    setImmediate(async () => {
      const standing = [...stands];
      // A link leads where nobody listens.
      const listened = standing.some(([, { stand }]) => stand.isLink === true) ? [] : standing;
      if (listened.length > 0) watch.cover(await heardIn(listened));
      heard = new Set(listened.map(([path]) => path));
      listeningSince = performance.now();
      isCovering = false;
    });
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

  function changesOf(paths: Iterable<string> = []): number {
    let sum = 0;
    for (const path of paths) sum += changes.get(path) ?? 0;
    return sum;
  }

  async function check(path: string): Promise<void> {
    const checkedAt = performance.now();
    const kept = stands.get(path);
    const now = await look(path, home, realFolder);
    if (kept !== undefined && isSame(kept.stand, now)) {
      stands.set(path, { stand: kept.stand, checkedAt });
      return;
    }
    changes.set(path, (changes.get(path) ?? 0) + 1);
    stands.set(path, { stand: now, checkedAt });
  }

  async function fetch(path: string, want: Want): Promise<void> {
    const { stand, checkedAt = performance.now() } = stands.get(path) ?? {};
    const known = stand ?? (await look(path, home, realFolder));
    stands.set(path, { stand: { ...known, ...(await load(path, known, want)) }, checkedAt });
  }

  async function read<T>(key: string, make: () => T): Promise<T> {
    await verify(looked.get(key) ?? none);
    return (await readAgain(key, make)).value;
  }

  /** Makes it from what stands on the shelf; what is missing is fetched first. */
  async function readAgain<T>(key: string, make: () => T): Promise<{ readonly value: T; readonly changes: number }> {
    if (stands.size > mostStands) for (const map of [stands, looked, made, changes]) map.clear();
    const isFirst = !looked.has(key);
    const begun = performance.now();
    const sure = new Set(looked.get(key));
    for (;;) {
      const wanted = new Map<string, Want>();
      const seen = new Set<string>();
      const value = readWith({ find: (path) => stands.get(path)?.stand, wanted, seen }, make);
      const madeOf = changesOf(seen); // what others find changed from now on is not in it
      if (wanted.size === 0) {
        // What others had put on the shelf earlier may have changed since.
        const unsure = new Set(
          [...seen].filter((path) => !sure.has(path) && (stands.get(path)?.checkedAt ?? begun) < begun),
        );
        for (const path of unsure) sure.add(path);
        const before = changesOf(unsure);
        if (unsure.size > 0) await verify(unsure);
        if (changesOf(unsure) !== before) continue;
        looked.set(key, seen);
        if (isFirst) listen();
        return { value, changes: madeOf };
      }
      await fewAtOnce([...wanted], ([path, want]) => fetch(path, want));
    }
  }

  return {
    begin() {
      begunAt = performance.now();
      realFolder = realFolders();
    },
    read,
    async remember<T>(key: string, make: () => T) {
      await verify(looked.get(key) ?? none);
      const known = made.get(key);
      // The same key is always the same making.
      if (known !== undefined && known.changes === changesOf(looked.get(key))) return known.value as T;
      const { value, changes: madeOf } = await readAgain(key, make);
      const paths = looked.get(key) ?? none;
      const isKeepable = [...paths].every((path) => isSettled(stands.get(path)?.stand));
      if (isKeepable) made.set(key, { value, changes: madeOf });
      return value;
    },
  };
}

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
  const own = await new Promise<BigIntStats | Error>((resolve) =>
    lstat(path, { bigint: true }, (error, stats) => resolve(error ?? stats)),
  );
  const isLink = own instanceof Error || own.isSymbolicLink();
  const out = home === undefined ? undefined : await leadsOut(resolve(home), path, isLink, realFolder);
  if (out !== undefined) return { error: out, isLink: true };
  if (own instanceof Error) return { error: answer(own) };
  if (!own.isSymbolicLink()) return { stats: own };
  try {
    return { stats: await promises.stat(path, { bigint: true }), isLink: true };
  } catch (error) {
    return { error: answer(error), isLink: true };
  }
}

async function load(path: string, { stats }: Stand, want: Want): Promise<Partial<Stand>> {
  try {
    switch (want) {
      case "stats":
        return {};
      case "text":
        return { text: await promises.readFile(path, "utf8") };
      case "entries":
        return { entries: stats?.isDirectory() ? await promises.readdir(path, { withFileTypes: true }) : noEntries };
      case "real":
        return {
          real: await new Promise<string>((resolve, reject) => realpath(path, (e, p) => (e ? reject(e) : resolve(p)))),
        };
    }
  } catch (error) {
    return { loadError: answer(error), ...(want === "real" ? { real: null } : {}) };
  }
}

const noEntries: Dirent[] = [];

function isFolder({ stats }: Stand): boolean {
  return stats?.isDirectory() === true;
}

function isSame(before: Stand, now: Stand): boolean {
  if (before.stats === undefined || now.stats === undefined)
    return before.stats === now.stats && String(before.error) === String(now.error);
  const isFolderAlone = before.entries === undefined && isFolder(before) && isFolder(now);
  if (isFolderAlone) return before.stats.ino === now.stats.ino && before.stats.dev === now.stats.dev;
  return isUnchanged(before.stats, now.stats) && isSettled(before) && before.isLink === now.isLink;
}
