import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open, readlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { realPath } from "../../paths/real-path.ts";
import { compileGlob } from "../rules/glob.ts";
import { listFiles, mostFiles } from "./list-files.ts";
import { getLook, isSameLook, type Look, type LookAtAll, type Looks } from "./look.ts";
import { lookAtAll } from "./look-at-all.ts";

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

/** Makes a reader with a memory of its own; `now` is the clock, `look` looks at files and `digest` reads one. */
export function fileReader({ now = Date.now, look = lookAtAll, digest = digestOf } = {}): FileReader {
  const memory: Memory = { known: new Map(), now, look, digest };
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
    return hashesOf(area, paths, memory);
  };
}

/** What is known of the files of each folder, and what makes it known. */
type Memory = {
  readonly known: Map<string, Map<string, Known>>;
  readonly now: () => number;
  readonly look: LookAtAll;
  readonly digest: typeof digestOf;
};

/** The hash of a file as it was when it was looked at. */
type Known = { readonly looks: Looks; readonly at: number; readonly hash: string };

/** All are looked at; only those that are not known as they stand are read, a few at a time. */
async function hashesOf(area: string, paths: readonly string[], memory: Memory): Promise<FilesRead> {
  const known = memory.known.get(area) ?? new Map<string, Known>();
  memory.known.set(area, known);
  const looks = await memory.look(area, paths);
  const unknown: number[] = [];
  const hashes = paths.map((path, at) => {
    const before = known.get(path);
    if (before !== undefined && isSameLook(before.looks, before.at, looks, at)) return before.hash;
    unknown.push(at);
    return undefined;
  });
  const work = async (): Promise<void> => {
    for (let at = unknown.pop(); at !== undefined; at = unknown.pop()) {
      const path = paths[at] ?? "";
      const look = getLook(looks, at);
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
 * The hash of one file, and whether it can be remembered: one that was touched at about the time it was read may be touched
 * again unseen, and what is behind a link can change without it.
 */
async function hashOf(
  file: string,
  look: Look,
  memory: Memory,
): Promise<{ readonly hash: string; readonly isSettled?: boolean }> {
  if (look.kind === "link")
    return { hash: `link ${await readlink(file).catch(() => "")} ${await behindLink(file, memory)}` };
  if (look.kind === "other") return { hash: "no file" };
  const startedNs = BigInt(memory.now()) * 1_000_000n;
  const digest = await memory.digest(file, look.size);
  if (digest === undefined) return { hash: "unreadable" };
  const isSettled = startedNs - look.mtimeNs > quickEdit && startedNs - look.ctimeNs > quickEdit;
  return { hash: `${look.isRunnable ? "x" : "-"} ${digest}`, isSettled };
}

/** What stands behind a link is what the command sees; of a folder, its files are listed where they stand. */
async function behindLink(file: string, memory: Memory): Promise<string> {
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
