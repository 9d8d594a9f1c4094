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

/** Opens what is remembered of one view. It is not made to last, and nobody waits for it: what is not known to be ours is looked at like anybody's. */
export function openShown(path: string): Shown {
  let known: string | undefined;
  let next: string | undefined;

  function write(): void {
    const text = next;
    next = undefined;
    if (text !== undefined) known = unlessFault(() => writeOver(path, text)) ?? known;
  }

  return {
    is: (identity) => unlessFault(() => readPlain(path).toString("utf8")) === textOf(identity),
    set(identity) {
      const text = textOf(identity);
      if (known === text || next === text) return;
      if (known === undefined) unlessFault(() => makeFolder(dirname(path)));
      if (next === undefined) setImmediate(write);
      next = text;
    },
  };
}

/** Writes a text of always the same length over the one before: a file that is cut first would have to reach the disk when it is closed. */
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
