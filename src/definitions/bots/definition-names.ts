/** Normalizes a name: drops a number prefix and the characters that separate full paths. */
export function normalizeName(written: string): string {
  return pathSafeName(written).replace(/^\d+[_\-\s]+(?=.)/, "");
}

/** Makes a name safe for `bot.behavior.action` and file names; empty if nothing is left. */
export function pathSafeName(written: string): string {
  return written.trim().replace(/[./\\\p{Cc}]+/gu, "_");
}

/** Compares folder names by number prefix, unnumbered last, then by name. */
export function compareByNumber(a: string, b: string): number {
  const [first, second] = [numberOf(a), numberOf(b)];
  return first === second ? compareNames(a, b) : first - second;
}

/** Compares names the same way on every machine. */
export function compareNames(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function numberOf(folder: string): number {
  return Number(/^(\d{1,9})[_\-\s]/.exec(folder)?.[1] ?? Number.MAX_SAFE_INTEGER);
}
