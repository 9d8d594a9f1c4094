import { editDistance } from "../kit/edit-distance.ts";

/** Finds the submitted name most likely meant for each missing one, nearest first. */
export function findHints(missing: readonly string[], spare: readonly string[]): ReadonlyMap<string, string> {
  const names = spare.filter(isPresentable).slice(0, most).map(asName);
  const pairs = missing
    .slice(0, most)
    .map(asName)
    .flatMap((field) => names.map((name) => ({ field, name, far: distance(field, name) })))
    .filter(({ far }) => far < unlike)
    .sort((a, b) => a.far - b.far);
  const hints = new Map<string, string>();
  const taken = new Set<string>();
  for (const { field, name } of pairs) {
    if (hints.has(field.written) || taken.has(name.written)) continue;
    hints.set(field.written, name.written);
    taken.add(name.written);
  }
  return hints;
}

// A caller may send any number of names of any length.
const most = 50;
const longest = 80;
const unlike = 100;

type Name = { readonly written: string; readonly letters: string; readonly words: readonly string[] };

/** Only a name that looks like one is repeated to the caller. */
function isPresentable(name: string): boolean {
  return name.length <= longest && /^[\p{L}\p{N}_][\p{L}\p{N}_\-. ]*$/u.test(name);
}

function asName(written: string): Name {
  const parts = written
    .slice(0, longest)
    .replace(/(\p{Ll}|\p{N})(?=\p{Lu})/gu, "$1_")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  const words = parts.filter((part) => part !== "");
  return { written, letters: words.join(""), words };
}

/** The distance of two names: equal but for case and separators is nearest; then names that share most words. */
function distance(a: Name, b: Name): number {
  if (a.letters === "" || b.letters === "") return unlike;
  const letters = editDistance(a.letters, b.letters);
  const length = Math.min(a.letters.length, b.letters.length);
  if (letters <= (length < 5 ? 1 : length < 12 ? 2 : 3)) return letters;
  const shared = a.words.filter((word) => b.words.some((other) => isSameWord(word, other))).length;
  const [fewer, more] = [a.words.length, b.words.length].sort((x, y) => x - y);
  const isEnough = shared === fewer || (shared >= 2 && shared * 2 >= (more ?? 0));
  return shared > 0 && isEnough ? 50 - shared : unlike;
}

/** The same word, or its plural. */
function isSameWord(a: string, b: string): boolean {
  return a === b || `${a}s` === b || a === `${b}s`;
}
