import { closeSync, constants, fstatSync, readSync } from "node:fs";
import { openPlain } from "./plain-file.ts";

/** How a file stands to a text: says it, says the beginning of it and ends as it should, or something else. */
export type Spelled = "whole" | "beginning" | "other";

/** Compares a file with a text that comes piece by piece; neither is held in memory. Throws what opening and reading throws. */
export type SpelledFile = {
  expect(text: string): void;
  /** The text has come to its end: `ending` is what stands after every beginning of it, too. */
  end(ending: string): Spelled;
  close(): void;
};

/** Opens a file to be compared. */
export function openSpelled(path: string): SpelledFile {
  const fd = openPlain(path, constants.O_RDONLY);
  const { size } = fstatSync(fd);
  let room = Buffer.allocUnsafe(1 << 16);
  /** What the text says next, as far as it has come. */
  let wanted = Buffer.allocUnsafe(room.length);
  let filled = 0;
  /** How far the two are the same. */
  let offset = 0;
  /** What has come and is not written yet. */
  let texts: string[] = [];
  let length = 0;
  /** What the text says where they part. */
  let parted: Buffer | undefined;

  function compare(): void {
    if (parted !== undefined) return;
    const found = room.subarray(0, readSync(fd, room, 0, filled, offset));
    const next = wanted.subarray(0, filled);
    const same = found.equals(next) ? filled : commonLength(found, next);
    if (same < filled) parted = Buffer.from(next.subarray(same));
    offset += same;
    filled = 0;
  }

  /** Many short texts are quicker to write as one. */
  function take(): void {
    const text = texts.join("");
    [texts, length] = [[], 0];
    const most = 3 * text.length; // as bytes
    if (filled + most > wanted.length) compare();
    if (most > wanted.length) [room, wanted] = [Buffer.allocUnsafe(most), Buffer.allocUnsafe(most)];
    if (parted === undefined) filled += wanted.write(text, filled);
  }

  return {
    expect(text) {
      texts.push(text);
      length += text.length;
      if (length > manyCharacters) take();
    },
    end(ending) {
      take();
      compare();
      const rest = Buffer.alloc(Math.min(size - offset, ending.length + 1));
      readSync(fd, rest, 0, rest.length, offset);
      if (rest.toString() !== ending) return "other";
      if (parted === undefined) return "whole";
      return parted.toString("latin1", 0, 2) === ",\n" ? "beginning" : "other";
    },
    close: () => closeSync(fd),
  };
}

const manyCharacters = 1 << 13;

function commonLength(one: Buffer, other: Buffer): number {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && one[length] === other[length]) length++;
  return length;
}
