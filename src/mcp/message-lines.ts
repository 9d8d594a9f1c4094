import { type MessageOutline, outlineMessage } from "./message-outline.ts";

/** Receives lines: whole ones, or the outline of one that was too long to keep. */
export type LineHandler = {
  line(bytes: Buffer): void;
  tooLong(outline: MessageOutline): void;
};

/** Splits input into lines; beyond `longest` bytes a line is not kept, only outlined. */
export function splitLines(longest: number, hearer: LineHandler): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let length = 0;
  /** The outline of a line that is too long. */
  let outline: MessageOutline | undefined;

  function add(bytes: Buffer): void {
    length += bytes.length;
    if (outline === undefined) parts.push(bytes);
    else outline.read(bytes);
    if (outline !== undefined || length <= longest) return;
    outline = outlineMessage();
    for (const part of parts) outline.read(part);
    parts = [];
  }

  function end(): void {
    const [line, passed] = [parts, outline];
    parts = [];
    length = 0;
    outline = undefined;
    if (passed !== undefined) hearer.tooLong(passed);
    else hearer.line(line.length === 1 && line[0] !== undefined ? line[0] : Buffer.concat(line));
  }

  return (chunk) => {
    let start = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, start)) {
      add(chunk.subarray(start, at));
      end();
      start = at + 1;
    }
    if (start < chunk.length) add(chunk.subarray(start));
  };
}

const newline = 0x0a;
