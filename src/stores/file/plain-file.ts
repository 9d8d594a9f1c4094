import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { ioErrorCode, unlessIoError } from "../../kit/io-errors.ts";
import { isOwnName } from "../../kit/portable-path.ts";
import { atPath, inFolder, projectOf, UnsafePathError } from "./safe-folder.ts";
import { engineFolder } from "./stream-paths.ts";

/** Opens a plain file without following links or blocking; one of ours only if it has no second name. */
export function openPlain(path: string, flags: number): number {
  const fd = atPath(path, (at) => openAt(at, flags, path));
  try {
    refuseHardLinks(path, () => fstatSync(fd, { bigint: true }));
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  return fd;
}

/** Reads a whole file in the same way. */
export function readPlain(path: string): Buffer {
  const fd = openPlain(path, constants.O_RDONLY);
  try {
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Opens a reached path; `shown` is its display name. */
export function openAt(at: string, flags: number, shown: string): number {
  const fd = openSafely(at, flags, shown);
  const stats = fstatSync(fd);
  if (stats.isFile() || stats.isDirectory()) return fd; // reading a folder fails by itself
  closeSync(fd);
  throw new UnsafePathError(shown, "is not a plain file");
}

function openSafely(at: string, flags: number, shown: string): number {
  try {
    return openSync(at, flags | safeFlags);
  } catch (error) {
    const isLink = ioErrorCode(error) !== "ENOENT" && lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink();
    throw isLink === true ? new UnsafePathError(shown) : error;
  }
}

/** Not every system has these flags. */
const safeFlags = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Throws if a file of ours has a second name (a hard link), through which it could be read or written elsewhere; our own temporary names
 * do not count.
 */
export function refuseHardLinks(path: string, look: () => BigIntStats | undefined): void {
  const area = projectOf(path) ?? (isOwnName(basename(path)) ? dirname(path) : undefined);
  if (area === undefined) return;
  // Our temporary names come and go, so an unexplained count is checked again.
  for (let tries = 0; tries < 3; tries++) {
    const found = look();
    if (found === undefined || !found.isFile() || found.nlink - namesInTemp(area, found) <= 1n) return;
  }
  throw new UnsafePathError(path, "has a hard link elsewhere, and Waymark does not share its files", hardLinkFix);
}

const hardLinkFix = "Replace it with a separate copy, or remove it.";

/** The number of a file's names among our temporary ones. */
function namesInTemp(area: string, { nlink, ino, dev }: BigIntStats): bigint {
  if (nlink <= 1n) return 0n;
  const count = unlessIoError(() =>
    inFolder(join(engineFolder(area), "tmp"), (at) =>
      readdirSync(at).filter((name) => {
        const other = lstatSync(join(at, name), { bigint: true, throwIfNoEntry: false });
        return other?.ino === ino && other.dev === dev;
      }),
    ),
  );
  return BigInt(count?.length ?? 0);
}
