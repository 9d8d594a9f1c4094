import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from "node:fs";
import { faultCode } from "./faults.ts";
import { keepSole } from "./sole-name.ts";
import { InTheWay, reach } from "./way.ts";

/** Opens a file, through no link, and one of ours only where it is nobody else's; what is no plain file is not opened in a way that would keep us waiting. */
export function openPlain(path: string, flags: number): number {
  const fd = reach(path, (at) => openAt(at, flags, path));
  try {
    keepSole(path, () => fstatSync(fd, { bigint: true }));
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  return fd;
}

/** Reads a file whole, in the same way. */
export function readPlain(path: string): Buffer {
  const fd = openPlain(path, constants.O_RDONLY);
  try {
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Opens what stands at a path that has been reached; `shown` is what people call it. */
export function openAt(at: string, flags: number, shown: string): number {
  const fd = openIt(at, flags, shown);
  const stats = fstatSync(fd);
  if (stats.isFile() || stats.isDirectory()) return fd; // reading a folder fails by itself
  closeSync(fd);
  throw new InTheWay(shown, "is no plain file");
}

function openIt(at: string, flags: number, shown: string): number {
  try {
    return openSync(at, flags | safely);
  } catch (error) {
    const isLink = faultCode(error) !== "ENOENT" && lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink();
    throw isLink === true ? new InTheWay(shown) : error;
  }
}

/** Not every system has these flags. */
const safely = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
