import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Identity } from "./disk.ts";
import { unlessFault } from "./faults.ts";

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
    is: (identity) => unlessFault(() => readFileSync(path, "utf8")) === textOf(identity),
    set(identity) {
      const text = textOf(identity);
      if (known === text) return;
      unlessFault(() => {
        if (known === undefined) mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text);
        known = text;
      });
    },
  };
}

function textOf({ dev, ino, mtimeNs, size }: Identity): string {
  return `${[dev, ino, mtimeNs, size].join(" ")}\n`;
}
