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
import { faultCode, unlessFault } from "./faults.ts";
import { keepSole } from "./sole-name.ts";
import { InTheWay, inFolder, makeFolder, reach } from "./way.ts";

/** What tells one version of a file from another without reading it. */
export type Identity = {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly mtimeNs: bigint;
  readonly size: bigint;
};

/** The file at a path, as it stands; undefined where there is none. Other faults are thrown, and so is what stands there and is no plain file, or is one of ours and somebody else's too. */
export function identify(path: string): BigIntStats | undefined {
  const look = (): BigIntStats | undefined => lstatSync(path, { bigint: true, throwIfNoEntry: false });
  const stats = look();
  if (stats !== undefined && stats.nlink > 1n) keepSole(path, look);
  if (stats === undefined || stats.isFile()) return stats;
  throw stats.isSymbolicLink() ? new InTheWay(path) : new InTheWay(path, "is no plain file");
}

/** Tells whether two looks saw the same version of a file. */
export function isSame(one: Identity, other: Identity): boolean {
  return one.ino === other.ino && one.mtimeNs === other.mtimeNs && one.size === other.size && one.dev === other.dev;
}

/** Any later write gets a later time than this, even within one tick of the kernel's clock. */
const setBack = 0.05;

/** How a file is put in place: `durable` makes it survive a power cut, `mode` sets its permissions. */
export type Placing = { readonly durable: boolean; readonly mode?: number };

/** Puts a whole file in the place of another, so that a reader sees the old or the new one; returns what tells it from any other. */
export function replaceFile(target: string, pieces: readonly Buffer[], tmp: string, placing: Placing): Identity {
  const temp = openTemp(tmp);
  try {
    let end = 0;
    for (const bytes of pieces) end = writeWhole(temp.fd, bytes, end);
    return putInPlace(temp, target, placing);
  } catch (error) {
    removeFile(temp.path);
    const isElsewhere = faultCode(error) === "EXDEV" && tmp !== dirname(target);
    if (!isElsewhere) throw error;
  } finally {
    closeSync(temp.fd);
  }
  return replaceFile(target, pieces, dirname(target), placing); // on the same file system at last
}

/** A file that is written, but not yet where it belongs. */
export type Temp = { readonly fd: number; readonly path: string };

/** Puts a temporary file in its place; the caller has written it, and closes it. */
export function putInPlace(temp: Temp, target: string, placing: Placing): Identity {
  const identity = finish(temp, placing);
  moveInto(temp, target, placing);
  return identity;
}

/** Makes a temporary file, which has been written, ready to be put in its place. */
export function finish({ fd }: Temp, { durable, mode }: Placing): Identity {
  const time = Date.now() / 1000 - setBack;
  futimesSync(fd, time, time);
  if (mode !== undefined) fchmodSync(fd, mode);
  if (durable) fsyncSync(fd);
  return fstatSync(fd, { bigint: true });
}

/** Renames a finished file onto its target, whose folder is made where it is missing. */
export function moveInto({ path }: Temp, target: string, { durable }: Placing): void {
  const folder = dirname(target);
  const move = (): void => reach(path, (from) => reach(target, (to) => renameSync(from, to)));
  try {
    move();
  } catch (error) {
    if (faultCode(error) !== "ENOENT" || !existsSync(path)) throw error;
    const made = makeFolder(folder);
    move();
    if (durable && made !== undefined) syncFoldersUpTo(folder, dirname(made));
  }
  if (durable) syncFolder(folder);
}

/** Names a temporary file of this process. */
export function tempPath(tmp: string): string {
  return join(tmp, `${process.pid}-${randomUUID()}.tmp`);
}

/** Makes the names in a folder survive a power cut, as far as its file system can. */
export function syncFolder(folder: string): void {
  try {
    const fd = openSync(folder, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0));
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (!cannotSyncFolders.has(faultCode(error) ?? "")) throw error;
  }
}

/** What Windows and some network file systems answer to the sync of a folder. */
const cannotSyncFolders: ReadonlySet<string> = new Set(["EINVAL", "ENOTSUP", "EISDIR", "EPERM", "EACCES"]);

/** Makes a folder and those above it survive a power cut, up to and with `top`. */
export function syncFoldersUpTo(folder: string, top: string): void {
  let current = folder;
  syncFolder(current);
  while (current !== top && current !== dirname(current)) {
    current = dirname(current);
    syncFolder(current);
  }
}

/** Removes what dead processes left half-written. */
export function sweepTemps(tmp: string): void {
  const sweep = (at: string): void => {
    for (const name of readdirSync(at)) {
      const path = join(at, name);
      // A process of another container seems dead from here: what is young may still be its work.
      const isOld = Date.now() - Number(lstatSync(path).mtimeMs) > 60_000;
      if (isOld && !isAlive(Number(name.split("-")[0]))) rmSync(path, { force: true });
    }
  };
  unlessFault(() => inFolder(tmp, sweep));
}

/** Removes a file, where that can be done. */
export function removeFile(path: string): void {
  unlessFault(() => reach(path, (at) => rmSync(at, { force: true })));
}

/** Makes an empty temporary file, and its folder where that is missing. */
export function openTemp(tmp: string): Temp {
  const path = tempPath(tmp);
  const create = (): Temp => ({ fd: reach(path, (at) => openSync(at, "wx")), path });
  try {
    return create();
  } catch (error) {
    if (faultCode(error) !== "ENOENT") throw error;
    makeFolder(tmp);
    return create();
  }
}

/** Writes all of the bytes from a place on; answers where they end. */
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
    return faultCode(error) !== "ESRCH";
  }
}
