import { close, closeSync, open, rmSync } from "node:fs";
import { type Identity, type Placing, putInPlace, replaceFile, type Temp, tempPath } from "./disk.ts";
import { unlessFault } from "./faults.ts";

/** Puts one file in place again and again. */
export type Placer = { replace(pieces: readonly Buffer[], placing: Placing): Identity };

/**
 * Like `replaceFile`, for a file that is replaced at every call. Making a new file and freeing the old one cost several
 * times what writing and renaming do, so both happen after the answer: the next temporary file is opened ahead, and the
 * old file is kept open until nobody waits for its end.
 */
export function openPlacer(target: string, tmp: string): Placer {
  let isInUse = false;
  let placed: number | null = null;
  const spares: Temp[] = [];
  let onTheWay = 0;

  function getReady(replaced: number | null): void {
    if (replaced !== null) close(replaced, () => {});
    for (; spares.length + onTheWay < wanted; onTheWay += 1) {
      const path = tempPath(tmp);
      open(path, "wx", (error, fd) => {
        onTheWay -= 1;
        if (error === null) spares.push({ fd, path });
      });
    }
  }

  return {
    replace(pieces, placing) {
      const temp = spares.shift();
      if (temp === undefined) {
        const identity = replaceFile(target, pieces, tmp, placing);
        // A command that replaces the file once and ends leaves no spare one behind.
        if (isInUse) setImmediate(getReady, null);
        isInUse = true;
        return identity;
      }
      const identity = unlessFault(() => putInPlace(temp, target, pieces, placing));
      if (identity === undefined) {
        discard(temp);
        return replaceFile(target, pieces, tmp, placing); // which says what is wrong, if it still is
      }
      setImmediate(getReady, placed);
      placed = temp.fd;
      return identity;
    },
  };
}

/** Two calls can follow each other faster than a file is made. */
const wanted = 2;

function discard({ fd, path }: Temp): void {
  unlessFault(() => closeSync(fd));
  unlessFault(() => rmSync(path, { force: true }));
}
