import { closeSync, fdatasync, open, write } from "node:fs";
import { basename, dirname, join } from "node:path";
import { unlessIoError } from "../../kit/io-errors.ts";
import type { Era, FilePieces } from "../projections/file-pieces.ts";
import { openTemp, removeFile, type Temp, tempPath } from "./atomic-file.ts";
import { openOwnFolder } from "./safe-folder.ts";

/** A temporary file and the beginning it already contains. */
export type FreshFile = Temp & { readonly era?: Era; readonly stable?: number; readonly size?: number };

/** Temporary files made ahead in idle time, since making one costs several times a rename. */
export type FreshFiles = {
  take(): FreshFile;
  /** Makes files ahead that already contain this. */
  prepare(pieces: FilePieces): void;
  /** Removes unused files. */
  close(): void;
};

/** Makes files in a folder, none ahead until asked. */
export function freshFiles(tmp: string): FreshFiles {
  const ready: FreshFile[] = [];
  let onTheWay = 0;
  let isClosed = false;

  function keep(file: FreshFile): void {
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
              // It need not last, but synced data does not delay the next sync of the journal.
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
  unlessIoError(() => closeSync(fd));
  removeFile(path);
}

/** Makes a file in the background, holding its folder meanwhile. */
function openLater(path: string, done: (error: Error | null, fd: number) => void): void {
  const way = unlessIoError(() => openOwnFolder(dirname(path)));
  if (way === undefined) setImmediate(done, new Error("The folder cannot be reached."), -1);
  else
    open(join(way.at, basename(path)), "wx", (error, fd) => {
      way.close();
      done(error, fd);
    });
}

/** Two calls can follow each other faster than a file is made. */
const wanted = 2;

/** The fewest bytes of a file that are worth waking a thread to free them. */
export const leastAhead = 1 << 16;

/** The most bytes written ahead; more would be too much disk work. */
const mostAhead = 1 << 26;
