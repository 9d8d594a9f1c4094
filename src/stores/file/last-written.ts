import { closeSync, constants, writeSync } from "node:fs";
import { dirname } from "node:path";
import { deferWork } from "../../kit/deferred-work.ts";
import { unlessIoError } from "../../kit/io-errors.ts";
import type { Identity } from "./atomic-file.ts";
import { openPlain, readPlain } from "./plain-file.ts";
import { makeFolder } from "./safe-folder.ts";

/**
 * Remembers across processes the last version of a view that we wrote. An unedited one that does not fit means another history: another
 * git branch, or an older copy.
 */
export type LastWritten = {
  is(identity: Identity): boolean;
  set(identity: Identity): void;
};

/** Opens the memory of one view; best effort and unsynced, since an unknown file is examined like a foreign one. */
export function openLastWritten(path: string): LastWritten {
  let known: string | undefined;
  let next: string | undefined;
  const soon = deferWork(write);

  function write(): void {
    const text = next;
    next = undefined;
    if (text !== undefined) known = unlessIoError(() => writeOver(path, text)) ?? known;
  }

  return {
    is: (identity) => unlessIoError(() => readPlain(path).toString("utf8")) === textOf(identity),
    set(identity) {
      const text = textOf(identity);
      if (known === text || next === text) return;
      if (known === undefined) unlessIoError(() => makeFolder(dirname(path)));
      next = text;
      soon.schedule();
    },
  };
}

/** Overwrites a text of constant length, since truncating first would force a disk write on close. */
function writeOver(path: string, text: string): string {
  const fd = openPlain(path, constants.O_WRONLY | constants.O_CREAT);
  try {
    writeSync(fd, text, 0);
    return text;
  } finally {
    closeSync(fd);
  }
}

const length = 100;

function textOf({ dev, ino, mtimeNs, size }: Identity): string {
  return `${[dev, ino, mtimeNs, size].join(" ").padEnd(length - 1)}\n`;
}
