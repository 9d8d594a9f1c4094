import type { BigIntStats } from "node:fs";
import { noteRead } from "./reads.ts";
import { isGone, isUnchanged, sightOf, textOf } from "./stand.ts";

/** What reading a file that may change at any time gives. */
export type LiveRead<T> = { readonly value: T } | { readonly missing: true } | { readonly unreadable: string };

/**
 * Makes a reader that always answers with what is on disk now, and does the reading again only where the file has changed, or is not
 * at hand. `read` answers undefined where there is nothing to read yet.
 */
export function liveRead<T>(
  read: (path: string, stats: BigIntStats) => T | undefined,
  isAtHand: (path: string) => boolean = () => true,
): (path: string) => LiveRead<T> {
  const kept = new Map<string, { readonly stats: BigIntStats; readonly result: LiveRead<T> }>();
  return (path) => {
    try {
      const sight = sightOf(path);
      if (sight === undefined) return { missing: true };
      const { stats, isSettled } = sight;
      const known = kept.get(path);
      if (known !== undefined && isUnchanged(known.stats, stats) && isAtHand(path)) return known.result;
      const value = read(path, stats);
      if (value === undefined) return { missing: true };
      const result = { value };
      if (kept.size >= mostKept) kept.clear();
      if (isSettled) kept.set(path, { stats, result });
      return result;
    } catch (error) {
      return isGone(error) ? { missing: true } : { unreadable: reasonOf(error) };
    }
  };
}

/** Makes a live reader of one kind of text file: read as UTF-8, a byte order mark dropped, refused above a size, then parsed. */
export function liveFile<T>(parse: (text: string) => T, mostBytes = 8 * 1024 * 1024): (path: string) => LiveRead<T> {
  const read = liveRead((path, stats) => {
    if (!stats.isFile()) throw new Error("it is not a file");
    if (stats.size > mostBytes) throw new Error(`it is larger than ${mostBytes / 1024} KB`);
    const text = textOf(path);
    return text === undefined ? undefined : parse(text.replace(/^\uFEFF/, ""));
  });
  return (path) => {
    noteRead(path);
    return read(path);
  };
}

/** Looks at what stands at a path. */
export function lookAt(path: string): BigIntStats | undefined {
  return sightOf(path)?.stats;
}

const mostKept = 20_000;

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "it cannot be read";
  return "code" in error ? `it cannot be read (${error.code})` : error.message;
}
