import { closeSync, constants, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { Identity } from "./disk.ts";
import { unlessFault } from "./faults.ts";
import { openPlain, readPlain } from "./plain-file.ts";
import { makeFolder } from "./way.ts";

/**
 * Remembers, across processes, which version of a view was the last of ours. Nobody has edited that one, whatever it says:
 * where it does not fit the history, the history is another, of another git branch or an older copy.
 */
export type Shown = {
  is(identity: Identity): boolean;
  set(identity: Identity): void;
};

/** Opens what is remembered of one view. It is not made to last: what is not known to be ours is looked at like anybody's. */
export function openShown(path: string): Shown {
  let known: string | undefined;
  return {
    is: (identity) => unlessFault(() => readPlain(path).toString("utf8")) === textOf(identity),
    set(identity) {
      const text = textOf(identity);
      if (known === text) return;
      const isWritten = unlessFault(() => {
        if (known === undefined) makeFolder(dirname(path));
        writeOver(path, text);
        return true;
      });
      if (isWritten) known = text;
    },
  };
}

/** Writes a text of always the same length over the one before: a file that is cut first would have to reach the disk when it is closed. */
function writeOver(path: string, text: string): void {
  const fd = openPlain(path, constants.O_WRONLY | constants.O_CREAT);
  try {
    writeSync(fd, text, 0);
  } finally {
    closeSync(fd);
  }
}

const length = 100;

function textOf({ dev, ino, mtimeNs, size }: Identity): string {
  return `${[dev, ino, mtimeNs, size].join(" ").padEnd(length - 1)}\n`;
}
