import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open, readlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { realPath } from "../../kit/real-path.ts";
import { compileGlob } from "../rules/glob.ts";
import { type FileStat, type FileStats, getStat, isSameStat, type StatFiles } from "./file-stats.ts";
import { isFolder, listFiles, listFolder, mostFiles, mostListed } from "./list-files.ts";
import { mostHashed } from "./read-plain.ts";
import { statFiles } from "./stat-files.ts";

/** The files a proof depends on: path, executable bit and content hash. */
export type FilesRead = ReadonlyMap<string, string>;

/** The part of a project area that a check reads. */
export type Reading = {
  /** Globs; if left out, what git tracks or would add, and everything without git. */
  readonly globs?: readonly string[] | undefined;
  /** Paths that are never read: the reports the check writes. */
  readonly except: readonly string[];
  /** Paths and globs of other checks' output, never read either. */
  readonly never?: readonly string[] | undefined;
};

/** Reads what a proof depends on, caching the hashes of untouched files. */
export type FileReader = (area: string, reading: Reading) => Promise<FilesRead | { readonly problem: string }>;

/** Hashes files of a folder by their paths; what does not exist is left out. */
export type HashFiles = (area: string, paths: readonly string[]) => Promise<FilesRead>;

/** Makes a hasher with its own cache; `now` is the clock, `look` stats files and `digest` reads one. */
export function fileHasher({ now = Date.now, look = statFiles, digest = digestOf } = {}): HashFiles {
  const memory: Memory = { known: new Map(), now, look, digest };
  return (area, paths) => hashesOf(area, paths, memory);
}

/** Makes a reader with its own cache. */
export function fileReader(options: Parameters<typeof fileHasher>[0] = {}): FileReader {
  const hash = fileHasher(options);
  return async (area, { globs, except, never = [] }) => {
    const isNever = never.filter((glob) => glob.includes("*")).map((glob) => compileGlob(glob));
    const wanted = globs?.map((glob) => compileGlob(glob, "hidden files too"));
    const bad = wanted?.find((one) => "unusable" in one);
    if (bad !== undefined && "unusable" in bad) return { problem: bad.unusable };
    const left = new Set([...except, ...never]);
    const isRead = (path: string): boolean =>
      !left.has(path) &&
      !isNever.some((one) => typeof one === "function" && one(path)) &&
      (wanted === undefined || wanted.some((one) => typeof one === "function" && one(path)));
    const listed = await listFiles(area, globs);
    const paths = listed.filter(isRead).sort();
    if (paths.length > mostFiles || listed.length > mostListed) return { problem: tooMany };
    const read = await hash(area, paths);
    // What git lists as one entry can be a folder: a link to one, a submodule, a repository of its own.
    const folders = globs === undefined ? await foldersAmong(area, read) : [];
    if (folders.length === 0) return read;
    const below = (await Promise.all(folders.map((folder) => listFolder(area, folder)))).flat().filter(isRead);
    if (paths.length + below.length > mostFiles) return { problem: tooMany };
    return new Map([...read, ...(await hash(area, below.sort()))]);
  };
}

const tooMany = `it reads more than ${mostFiles.toLocaleString("en")} files: limit them with reads`;

async function foldersAmong(area: string, read: FilesRead): Promise<readonly string[]> {
  const odd = [...read].flatMap(([path, hash]) => (hash === "no file" || hash.startsWith("link ") ? [path] : []));
  const found = await Promise.all(odd.map(async (path) => ((await isFolder(join(area, path))) ? [path] : [])));
  return found.flat();
}

/** The known files of each folder and the functions that read them. */
type Memory = {
  readonly known: Map<string, Map<string, KnownHash>>;
  readonly now: () => number;
  readonly look: StatFiles;
  readonly digest: typeof digestOf;
};

/** The hash of a file at the time of its stat. */
type KnownHash = { readonly looks: FileStats; readonly at: number; readonly hash: string };

/** Stats all files and reads only the unknown ones, a few at a time. */
async function hashesOf(area: string, paths: readonly string[], memory: Memory): Promise<FilesRead> {
  const known = memory.known.get(area) ?? new Map<string, KnownHash>();
  memory.known.set(area, known);
  const looks = await memory.look(area, paths);
  const unknown: number[] = [];
  const hashes = paths.map((path, at) => {
    const before = known.get(path);
    if (before !== undefined && isSameStat(before.looks, before.at, looks, at)) return before.hash;
    unknown.push(at);
    return undefined;
  });
  const work = async (): Promise<void> => {
    for (let at = unknown.pop(); at !== undefined; at = unknown.pop()) {
      const path = paths[at] ?? "";
      const look = getStat(looks, at);
      const { hash, isSettled = false } = look === undefined ? {} : await hashOf(join(area, path), look, memory);
      hashes[at] = hash;
      if (hash !== undefined && isSettled) known.set(path, { looks, at, hash });
      else known.delete(path);
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
  const read = new Map<string, string>();
  for (const [at, path] of paths.entries()) {
    const hash = hashes[at];
    if (hash !== undefined) read.set(path, hash);
  }
  return read;
}

/**
 * Hashes one file, and says if it can be cached: a file touched while it was read may change again unnoticed, and the target of a link
 * can change without it.
 */
async function hashOf(
  file: string,
  look: FileStat,
  memory: Memory,
): Promise<{ readonly hash: string; readonly isSettled?: boolean }> {
  if (look.kind === "link")
    return { hash: `link ${await readlink(file).catch(() => "")} ${await hashLinkTarget(file, memory)}` };
  if (look.kind === "other") return { hash: "no file" };
  if (look.size > mostHashed) return { hash: `large ${look.size}-${look.ctimeNs}` };
  const startedNs = BigInt(memory.now()) * 1_000_000n;
  const digest = await memory.digest(file, look.size);
  if (digest === undefined) return { hash: "unreadable" };
  const isSettled = startedNs - look.mtimeNs > clockGranularityNs && startedNs - look.ctimeNs > clockGranularityNs;
  return { hash: `${look.isRunnable ? "x" : "-"} ${digest}`, isSettled };
}

/** A command sees what a link points to; the files of a linked folder are listed below it. */
async function hashLinkTarget(file: string, memory: Memory): Promise<string> {
  const target = await realPath(file);
  if (target === undefined) return "nothing";
  const behind = await hashesOf(dirname(target), [basename(target)], memory);
  return behind.get(basename(target)) ?? "nothing";
}

async function digestOf(file: string, size: bigint): Promise<string | undefined> {
  const hash = createHash("sha256");
  try {
    const handle = await open(file, plainly);
    try {
      if (size > atOnce) await pipeline(handle.createReadStream({ autoClose: false }), hash);
      else hash.update(await handle.readFile());
    } finally {
      await handle.close();
    }
    return hash.digest("hex");
  } catch {
    return undefined;
  }
}

/** Bytes per read. */
const atOnce = 1 << 20;

/** Does not follow links or block on pipes. */
const plainly = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** File system clocks are coarse: within this many nanoseconds two edits can look like one. */
const clockGranularityNs = 2_000_000_000n;

/** The files that differ between two readings, sorted. */
export function changedBetween(before: FilesRead, after: FilesRead): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path)).sort();
}
