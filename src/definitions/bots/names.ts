/** A name as the product uses it: without the number in front, and without the characters that full paths are made of. */
export function asName(written: string): string {
  return pathSafe(written).replace(/^\d+[_\-\s]+(?=.)/, "");
}

/** A name that can stand in `bot.behavior.action` and as a file name; empty where nothing is left of it. */
export function pathSafe(written: string): string {
  return written.trim().replace(/[./\\\p{Cc}]+/gu, "_");
}

/** Orders folder names by the number in front, the unnumbered last, then by name. */
export function byNumber(a: string, b: string): number {
  const [first, second] = [numberOf(a), numberOf(b)];
  return first === second ? byName(a, b) : first - second;
}

/** Orders names the same way on every machine. */
export function byName(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function numberOf(folder: string): number {
  return Number(/^(\d{1,9})[_\-\s]/.exec(folder)?.[1] ?? Number.MAX_SAFE_INTEGER);
}
