import { type BigIntStats, readFileSync, statSync } from "node:fs";
import { noteRead } from "./reads.ts";

/** What reading a file that may change at any time gives. */
export type LiveRead<T> = { readonly value: T } | { readonly missing: true } | { readonly unreadable: string };

/** Makes a reader that always answers with what is on disk now, and does the reading again only where the file has changed. */
export function liveRead<T>(read: (path: string, stats: BigIntStats) => T): (path: string) => LiveRead<T> {
  const kept = new Map<string, { readonly stats: BigIntStats; readonly result: LiveRead<T> }>();
  return (path) => {
    try {
      const stats = lookAt(path);
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
  const read = liveRead((path, stats) => {
    if (!stats.isFile()) throw new Error("it is not a file");
    if (stats.size > mostBytes) throw new Error(`it is larger than ${mostBytes / 1024} KB`);
    return parse(readFileSync(path, "utf8").replace(/^\uFEFF/, ""));
  });
  return (path) => {
    noteRead(path);
    return read(path);
  };
}

/** Looks at what stands at a path, and remembers for `whileUnchanged` that this was looked at. */
export function lookAt(path: string): BigIntStats | undefined {
  const stats = glance(path);
  looks?.set(path, stats);
  return stats;
}

/** What was seen during the call at hand, where somebody asked for that to be remembered. */
let glances: Map<string, BigIntStats | undefined> | null = null;

/** Looks at each path once until the call at hand has been answered: one call sees one state of the files. */
export function lookOncePerCall(): void {
  if (glances !== null) return;
  glances = new Map();
  setImmediate(() => {
    glances = null;
  });
}

function glance(path: string): BigIntStats | undefined {
  if (glances?.has(path)) return glances.get(path);
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  glances?.set(path, stats);
  return stats;
}

/** What is being looked at while a value is made. */
let looks: Map<string, BigIntStats | undefined> | null = null;

/** Remembers a value for as long as nothing that was looked at while making it has changed on disk. */
export function whileUnchanged<T>(make: () => T): () => T {
  let kept: { readonly value: T; readonly seen: Map<string, BigIntStats | undefined> } | null = null;
  return () => {
    if (kept !== null && isAllUnchanged(kept.seen)) return kept.value;
    const seen = new Map<string, BigIntStats | undefined>();
    const outer = looks;
    looks = seen;
    try {
      const value = make();
      const isKeepable = [...seen.values()].every((stats) => stats === undefined || isSettled(stats));
      kept = isKeepable ? { value, seen } : null;
      return value;
    } finally {
      looks = outer;
    }
  };
}

function isAllUnchanged(seen: ReadonlyMap<string, BigIntStats | undefined>): boolean {
  for (const [path, before] of seen) {
    const now = unlessUnreadable(path);
    const isSame = before === undefined || now === undefined ? before === now : isUnchanged(before, now);
    if (!isSame) return false;
  }
  return true;
}

function unlessUnreadable(path: string): BigIntStats | undefined {
  try {
    return glance(path);
  } catch {
    return undefined;
  }
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
