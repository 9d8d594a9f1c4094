import { canonical, type JsonObject } from "../../evidence/json.ts";

/** Tells whether bytes are the canonical JSON of the value that they were parsed to. Most are, and that is seen without writing it again. */
export function isCanonical(bytes: Buffer, value: JsonObject): boolean {
  return isPlain(bytes) || canonical(value) === bytes.toString("utf8");
}

/** Tells whether JSON is spelled as plainly as can be: no blank, no escape, no number but a short integer, every key after the one before it. */
function isPlain(bytes: Buffer): boolean {
  /** Where the last key begins of every object that is open, by its depth; 0 for none. */
  if (bytes.includes(backslash)) return false;
  const keys: number[] = [0];
  const { length } = bytes;
  let depth = 0;
  let digits = 0;
  for (let at = 0; at < length; at++) {
    const code = bytes[at] ?? 0;
    if (code === quote) {
      const start = at + 1;
      do at++;
      while (bytes[at] !== quote && at < length);
      if (bytes[at + 1] !== colon) continue;
      const before = keys[depth] ?? 0;
      if (before > 0 && !comesAfter(bytes, before, start)) return false;
      keys[depth] = start;
    } else if (code >= zero && code <= nine) {
      digits++;
      if (digits > 15) return false;
    } else {
      const isExponent = digits > 0 && (code === 0x45 || code === 0x65);
      if (isExponent || code <= space || code === plus || code === minus || code === dot) return false;
      digits = 0;
      if (code === opens) keys[++depth] = 0;
      else if (code === closes) depth--;
    }
  }
  return true;
}

/** Whether the key that begins at `start` comes after the one at `before`, for sure: what is not ASCII is ordered otherwise than its bytes. */
function comesAfter(bytes: Buffer, before: number, start: number): boolean {
  for (let at = 0; ; at++) {
    const one = bytes[before + at] ?? 0;
    const other = bytes[start + at] ?? 0;
    if (one !== other || one === quote) return other !== quote && (one === quote || (one < other && other < 0x80));
  }
}

const space = 0x20;
const quote = 0x22;
const plus = 0x2b;
const minus = 0x2d;
const dot = 0x2e;
const zero = 0x30;
const nine = 0x39;
const colon = 0x3a;
const backslash = 0x5c;
const opens = 0x7b;
const closes = 0x7d;
