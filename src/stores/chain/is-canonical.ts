import { canonical, type JsonObject } from "../../kit/json.ts";

/** Tells if bytes are the canonical JSON of their parsed value, mostly without serializing it again. */
export function isCanonical(bytes: Buffer, value: JsonObject): boolean {
  return isPlain(bytes) || canonical(value) === bytes.toString("utf8");
}

/** Tells if JSON is in its plainest form: no blanks or escapes, only short integers, sorted keys. */
function isPlain(bytes: Buffer): boolean {
  /** The offset of the last key of every open object, by depth; 0 for none. */
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

/** Tells if the key at `start` certainly sorts after the one at `before`; non-ASCII keys sort differently than their bytes. */
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
