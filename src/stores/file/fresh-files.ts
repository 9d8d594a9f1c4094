import { closeSync, fdatasync, open, write } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Era, Pieces } from "../projections/pieces.ts";
import { openTemp, removeFile, type Temp, tempPath } from "./disk.ts";
import { unlessFault } from "./faults.ts";
import { wayTo } from "./way.ts";

/** A temporary file, and what stands in it already: the beginning of a content of ours. */
export type Fresh = Temp & { readonly era?: Era; readonly stable?: number; readonly size?: number };

/** Temporary files. Making and filling one costs several times what renaming it does, so the next ones are made ahead, while nobody waits. */
export type FreshFiles = {
  take(): Fresh;
  /** Makes files ahead that hold this much already. */
  prepare(pieces: Pieces): void;
  /** Removes what was made ahead. */
  close(): void;
};

/** Makes files in a folder: none ahead before that is asked for. */
export function freshFiles(tmp: string): FreshFiles {
  const ready: Fresh[] = [];
  let onTheWay = 0;
  let isClosed = false;

  function keep(file: Fresh): void {
    onTheWay -= 1;
    if (isClosed) discard(file);
    else ready.push(file);
  }

  return {
    take() {
      isClosed = false;
      return ready.shift() ?? openTemp(tmp);
    },
    prepare({ era, stable }) {
      for (; !isClosed && ready.length + onTheWay < wanted; onTheWay += 1) {
        const path = tempPath(tmp);
        openLater(path, (error, fd) => {
          if (error !== null) onTheWay -= 1;
          else if (stable.length === 0 || stable.length > mostAhead) keep({ fd, path });
          else
            write(fd, stable, 0, stable.length, 0, (fault, size) => {
              const file =
                fault === null && size === stable.length ? { fd, path, era, stable: size, size } : { fd, path };
              // Whether it lasts does not matter: what is on disk already does not hold up the next sync of the journal.
              fdatasync(fd, () => keep(file));
            });
        });
      }
    },
    close() {
      isClosed = true;
      ready.splice(0).forEach(discard);
    },
  };
}

/** Closes and removes a temporary file. */
export function discard({ fd, path }: Temp): void {
  unlessFault(() => closeSync(fd));
  removeFile(path);
}

/** Makes a file while nobody waits for it; its folder is held until it is there. */
function openLater(path: string, done: (error: Error | null, fd: number) => void): void {
  const way = unlessFault(() => wayTo(dirname(path)));
  if (way === undefined) setImmediate(done, new Error("The folder cannot be reached."), -1);
  else
    open(join(way.at, basename(path)), "wx", (error, fd) => {
      way.close();
      done(error, fd);
    });
}

/** Two calls can follow each other faster than a file is made. */
const wanted = 2;

/** What is longer than this, in bytes, is not written ahead: too much for a disk to write again and again. */
const mostAhead = 1 << 26;
