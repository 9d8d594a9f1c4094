import { readSync } from "node:fs";

/** Hears of a line: its bytes, the offset where it begins, and its number, counted from where the reading began. */
export type LineReader = (bytes: Buffer, offset: number, number: number) => void;

/** Hears how far a reading has come: the offset, and the one where it ends. */
export type OnRead = (offset: number, end: number) => void;

/** Hands on every whole line between two offsets that is not empty; returns the offset after the last one. The bytes of a line are good until the next one. */
export function readLines(fd: number, from: number, to: number, line: LineReader, onRead?: OnRead): number {
  const end = readChunks(fd, from, to, line, onRead);
  onRead?.(to, to);
  return end;
}

function readChunks(fd: number, from: number, to: number, line: LineReader, onRead?: OnRead): number {
  let offset = from;
  let number = 0;
  let chunk = 1 << 20;
  let buffer = Buffer.allocUnsafe(Math.min(chunk, Math.max(0, to - from)));
  while (offset < to) {
    const bytes = buffer.subarray(0, readSync(fd, buffer, 0, Math.min(buffer.length, to - offset), offset));
    let start = offset === 0 ? markLength(bytes) : 0;
    const begins = start;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
      number += 1;
      const stop = bytes[end - 1] === carriageReturn ? end - 1 : end; // git, on some machines, ends lines otherwise
      if (stop > start) line(bytes.subarray(start, stop), offset + start, number);
      start = end + 1;
    }
    offset += start === begins ? 0 : start;
    onRead?.(offset, to);
    if (start === begins && bytes.length < chunk) return offset;
    if (start === begins) {
      chunk *= 2; // one line longer than the chunk
      buffer = Buffer.allocUnsafe(Math.min(chunk, to - offset));
    }
  }
  return offset;
}

/** How long the byte order mark is that some editor put before the first line; 0 where there is none. */
export function markLength(bytes: Buffer): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

const newline = 0x0a;
const carriageReturn = 0x0d;
