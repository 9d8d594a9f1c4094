import { readSync } from "node:fs";

/** Receives a line: its bytes, offset and number. */
export type LineReader = (bytes: Buffer, offset: number, number: number) => void;

/** Reports read progress: the offset and the end. */
export type OnRead = (offset: number, end: number) => void;

/** Passes on every non-empty whole line between two offsets and returns the offset after the last; a line's bytes are valid until the next one. */
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
    let start = offset === 0 ? byteOrderMarkLength(bytes) : 0;
    const begins = start;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
      number += 1;
      const stop = bytes[end - 1] === carriageReturn ? end - 1 : end; // git may convert line endings
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

/** The length of a byte order mark before the first line, or 0. */
export function byteOrderMarkLength(bytes: Buffer): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

const newline = 0x0a;
const carriageReturn = 0x0d;
