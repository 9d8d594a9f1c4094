import { canonical, isObject, type JsonObject } from "../../evidence/json.ts";

/** Tells whether bytes are the canonical JSON of the value that they were parsed to. Most are, and that is seen without writing it again. */
export function isCanonical(bytes: Buffer, value: JsonObject): boolean {
  return plainKeys(bytes) === sortedKeys(value) || canonical(value) === bytes.toString("utf8");
}

/** How many keys a line has that is spelled as plainly as can be: no blank, no escape, no number but a short integer; else nothing. */
function plainKeys(bytes: Buffer): number | undefined {
  let keys = 0;
  let digits = 0;
  for (let at = 0; at < bytes.length; at++) {
    const code = bytes[at] ?? 0;
    if (code >= zero && code <= nine) {
      digits++;
      continue;
    }
    const isExponent = digits > 0 && (code === 0x45 || code === 0x65);
    if (digits > 15 || isExponent || code <= space || code === plus || code === minus || code === dot) return undefined;
    digits = 0;
    if (code === colon) keys++;
    if (code !== quote) continue;
    for (at++; bytes[at] !== quote; at++) if (bytes[at] === backslash) return undefined;
  }
  return keys;
}

/** How many keys a value has in all where those of each object stand in order; else not a number. Parsing may have moved one that begins with a digit. */
function sortedKeys(value: unknown): number {
  let keys = 0;
  if (Array.isArray(value)) {
    for (const item of value) keys += sortedKeys(item);
  } else if (isObject(value)) {
    let before = "";
    for (const key in value) {
      const first = key.charCodeAt(0);
      if (key < before || (first >= zero && first <= nine)) return Number.NaN;
      keys += 1 + sortedKeys(value[key]);
      before = key;
    }
  }
  return keys;
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
