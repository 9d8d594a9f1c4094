import { closeSync, constants, fstatSync, readSync } from "node:fs";
import { openPlain } from "./plain-file.ts";

/** The comparison of a file with a text: equal, a beginning with the right ending, or different. */
export type FileMatch = "whole" | "beginning" | "other";

/** Compares a file with a text that arrives in parts, holding neither in memory; throws on I/O errors. */
export type FileComparison = {
  expect(text: string): void;
  /** Ends the text; `ending` also follows every beginning of it. */
  end(ending: string): FileMatch;
  close(): void;
};

/** Opens a file to compare. */
export function openFileComparison(path: string): FileComparison {
  const fd = openPlain(path, constants.O_RDONLY);
  const { size } = fstatSync(fd);
  let room = Buffer.allocUnsafe(1 << 16);
  /** The next part of the text. */
  let wanted = Buffer.allocUnsafe(room.length);
  let filled = 0;
  /** The length of the common part. */
  let offset = 0;
  /** Text not yet encoded. */
  let texts: string[] = [];
  let length = 0;
  /** The text from where they differ. */
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

  /** Encodes many short texts as one, which is faster. */
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
