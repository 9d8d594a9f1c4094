import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, readlink, realpath } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { compileGlob } from "../rules/glob.ts";
import { listFiles, mostFiles } from "./list-files.ts";

/** The files that a proof depends on, each with what it was: path, whether it can be run, and the hash of its content. */
export type FilesRead = ReadonlyMap<string, string>;

/** What of a project area a check reads. */
export type Reading = {
  /** Globs; left out: what git has or would take, and where there is no git, everything. */
  readonly globs?: readonly string[] | undefined;
  /** Paths that are never read: reports, which the check writes itself. */
  readonly except: readonly string[];
  /** Paths and globs of what others leave there and is never read either. */
  readonly never?: readonly string[] | undefined;
};

/** Reads what a proof depends on; remembers the hashes of files that have not been touched since. */
export type FileReader = (area: string, reading: Reading) => Promise<FilesRead | { readonly problem: string }>;

/** Makes a reader with a memory of its own; `now` and `digest` are the clock and what reads a file. */
export function fileReader({ now = Date.now, digest = digestOf } = {}): FileReader {
  const memory: Memory = { known: new Map(), now, digest };
  return async (area, { globs, except, never = [] }) => {
    const listed = await listFiles(area, globs);
    const isNever = never.filter((glob) => glob.includes("*")).map((glob) => compileGlob(glob));
    const wanted = globs === undefined ? undefined : globs.map((glob) => compileGlob(glob));
    const bad = wanted?.find((one) => "unusable" in one);
    if (bad !== undefined && "unusable" in bad) return { problem: bad.unusable };
    const left = new Set([...except, ...never]);
    const paths = listed
      .filter((path) => !left.has(path) && !isNever.some((one) => typeof one === "function" && one(path)))
      .filter((path) => wanted === undefined || wanted.some((one) => typeof one === "function" && one(path)))
      .sort();
    if (paths.length > mostFiles)
      return { problem: `it reads more than ${mostFiles.toLocaleString("en")} files: say which with reads` };
    const found = new Map<string, string>();
    let next = 0;
    const work = async (): Promise<void> => {
      for (let at = next++; at < paths.length; at = next++) {
        const path = paths[at] ?? "";
        const hash = await hashOf(join(area, path), memory);
        if (hash !== undefined) found.set(path, hash);
      }
    };
    await Promise.all(Array.from({ length: 16 }, work));
    return new Map(paths.flatMap((path) => (found.has(path) ? [[path, found.get(path) ?? ""]] : [])));
  };
}

/** The hashes of files by what tells one writing from another. */
type Memory = {
  readonly known: Map<string, { readonly stamp: string; readonly hash: string }>;
  readonly now: () => number;
  readonly digest: typeof digestOf;
};

/** The hash of one file; one that was touched at about the time it was read may be touched again unseen, and is read each time. */
async function hashOf(file: string, memory: Memory): Promise<string | undefined> {
  const { known, now, digest: read } = memory;
  const found = await lstat(file, { bigint: true }).catch(() => undefined);
  if (found === undefined) return undefined;
  if (found.isSymbolicLink()) return `link ${await readlink(file).catch(() => "")} ${await behindLink(file, memory)}`;
  if (!found.isFile()) return "no file";
  const { size, mtimeNs, ctimeNs, ino, mode } = found;
  const stamp = [size, mtimeNs, ctimeNs, ino].join();
  const before = known.get(file);
  const isRunnable = (mode & 0o111n) !== 0n ? "x" : "-";
  if (before?.stamp === stamp) return `${isRunnable} ${before.hash}`;
  const startedNs = BigInt(now()) * 1_000_000n;
  const digest = await read(file, size);
  if (digest === undefined) return "unreadable";
  if (startedNs - mtimeNs > quickEdit && startedNs - ctimeNs > quickEdit) known.set(file, { stamp, hash: digest });
  else known.delete(file);
  return `${isRunnable} ${digest}`;
}

/** What stands behind a link is what the command sees; of a folder, its files are listed where they stand. */
async function behindLink(file: string, memory: Memory): Promise<string> {
  const target = await realpath(file).catch(() => undefined);
  return target === undefined ? "nothing" : ((await hashOf(target, memory)) ?? "nothing");
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

/** So many bytes are read in one go. */
const atOnce = 1 << 20;

/** What is a link or a pipe by now is not followed, and keeps nobody waiting. */
const plainly = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Clocks of file systems are coarse: within so many nanoseconds two edits can look like one. */
const quickEdit = 2_000_000_000n;

/** The files that differ between two readings, in order. */
export function changedBetween(before: FilesRead, after: FilesRead): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path)).sort();
}
