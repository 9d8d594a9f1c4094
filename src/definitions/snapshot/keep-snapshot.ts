import { stat } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import type { DefinitionSnapshot, FileEntry } from "../../engine/ports/definition-snapshot.ts";
import { type FolderWatch, folderWatch } from "../../kit/folder-watch.ts";
import { filesNamedIn } from "../gates/files-named-in.ts";
import { makeSnapshot } from "./make-snapshot.ts";
import { type FolderReading, readFolder } from "./read-folder.ts";

/** Keeps the snapshot of a definitions folder up to date. */
export type SnapshotKeeper = {
  /** The snapshot with every change made before; the same value as long as nothing changed. */
  readonly current: CurrentDefinitions;
  close(): void;
};

/** Returns the snapshot that a call uses. */
export type CurrentDefinitions = () => Promise<DefinitionSnapshot>;

/** Some systems miss changes (network folders), so everything is checked again after this many milliseconds. */
const longestTrust = 2000;
/** Watching starts after the first answers, so that it does not delay them. */
const untilWatching = 250;

/** The part of a definitions folder that bots are read from. */
export const bots: FolderReading = {
  parts: ["approvers.json", "base_actions", "bots", "config.json"],
  listed: ["standards"],
  withText: true,
  needs: filesNamedIn,
};

/** The part that phased workflows are read from. */
export const workflows: FolderReading = { ...bots, parts: ["config.json", "workflows"], listed: [] };

/** The standards, which the search index reads one by one. */
export const standards: FolderReading = { parts: ["standards"], withText: false };

/** Everything, for a command that reads once. */
const whole: FolderReading = { ...bots, parts: [bots, workflows, standards].flatMap(({ parts }) => parts) };

/** Reads the snapshot of a definitions folder once. */
export async function readSnapshot(folder: string, reading = whole): Promise<DefinitionSnapshot> {
  return makeSnapshot(resolve(folder), await readFolder(resolve(folder), reading), 0);
}

/** Opens a keeper; nothing is read before the first use. */
export function keepSnapshot(named: string, reading = whole, watch = partsWatch(named, reading)): SnapshotKeeper {
  const folder = resolve(named);
  let last: DefinitionSnapshot | undefined;
  /** The entries as last read. */
  let known: ReadonlyMap<string, FileEntry> = new Map();
  /** When the folder was last looked at, and the changes heard by then; NaN if none could have been. */
  let looked = { at: Number.NEGATIVE_INFINITY, changes: Number.NaN };
  let beginWatching: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  /** The renewal that has not looked at anything yet, so that everyone who asks now may share it. */
  let waiting: Promise<DefinitionSnapshot> | undefined;

  async function look(): Promise<DefinitionSnapshot> {
    const changes = await watch.changes();
    waiting = undefined;
    const at = performance.now();
    known = await readFolder(folder, reading, known);
    if (last === undefined || !isSame(last.entries, known))
      last = makeSnapshot(folder, known, (last?.version ?? 0) + 1);
    looked = { at, changes: (await isCovered(known)) ? changes : Number.NaN };
    return last;
  }

  /** Watches what was read, and tells if all of it was watched before. */
  async function isCovered(entries: ReadonlyMap<string, FileEntry>): Promise<boolean> {
    // What a link leads to, or what a missing file will be in, may be outside the watched folders.
    const folders = new Set<string>();
    for (const [path, entry] of entries) {
      if (isElsewhere(entry, entries)) return false;
      folders.add(entry.kind === "folder" ? path : dirname(path));
    }
    const all = folders.size === 0 ? [await nearestFolder(folder)] : [...folders];
    if (beginWatching !== undefined) return watch.cover(all);
    beginWatching = setTimeout(() => watch.cover(all), untilWatching).unref();
    return false;
  }

  async function renew(): Promise<DefinitionSnapshot> {
    const changes = await watch.changes();
    if (last !== undefined && looked.changes === changes && performance.now() - looked.at < longestTrust) return last;
    if (waiting === undefined) {
      waiting = running.then(look);
      running = waiting.catch(() => undefined);
    }
    return waiting;
  }

  return {
    current: renew,
    close() {
      clearTimeout(beginWatching);
      watch.close();
    },
  };
}

function partsWatch(named: string, { parts, listed = [] }: FolderReading): FolderWatch {
  const folder = resolve(named);
  const known = new Set([...parts, ...listed]);
  return folderWatch((path) => dirname(path) !== folder || known.has(basename(path)));
}

/** A folder, or its nearest existing parent. */
async function nearestFolder(folder: string): Promise<string> {
  if (folder === dirname(folder)) return folder;
  const stats = await stat(folder).catch(() => undefined);
  return stats?.isDirectory() === true ? folder : nearestFolder(dirname(folder));
}

/** True for a link, and for a file that names one that does not exist. */
function isElsewhere(entry: FileEntry, entries: ReadonlyMap<string, FileEntry>): boolean {
  if (entry.kind === "file") return entry.needs?.some((path) => !entries.has(path)) === true;
  return entry.kind === "link" || entry.kind === "outside";
}

function isSame(before: ReadonlyMap<string, FileEntry>, now: ReadonlyMap<string, FileEntry>): boolean {
  return (
    before.size === now.size &&
    [...now].every(([path, entry]) => before.get(path) === entry || isSameEntry(before.get(path), entry))
  );
}

function isSameEntry(before: FileEntry | undefined, now: FileEntry): boolean {
  if (before?.kind === "file" && now.kind === "file" && before.text !== undefined) return before.text === now.text;
  // A file without its text may have changed unnoticed just after it did.
  if (now.kind === "file" && !now.isSettled) return false;
  return JSON.stringify(before) === JSON.stringify(now);
}
