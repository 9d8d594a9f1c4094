import { closeSync, constants, fsyncSync, openSync, readSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { ioErrorCode } from "../../kit/io-errors.ts";
import { writeWhole } from "./atomic-file.ts";
import { openPlain } from "./plain-file.ts";
import { atPath, makeFolder } from "./safe-folder.ts";

/** Copies a foreign file aside before it is overwritten; a link's target is not copied. */
export function keepAside(path: string, kept: string, now: Date): void {
  const from = openPlain(path, constants.O_RDONLY);
  try {
    keepCopy(path, kept, now, (to) => copy(from, to));
  } finally {
    closeSync(from);
  }
}

/** Keeps bytes aside that are no longer at their path. */
export function keepBytesAside(bytes: Buffer, path: string, kept: string, now: Date): void {
  keepCopy(path, kept, now, (to) => writeWhole(to, bytes, 0));
}

function keepCopy(path: string, kept: string, now: Date, write: (to: number) => void): void {
  makeFolder(kept);
  const ending = extname(path);
  const stem = `${basename(path, ending)}.${now.toISOString().replaceAll(":", "-")}`;
  for (let number = 1; ; number++) {
    const place = join(kept, `${stem}${number === 1 ? "" : `-${number}`}${ending}`);
    const to = openNew(place);
    if (to === undefined) continue;
    try {
      write(to);
      fsyncSync(to); // soon the only copy
    } finally {
      closeSync(to);
    }
    return;
  }
}

/** Creates a file; undefined if it exists. */
function openNew(path: string): number | undefined {
  try {
    return atPath(path, (at) => openSync(at, "wx"));
  } catch (error) {
    if (ioErrorCode(error) !== "EEXIST") throw error;
    return undefined;
  }
}

function copy(from: number, to: number): void {
  const chunk = Buffer.allocUnsafe(1 << 20);
  for (let end = 0; ; ) {
    const read = readSync(from, chunk, 0, chunk.length, end);
    if (read === 0) return;
    end = writeWhole(to, chunk.subarray(0, read), end);
  }
}
