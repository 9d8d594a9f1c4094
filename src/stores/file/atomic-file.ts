import { randomUUID } from "node:crypto";
import {
  type BigIntStats,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  futimesSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { ioErrorCode, unlessIoError } from "../../kit/io-errors.ts";
import { refuseHardLinks } from "./plain-file.ts";
import { atPath, inFolder, makeFolder, UnsafePathError } from "./safe-folder.ts";

/** Identifies one version of a file without reading it. */
export type Identity = {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly mtimeNs: bigint;
  readonly size: bigint;
};

/** The stat of a plain file; undefined if missing. Throws other errors, and for anything but a plain file or for one of ours with a second name. */
export function identityAt(path: string): BigIntStats | undefined {
  const look = (): BigIntStats | undefined => lstatSync(path, { bigint: true, throwIfNoEntry: false });
  const stats = look();
  if (stats !== undefined && stats.nlink > 1n) refuseHardLinks(path, look);
  if (stats === undefined || stats.isFile()) return stats;
  throw stats.isSymbolicLink() ? new UnsafePathError(path) : new UnsafePathError(path, "is not a plain file");
}

/** Tells if two stats are of the same version of a file. */
export function isSameFile(one: Identity, other: Identity): boolean {
  return one.ino === other.ino && one.mtimeNs === other.mtimeNs && one.size === other.size && one.dev === other.dev;
}

/** Sets times back so that any later write has a later time, even within one kernel tick. */
const setBack = 0.05;

/** The way a file is put in place: `durable` survives a power cut, `mode` sets permissions. */
export type PlaceOptions = { readonly durable: boolean; readonly mode?: number };

/** Replaces a file atomically and returns its identity. */
export function replaceFile(
  target: string,
  pieces: readonly Buffer[],
  tmp: string,
  placing: PlaceOptions,
  temp = openTemp(tmp),
): Identity {
  try {
    let end = 0;
    for (const bytes of pieces) end = writeWhole(temp.fd, bytes, end);
    return placeFile(temp, target, placing);
  } catch (error) {
    removeFile(temp.path);
    const isElsewhere = ioErrorCode(error) === "EXDEV" && tmp !== dirname(target);
    if (!isElsewhere) throw error;
  } finally {
    closeSync(temp.fd);
  }
  return replaceFile(target, pieces, dirname(target), placing); // now on the same file system
}

/** A written file that is not in place yet. */
export type Temp = { readonly fd: number; readonly path: string };

/** Moves a temporary file into place; the caller has written it and closes it. */
export function placeFile(temp: Temp, target: string, placing: PlaceOptions): Identity {
  const identity = finishTemp(temp, placing);
  moveInto(temp, target, placing);
  return identity;
}

/** Prepares a written temporary file for its place. */
export function finishTemp({ fd }: Temp, { durable, mode }: PlaceOptions): Identity {
  const time = Date.now() / 1000 - setBack;
  futimesSync(fd, time, time);
  if (mode !== undefined) fchmodSync(fd, mode);
  if (durable) fsyncSync(fd);
  return fstatSync(fd, { bigint: true });
}

/** Renames a finished file to its target, creating the folder if needed. */
export function moveInto({ path }: Temp, target: string, { durable }: PlaceOptions): void {
  const folder = dirname(target);
  const move = (): void => atPath(path, (from) => atPath(target, (to) => renameSync(from, to)));
  try {
    move();
  } catch (error) {
    if (ioErrorCode(error) !== "ENOENT" || !existsSync(path)) throw error;
    const made = makeFolder(folder);
    move();
    if (durable && made !== undefined) syncFoldersUpTo(folder, dirname(made));
  }
  if (durable) syncFolder(folder);
}

/** A temporary file name of this process. */
export function tempPath(tmp: string): string {
  return join(tmp, `${process.pid}-${randomUUID()}.tmp`);
}

/** Syncs the names in a folder, as far as its file system can. */
export function syncFolder(folder: string): void {
  try {
    const fd = openSync(folder, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0));
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (!cannotSyncFolders.has(ioErrorCode(error) ?? "")) throw error;
  }
}

/** The errors of Windows and some network file systems for syncing a folder. */
const cannotSyncFolders: ReadonlySet<string> = new Set(["EINVAL", "ENOTSUP", "EISDIR", "EPERM", "EACCES"]);

/** Syncs a folder and its ancestors up to `top`. */
export function syncFoldersUpTo(folder: string, top: string): void {
  let current = folder;
  syncFolder(current);
  while (current !== top && current !== dirname(current)) {
    current = dirname(current);
    syncFolder(current);
  }
}

/** Removes temporary files of dead processes. */
export function sweepTemps(tmp: string): void {
  const sweep = (at: string): void => {
    for (const name of readdirSync(at)) {
      const path = join(at, name);
      // A process of another container seems dead from here, so young files may still be in use.
      const isOld = Date.now() - Number(lstatSync(path).mtimeMs) > 60_000;
      if (isOld && !isAlive(Number(name.split("-")[0]))) rmSync(path, { force: true });
    }
  };
  unlessIoError(() => inFolder(tmp, sweep));
}

/** Removes a file if possible. */
export function removeFile(path: string): void {
  unlessIoError(() => atPath(path, (at) => rmSync(at, { force: true })));
}

/** Creates an empty temporary file, and its folder if needed. */
export function openTemp(tmp: string): Temp {
  const path = tempPath(tmp);
  const create = (): Temp => ({ fd: atPath(path, (at) => openSync(at, "wx")), path });
  try {
    return create();
  } catch (error) {
    if (ioErrorCode(error) !== "ENOENT") throw error;
    makeFolder(tmp);
    return create();
  }
}

/** Writes all bytes at an offset and returns the end. */
export function writeWhole(fd: number, bytes: Buffer, from: number): number {
  let written = 0;
  while (written < bytes.length) written += writeSync(fd, bytes, written, bytes.length - written, from + written);
  return from + bytes.length;
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return ioErrorCode(error) !== "ESRCH";
  }
}
