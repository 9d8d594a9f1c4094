import type { BigIntStats } from "node:fs";

/** What a look at a path tells: what stands there, and what tells one writing of a file from another. */
export type Look = {
  readonly kind: "file" | "link" | "other";
  readonly isRunnable: boolean;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
};

/** Looks at many paths, as numbers: they pass from thread to thread, and comparing them makes nothing. */
export type Looks = { readonly numbers: BigInt64Array<ArrayBuffer>; readonly words: Uint32Array };

/** Looks at many paths of a folder. */
export type LookAtAll = (area: string, paths: readonly string[]) => Promise<Looks>;

/** Room for so many looks; where nothing stands, nothing is put down. */
export function makeLooks(count: number): Looks {
  return looksIn(new BigInt64Array(count * size));
}

/** The looks that numbers stand for. */
export function looksIn(numbers: BigInt64Array<ArrayBuffer>): Looks {
  return { numbers, words: new Uint32Array(numbers.buffer) };
}

/** Puts down what was found at one path. */
export function putLook({ numbers }: Looks, at: number, found: BigIntStats | undefined): void {
  if (found === undefined) return;
  const kind = found.isFile() ? file : found.isSymbolicLink() ? link : other;
  const start = at * size;
  numbers[start] = kind | ((found.mode & 0o111n) !== 0n ? runnable : 0n);
  numbers[start + 1] = found.size;
  numbers[start + 2] = found.mtimeNs;
  numbers[start + 3] = found.ctimeNs;
  numbers[start + 4] = found.ino;
  numbers[start + 5] = found.dev;
}

/** What was found at one path; undefined where nothing stands. */
export function getLook({ numbers }: Looks, at: number): Look | undefined {
  const number = (offset: number): bigint => numbers[at * size + offset] ?? 0n;
  const mark = number(0);
  if (mark === 0n) return undefined;
  const kind = (mark & other) === file ? "file" : (mark & other) === link ? "link" : "other";
  return { kind, isRunnable: mark >= runnable, size: number(1), mtimeNs: number(2), ctimeNs: number(3) };
}

/** Tells whether two looks found the same: the same writing of the same file. */
export function isSameLook(one: Looks, at: number, another: Looks, anotherAt: number): boolean {
  for (let offset = 0; offset < size * 2; offset++)
    if (one.words[at * size * 2 + offset] !== another.words[anotherAt * size * 2 + offset]) return false;
  return true;
}

/** So many numbers are one look. */
const size = 6;

const [file, link, other, runnable] = [1n, 2n, 3n, 4n];
