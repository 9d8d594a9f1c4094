import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from "node:fs";
import { ioErrorCode } from "./io-errors.ts";
import { refuseHardLinks } from "./refuse-hard-links.ts";
import { atPath, UnsafePathError } from "./safe-folder.ts";

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
