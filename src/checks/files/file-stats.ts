import type { BigIntStats } from "node:fs";

/** The stat of a path, enough to tell one write of a file from another. */
export type FileStat = {
  readonly kind: "file" | "link" | "other";
  readonly isRunnable: boolean;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
};

/** The stats of many paths as numbers, which pass between threads and compare without allocation. */
export type FileStats = { readonly numbers: BigInt64Array<ArrayBuffer>; readonly words: Uint32Array };

/** Stats many paths of a folder. */
export type StatFiles = (area: string, paths: readonly string[]) => Promise<FileStats>;

/** Allocates room for `count` stats; missing paths stay zero. */
export function makeStats(count: number): FileStats {
  return statsFrom(new BigInt64Array(count * size));
}

/** Wraps numbers as stats. */
export function statsFrom(numbers: BigInt64Array<ArrayBuffer>): FileStats {
  return { numbers, words: new Uint32Array(numbers.buffer) };
}

/** Stores the stat of one path. */
export function putStat({ numbers }: FileStats, at: number, found: BigIntStats | undefined): void {
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

/** The stat of one path; undefined if it does not exist. */
export function getStat({ numbers }: FileStats, at: number): FileStat | undefined {
  const number = (offset: number): bigint => numbers[at * size + offset] ?? 0n;
  const mark = number(0);
  if (mark === 0n) return undefined;
  const kind = (mark & other) === file ? "file" : (mark & other) === link ? "link" : "other";
  return { kind, isRunnable: mark >= runnable, size: number(1), mtimeNs: number(2), ctimeNs: number(3) };
}

/** Tells if two stats are of the same write of the same file. */
export function isSameStat(one: FileStats, at: number, another: FileStats, anotherAt: number): boolean {
  for (let offset = 0; offset < size * 2; offset++)
    if (one.words[at * size * 2 + offset] !== another.words[anotherAt * size * 2 + offset]) return false;
  return true;
}

/** The number of values per stat. */
const size = 6;

const [file, link, other, runnable] = [1n, 2n, 3n, 4n];
