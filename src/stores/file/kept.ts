import { closeSync, constants, copyFileSync, fsyncSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { faultCode } from "./faults.ts";

/** Copies a file that somebody else wrote to a place of its own, before it is overwritten. */
export function keepAside(path: string, kept: string, now: Date): void {
  keep(path, kept, now, (copy) => copyFileSync(path, copy, constants.COPYFILE_EXCL));
}

/** The same with bytes that stood at a path, and do not any more. */
export function keepBytesAside(bytes: Buffer, path: string, kept: string, now: Date): void {
  keep(path, kept, now, (copy) => writeFileSync(copy, bytes, { flag: "wx" }));
}

function keep(path: string, kept: string, now: Date, write: (copy: string) => void): void {
  mkdirSync(kept, { recursive: true });
  const ending = extname(path);
  const stem = `${basename(path, ending)}.${now.toISOString().replaceAll(":", "-")}`;
  for (let number = 1; ; number++) {
    const copy = join(kept, `${stem}${number === 1 ? "" : `-${number}`}${ending}`);
    try {
      write(copy);
    } catch (error) {
      if (faultCode(error) === "EEXIST") continue;
      throw error;
    }
    const fd = openSync(copy, "r+");
    try {
      fsyncSync(fd); // the only copy, in a moment
    } finally {
      closeSync(fd);
    }
    return;
  }
}
