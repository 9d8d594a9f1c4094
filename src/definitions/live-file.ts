import { type BigIntStats, readFileSync, statSync } from "node:fs";

/** What reading a file that may change at any time gives. */
export type LiveRead<T> = { readonly value: T } | { readonly missing: true } | { readonly unreadable: string };

/** Makes a reader that always answers with what is on disk now, and does the reading again only where the file has changed. */
export function liveRead<T>(read: (path: string, stats: BigIntStats) => T): (path: string) => LiveRead<T> {
  const kept = new Map<string, { readonly stats: BigIntStats; readonly result: LiveRead<T> }>();
  return (path) => {
    try {
      const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
      if (stats === undefined) return { missing: true };
      const known = kept.get(path);
      if (known !== undefined && isUnchanged(known.stats, stats)) return known.result;
      const result = { value: read(path, stats) };
      if (kept.size >= mostKept) kept.clear();
      if (isSettled(stats)) kept.set(path, { stats, result });
      return result;
    } catch (error) {
      return isGone(error) ? { missing: true } : { unreadable: reasonOf(error) };
    }
  };
}

/** Makes a live reader of one kind of text file: read as UTF-8, a byte order mark dropped, refused above a size, then parsed. */
export function liveFile<T>(parse: (text: string) => T, mostBytes = 8 * 1024 * 1024): (path: string) => LiveRead<T> {
  return liveRead((path, stats) => {
    if (!stats.isFile()) throw new Error("it is not a file");
    if (stats.size > mostBytes) throw new Error(`it is larger than ${mostBytes / 1024} KB`);
    return parse(readFileSync(path, "utf8").replace(/^\uFEFF/, ""));
  });
}

const mostKept = 5000;

function isUnchanged(before: BigIntStats, now: BigIntStats): boolean {
  return (
    before.ino === now.ino &&
    before.size === now.size &&
    before.mtimeNs === now.mtimeNs &&
    before.ctimeNs === now.ctimeNs &&
    before.dev === now.dev
  );
}

/** File times tick in milliseconds: what changed just now may change again under the same time, so it is not kept yet. */
function isSettled({ ctimeMs, mtimeMs }: BigIntStats): boolean {
  const changed = ctimeMs > mtimeMs ? ctimeMs : mtimeMs;
  return Date.now() - Number(changed) > 100;
}

/** Gone between looking and reading, or a path that leads through a file. */
function isGone(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "it cannot be read";
  return "code" in error ? `it cannot be read (${error.code})` : error.message;
}
