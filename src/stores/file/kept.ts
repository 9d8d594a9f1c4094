import { closeSync, constants, fsyncSync, openSync, readSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { writeWhole } from "./disk.ts";
import { faultCode } from "./faults.ts";
import { openPlain } from "./plain-file.ts";
import { makeFolder, reach } from "./way.ts";

/** Copies a file that somebody else wrote to a place of its own, before it is overwritten; what a link leads to is nobody's to copy. */
export function keepAside(path: string, kept: string, now: Date): void {
  const from = openPlain(path, constants.O_RDONLY);
  try {
    keep(path, kept, now, (to) => copy(from, to));
  } finally {
    closeSync(from);
  }
}

/** The same with bytes that stood at a path, and do not any more. */
export function keepBytesAside(bytes: Buffer, path: string, kept: string, now: Date): void {
  keep(path, kept, now, (to) => writeWhole(to, bytes, 0));
}

function keep(path: string, kept: string, now: Date, write: (to: number) => void): void {
  makeFolder(kept);
  const ending = extname(path);
  const stem = `${basename(path, ending)}.${now.toISOString().replaceAll(":", "-")}`;
  for (let number = 1; ; number++) {
    const place = join(kept, `${stem}${number === 1 ? "" : `-${number}`}${ending}`);
    const to = openNew(place);
    if (to === undefined) continue;
    try {
      write(to);
      fsyncSync(to); // the only copy, in a moment
    } finally {
      closeSync(to);
    }
    return;
  }
}

/** Makes a file; undefined where one is there already. */
function openNew(path: string): number | undefined {
  try {
    return reach(path, (at) => openSync(at, "wx"));
  } catch (error) {
    if (faultCode(error) !== "EEXIST") throw error;
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
