import { type MessageOutline, outlineMessage } from "./message-outline.ts";

/** Who hears of the lines that came in: one that was kept whole, or the outline of one that was too long to keep. */
export type LineHearer = {
  line(bytes: Buffer): void;
  tooLong(outline: MessageOutline): void;
};

/** Cuts what comes in into lines. No more than `longest` bytes of one are kept: what is longer is passed over up to its end. */
export function cutLines(longest: number, hearer: LineHearer): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let length = 0;
  /** Of a line that is passed over. */
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
