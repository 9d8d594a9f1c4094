import type { BigIntStats } from "node:fs";
import { isMissingError, isUnchanged, loadedText, statOf } from "./file-entry.ts";
import { recordRead } from "./recorded-reads.ts";

/** The result of reading a file that may change at any time. */
export type LiveRead<T> = { readonly value: T } | { readonly missing: true } | { readonly unreadable: string };

/** Creates a reader that returns a file's current content and reads again only if it changed or is not cached; `read` returns undefined for nothing. */
export function liveRead<T>(
  read: (path: string, stats: BigIntStats) => T | undefined,
  isAtHand: (path: string) => boolean = () => true,
): (path: string) => LiveRead<T> {
  const kept = new Map<string, { readonly stats: BigIntStats; readonly result: LiveRead<T> }>();
  return (path) => {
    try {
      const stat = statOf(path);
      if (stat === undefined) return { missing: true };
      const { stats, isSettled } = stat;
      const known = kept.get(path);
      if (known !== undefined && isUnchanged(known.stats, stats) && isAtHand(path)) return known.result;
      const value = read(path, stats);
      if (value === undefined) return { missing: true };
      const result = { value };
      if (kept.size >= maxCached) kept.clear();
      if (isSettled) kept.set(path, { stats, result });
      return result;
    } catch (error) {
      return isMissingError(error) ? { missing: true } : { unreadable: reasonOf(error) };
    }
  };
}

/** Creates a live reader for a kind of text file: UTF-8, byte order mark dropped, limited in size, then parsed. */
export function liveFile<T>(parse: (text: string) => T, mostBytes = 8 * 1024 * 1024): (path: string) => LiveRead<T> {
  const read = liveRead((path, stats) => {
    if (!stats.isFile()) throw new Error("it is not a file");
    if (stats.size > mostBytes) throw new Error(`it is larger than ${mostBytes / 1024} KB`);
    const text = loadedText(path);
    return text === undefined ? undefined : parse(text.replace(/^\uFEFF/, ""));
  });
  return (path) => {
    recordRead(path);
    return read(path);
  };
}

/** The stats of a path, or undefined if it does not exist. */
export function statsOf(path: string): BigIntStats | undefined {
  return statOf(path)?.stats;
}

const maxCached = 20_000;

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "it cannot be read";
  return "code" in error ? `it cannot be read (${error.code})` : error.message;
}
