import { closeSync, constants, existsSync, lstatSync, mkdirSync, openSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { faultCode, unlessFault } from "./faults.ts";
import { makeFolders } from "./make-folders.ts";

/** Something stands where only Waymark's own files and folders may: a link, a file that has another name elsewhere, or what is neither a file nor a folder. Nothing is read or written there. */
export class InTheWay extends Error {
  readonly code = "ELOOP";
  constructor(path: string, what = "is a link, and Waymark follows none there", cure?: string) {
    const usual =
      basename(path) === ownName
        ? "Put the folder itself there; definitions that lie elsewhere are named with --definitions."
        : "Remove it; Waymark makes its files and folders itself.";
    super(`${shownPath(path)} ${what}. ${cure ?? usual}`);
  }
}

/** A folder that is held: what is done below `at` is done in it, whatever becomes of its name. */
export type Way = {
  readonly at: string;
  /** The topmost folder that had to be made. */
  readonly made?: string;
  /** Whether the folder still stands where it was found. */
  isThere(): boolean;
  close(): void;
};

/** How a folder is reached: `make` makes what is missing, `meet` is told of every folder on the way and may refuse it by throwing. */
export type Going = { readonly make?: boolean; meet?(at: string): void };

/** Reaches a folder below another one that is trusted, step by step and through no link. Throws where there is one. */
export function openWay(top: string, parts: readonly string[], going: Going = {}): Way {
  return canHold() ? heldWay(top, parts, going) : namedWay(top, parts, going);
}

/** On Linux an open folder has a name of its own, under which nobody can put another in its place. */
function heldWay(top: string, parts: readonly string[], { make = false, meet }: Going): Way {
  let made: string | undefined;
  let [path, fd] = [top, -1];
  const goTo = (at: string): void => {
    const opened = openStep(at, path);
    if (fd >= 0) closeSync(fd);
    fd = opened;
    meet?.(`/proc/self/fd/${fd}`);
  };
  try {
    // What lies above our own folder is trusted: only where somebody wants to meet it is it held.
    if (meet !== undefined || parts.length === 0) goTo(top);
    for (const part of parts) {
      const next = fd < 0 ? join(top, part) : `/proc/self/fd/${fd}/${part}`;
      path = join(path, part);
      if (make && makeOne(next)) made ??= path;
      goTo(next);
    }
  } catch (error) {
    if (fd >= 0) closeSync(fd);
    throw error;
  }
  const at = `/proc/self/fd/${fd}`;
  return {
    at,
    ...(made === undefined ? {} : { made }),
    isThere: () => readlinkSync(at) === path,
    close: () => closeSync(fd),
  };
}

/** Where folders cannot be held, each is looked at by its name, before and after: a swap in between is noticed, not prevented. */
export function namedWay(top: string, parts: readonly string[], { make = false, meet }: Going): Way {
  let made: string | undefined;
  let path = top;
  meet?.(top);
  for (const part of parts) {
    path = join(path, part);
    if (make && makeOne(path)) made ??= path;
    if (lstatSync(path).isSymbolicLink()) throw new InTheWay(path);
    meet?.(path);
  }
  const isThere = (): boolean =>
    parts.every((_, index) => {
      const folder = lstatSync(join(top, ...parts.slice(0, index + 1)), { throwIfNoEntry: false });
      return folder?.isDirectory() === true;
    });
  return { at: path, ...(made === undefined ? {} : { made }), isThere, close() {} };
}

/** Reaches a folder; one of the engine's own through no link. */
export function wayTo(folder: string): Way {
  const own = ownParts(folder);
  if (own === undefined) return { at: folder, isThere: () => true, close() {} };
  keepTop(own.top);
  return openWay(own.top, own.parts);
}

/** Does work in a folder, in one go. One of the engine's own is reached through no link, and cannot be swapped meanwhile. */
export function inFolder<T>(folder: string, work: (at: string) => T): T {
  const known = reachedBefore(folder);
  if (known !== undefined) return work(known);
  const way = wayTo(folder);
  let isKept = false;
  try {
    const done = work(way.at);
    if (!canHold() && !way.isThere()) throw new InTheWay(folder);
    isKept = keepReached(folder, way);
    return done;
  } finally {
    if (!isKept) way.close();
  }
}

/** A folder of the engine's own that is still held, and where it stood when it was reached. */
type Reached = { readonly way: Way; readonly place: string };

const reached = new Map<string, Reached>();

/** Those that were found in their place in this turn of the process: what is done in one go is done in the folder that was there at its beginning. */
const lookedAt = new Set<string>();

/** So many folders are held between one use and the next: the few that every call needs. */
const mostReached = 8;

/** Where a folder is held that still stands where it was reached: through no link, then as now. */
function reachedBefore(folder: string): string | undefined {
  const known = reached.get(folder);
  if (known === undefined) return undefined;
  if (lookedAt.has(folder)) return known.way.at;
  if (readlinkSync(known.way.at) !== known.place) return letGo(folder, known);
  lookAt(folder);
  return known.way.at;
}

/** Holds a folder for the next use, where it certainly is the one that its name leads to. */
function keepReached(folder: string, way: Way): boolean {
  const own = ownParts(folder);
  if (own === undefined || !canHold()) return false;
  const place = join(realpathSync(own.top), ...own.parts);
  if (readlinkSync(way.at) !== place) return false;
  for (const [oldest, one] of reached) if (reached.size >= mostReached) letGo(oldest, one);
  reached.set(folder, { way, place });
  return true;
}

function letGo(folder: string, { way }: Reached): undefined {
  reached.delete(folder);
  lookedAt.delete(folder);
  way.close();
}

/** Where the folders above the engine's own were when they were first reached. */
const tops = new Map<string, string>();

/** Throws where the folder above the engine's own has come to be another, through a link that was put in its place meanwhile: what is done later and unasked is done there no more. */
function keepTop(top: string): void {
  if (lookedAt.has(top)) return;
  const place = unlessFault(() => realpathSync.native(top));
  if (place === undefined) return; // not there yet
  const before = tops.get(top) ?? place;
  if (before !== place)
    throw new InTheWay(top, "leads to another folder than before, through a link", "Put the folder itself there.");
  if (tops.size >= 1000) tops.clear();
  tops.set(top, place);
  lookAt(top);
}

/** What was looked at is as it was found for the rest of this turn. */
function lookAt(folder: string): void {
  if (lookedAt.size === 0) setImmediate(() => lookedAt.clear());
  lookedAt.add(folder);
}

/** Does work at a path, whose folder is reached in the same way. */
export function reach<T>(path: string, work: (at: string) => T): T {
  return inFolder(dirname(path), (at) => work(join(at, basename(path))));
}

/** Makes a folder, and those above it; answers the topmost that was missing. */
export function makeFolder(folder: string): string | undefined {
  lookedAt.clear(); // what is held may be what is gone
  const own = ownParts(folder);
  if (own === undefined) return makeFolders(folder);
  keepTop(own.top);
  const above = makeFolders(own.top);
  const way = openWay(own.top, own.parts, { make: true });
  way.close();
  return above ?? way.made;
}

/** Whether no link stands on the way to a folder of the engine's own; throws where one does. One that is not there is clear. */
export function isClear(folder: string): true {
  if (reachedBefore(folder) === undefined) keepClear(folder);
  return true;
}

/** Throws where a link or another stranger stands on the way to a path. Of what lies above the engine's own folder nothing is asked. */
export function keepClear(path: string): void {
  const own = ownParts(path);
  if (own !== undefined) keepTop(own.top);
  const steps =
    own === undefined ? [path] : own.parts.map((_, index) => join(own.top, ...own.parts.slice(0, index + 1)));
  for (const step of steps) {
    const stats = lstatSync(step, { throwIfNoEntry: false });
    if (stats === undefined) return;
    if (stats.isSymbolicLink()) throw new InTheWay(step);
    if (!stats.isFile() && !stats.isDirectory()) throw new InTheWay(step, "is neither a file nor a folder");
  }
}

const ownName = ".waymark";

type OwnParts = { readonly top: string; readonly parts: readonly string[] };

/** The project area in whose engine's own folder a path lies. */
export function projectOf(path: string): string | undefined {
  return ownParts(path)?.top;
}

/** A path below the engine's own folder, from that folder on, and what stands above it; no name in there is like its own. */
function ownParts(path: string): OwnParts | undefined {
  if (known.has(path)) return known.get(path);
  const from = `${path}${sep}`.lastIndexOf(`${sep}${ownName}${sep}`);
  const own = from < 0 ? undefined : { top: path.slice(0, from) || sep, parts: path.slice(from + 1).split(sep) };
  if (known.size >= 1000) known.clear();
  known.set(path, own);
  return own;
}

/** The same few folders are asked about at every call. */
const known = new Map<string, OwnParts | undefined>();

function shownPath(path: string): string {
  const own = ownParts(path);
  return own === undefined ? basename(path) : own.parts.join("/");
}

/** Not every system has these flags. */
const folderFlags = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

function openStep(at: string, path: string): number {
  try {
    return openSync(at, folderFlags);
  } catch (error) {
    if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink()) throw new InTheWay(path);
    throw error;
  }
}

/** Makes one folder; false where something is there already. */
function makeOne(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if (faultCode(error) !== "EEXIST") throw error;
    return false;
  }
}

let hasDescriptors: boolean | undefined;

function canHold(): boolean {
  hasDescriptors ??= process.platform === "linux" && existsSync("/proc/self/fd");
  return hasDescriptors;
}
