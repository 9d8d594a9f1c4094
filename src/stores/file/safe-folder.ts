import { closeSync, constants, existsSync, lstatSync, mkdirSync, openSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { ioErrorCode, unlessIoError } from "../../kit/io-errors.ts";
import { makeFolders } from "../../kit/make-folders.ts";

/**
 * Thrown where only Waymark's files and folders may be: a link, a hard-linked file, or something that is neither file nor folder. Nothing
 * is read or written there.
 */
export class UnsafePathError extends Error {
  readonly code = "ELOOP";
  constructor(path: string, what = "is a link, and Waymark does not follow links there", cure?: string) {
    const usual =
      basename(path) === ownName
        ? "Replace it with a real folder; for definitions elsewhere use --definitions."
        : "Remove it; Waymark creates its own files and folders.";
    super(`${shownPath(path)} ${what}. ${cure ?? usual}`);
  }
}

/** An open folder: work below `at` happens in it even if it is renamed or replaced. */
export type SafeFolder = {
  readonly at: string;
  /** The topmost folder that had to be created. */
  readonly made?: string;
  /** Tells if the folder is still where it was found. */
  isInPlace(): boolean;
  close(): void;
};

/** Options: `make` creates missing folders; `meet` sees every folder on the path and may refuse it by throwing. */
export type ReachOptions = { readonly make?: boolean; onFolder?(at: string): void };

/** Opens a folder below a trusted one, one step at a time; throws on a link. */
export function openSafeFolder(top: string, parts: readonly string[], going: ReachOptions = {}): SafeFolder {
  return canHold() ? heldFolder(top, parts, going) : namedFolder(top, parts, going);
}

/** On Linux an open folder has its own name under /proc, which no one can redirect. */
function heldFolder(top: string, parts: readonly string[], { make = false, onFolder }: ReachOptions): SafeFolder {
  let made: string | undefined;
  let [path, fd] = [top, -1];
  const goTo = (at: string): void => {
    const opened = openStep(at, path);
    if (fd >= 0) closeSync(fd);
    fd = opened;
    onFolder?.(`/proc/self/fd/${fd}`);
  };
  try {
    // What is above our folder is trusted, and opened only if a caller checks it.
    if (onFolder !== undefined || parts.length === 0) goTo(top);
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
    isInPlace: () => readlinkSync(at) === path,
    close: () => closeSync(fd),
  };
}

/** Without open folders each one is checked by name before and after: a swap in between is noticed, not prevented. */
export function namedFolder(
  top: string,
  parts: readonly string[],
  { make = false, onFolder }: ReachOptions,
): SafeFolder {
  let made: string | undefined;
  let path = top;
  onFolder?.(top);
  for (const part of parts) {
    path = join(path, part);
    if (make && makeOne(path)) made ??= path;
    if (lstatSync(path).isSymbolicLink()) throw new UnsafePathError(path);
    onFolder?.(path);
  }
  const isThere = (): boolean =>
    parts.every((_, index) => {
      const folder = lstatSync(join(top, ...parts.slice(0, index + 1)), { throwIfNoEntry: false });
      return folder?.isDirectory() === true;
    });
  return { at: path, ...(made === undefined ? {} : { made }), isInPlace: isThere, close() {} };
}

/** Opens a folder, one of the engine's own without following links. */
export function openOwnFolder(folder: string): SafeFolder {
  const own = ownParts(folder);
  if (own === undefined) return { at: folder, isInPlace: () => true, close() {} };
  requireSameTop(own.top);
  return openSafeFolder(own.top, own.parts);
}

/** Works in a folder synchronously; one of the engine's own is reached without links and cannot be swapped meanwhile. */
export function inFolder<T>(folder: string, work: (at: string) => T): T {
  const known = openFolderAt(folder);
  if (known !== undefined) return work(known);
  const way = openOwnFolder(folder);
  let isKept = false;
  try {
    const done = work(way.at);
    if (!canHold() && !way.isInPlace()) throw new UnsafePathError(folder);
    isKept = keepOpen(folder, way);
    return done;
  } finally {
    if (!isKept) way.close();
  }
}

/** An open folder of the engine, and its path when it was opened. */
type OpenFolder = { readonly way: SafeFolder; readonly place: string };

const openFolders = new Map<string, OpenFolder>();

/** Folders already verified in this turn of the event loop. */
const verifiedFolders = new Set<string>();

/** The most folders kept open between uses: the few that every call needs. */
const mostOpenFolders = 8;

/** The open folder's path if it is still where it was opened, without links. */
function openFolderAt(folder: string): string | undefined {
  const known = openFolders.get(folder);
  if (known === undefined) return undefined;
  if (verifiedFolders.has(folder)) return known.way.at;
  if (readlinkSync(known.way.at) !== known.place) return letGo(folder, known);
  markVerified(folder);
  return known.way.at;
}

/** Keeps a folder open if it certainly is the one its name leads to. */
function keepOpen(folder: string, way: SafeFolder): boolean {
  const own = ownParts(folder);
  if (own === undefined || !canHold()) return false;
  const place = join(realpathSync(own.top), ...own.parts);
  if (readlinkSync(way.at) !== place) return false;
  for (const [oldest, one] of openFolders) if (openFolders.size >= mostOpenFolders) letGo(oldest, one);
  openFolders.set(folder, { way, place });
  return true;
}

function letGo(folder: string, { way }: OpenFolder): undefined {
  openFolders.delete(folder);
  verifiedFolders.delete(folder);
  way.close();
}

/** The real paths of the folders above the engine's own, at first use. */
const tops = new Map<string, string>();

/** Throws if the folder above the engine's own was replaced through a link, so that later work does not go there. */
function requireSameTop(top: string): void {
  if (verifiedFolders.has(top)) return;
  const place = unlessIoError(() => realpathSync.native(top));
  if (place === undefined) return; // does not exist yet
  const before = tops.get(top) ?? place;
  if (before !== place)
    throw new UnsafePathError(top, "now leads to another folder through a link", "Replace it with the real folder.");
  if (tops.size >= 1000) tops.clear();
  tops.set(top, place);
  markVerified(top);
}

/** Counts a folder as verified for the rest of this turn. */
function markVerified(folder: string): void {
  if (verifiedFolders.size === 0) setImmediate(() => verifiedFolders.clear());
  verifiedFolders.add(folder);
}

/** Works at a path whose folder is reached in the same way. */
export function atPath<T>(path: string, work: (at: string) => T): T {
  return inFolder(dirname(path), (at) => work(join(at, basename(path))));
}

/** Makes a folder and its ancestors; returns the topmost missing one. */
export function makeFolder(folder: string): string | undefined {
  verifiedFolders.clear(); // the open folder may be the one that is gone
  const own = ownParts(folder);
  if (own === undefined) return makeFolders(folder);
  requireSameTop(own.top);
  const above = makeFolders(own.top);
  const way = openSafeFolder(own.top, own.parts, { make: true });
  way.close();
  return above ?? way.made;
}

/** Throws if a link is on the path to a folder of the engine; a missing folder is fine. */
export function isClear(folder: string): true {
  if (openFolderAt(folder) === undefined) requireClearPath(folder);
  return true;
}

/** Throws if a link or another foreign object is on the path; ignores what is above the engine's folder. */
export function requireClearPath(path: string): void {
  const own = ownParts(path);
  if (own !== undefined) requireSameTop(own.top);
  const steps =
    own === undefined ? [path] : own.parts.map((_, index) => join(own.top, ...own.parts.slice(0, index + 1)));
  for (const step of steps) {
    const stats = lstatSync(step, { throwIfNoEntry: false });
    if (stats === undefined) return;
    if (stats.isSymbolicLink()) throw new UnsafePathError(step);
    if (!stats.isFile() && !stats.isDirectory()) throw new UnsafePathError(step, "is neither a file nor a folder");
  }
}

const ownName = ".waymark";

type OwnParts = { readonly top: string; readonly parts: readonly string[] };

/** The project area whose engine folder contains a path. */
export function projectOf(path: string): string | undefined {
  return ownParts(path)?.top;
}

/** Splits a path at the engine's own folder; no name inside resembles it. */
function ownParts(path: string): OwnParts | undefined {
  if (known.has(path)) return known.get(path);
  const from = `${path}${sep}`.lastIndexOf(`${sep}${ownName}${sep}`);
  const own = from < 0 ? undefined : { top: path.slice(0, from) || sep, parts: path.slice(from + 1).split(sep) };
  if (known.size >= 1000) known.clear();
  known.set(path, own);
  return own;
}

/** Cached, since every call asks about the same few folders. */
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
    if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink()) throw new UnsafePathError(path);
    throw error;
  }
}

/** Makes one folder; false if something exists there. */
function makeOne(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if (ioErrorCode(error) !== "EEXIST") throw error;
    return false;
  }
}

let hasDescriptors: boolean | undefined;

function canHold(): boolean {
  hasDescriptors ??= process.platform === "linux" && existsSync("/proc/self/fd");
  return hasDescriptors;
}
