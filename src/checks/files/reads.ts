import { createHash } from "node:crypto";
import { createReadStream, type Dirent } from "node:fs";
import { lstat, readdir, readlink, realpath } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { askGit } from "../git/quiet-git.ts";
import { compileGlob } from "../rules/glob.ts";

/** The files that a proof depends on, each with what it was: path, whether it can be run, and the hash of its content. */
export type FilesRead = ReadonlyMap<string, string>;

/** What of a project area a check reads. */
export type Reading = {
  /** Globs; left out: what git has or would take, and where there is no git, everything. */
  readonly globs?: readonly string[] | undefined;
  /** Paths that are never read: reports, which the check writes itself. */
  readonly except: readonly string[];
};

/** Reads what a proof depends on; remembers the hashes of files that have not been touched since. */
export type FileReader = (area: string, reading: Reading) => Promise<FilesRead | { readonly problem: string }>;

/** Makes a reader with a memory of its own. */
export function fileReader(): FileReader {
  const known = new Map<string, Known>();
  return async (area, { globs, except }) => {
    const listed = await listFiles(area);
    const wanted = globs === undefined ? undefined : globs.map((glob) => compileGlob(glob));
    const bad = wanted?.find((one) => "unusable" in one);
    if (bad !== undefined && "unusable" in bad) return { problem: bad.unusable };
    const left = new Set(except);
    const paths = listed
      .filter((path) => !left.has(path) && !isOurs(path))
      .filter((path) => wanted === undefined || wanted.some((one) => typeof one === "function" && one(path)))
      .sort();
    if (paths.length > mostFiles)
      return { problem: `it reads more than ${mostFiles.toLocaleString("en")} files: say which with reads` };
    const found = new Map<string, string>();
    let next = 0;
    const work = async (): Promise<void> => {
      for (let at = next++; at < paths.length; at = next++) {
        const path = paths[at] ?? "";
        const hash = await hashOf(join(area, path), known);
        if (hash !== undefined) found.set(path, hash);
      }
    };
    await Promise.all(Array.from({ length: 16 }, work));
    return new Map(paths.flatMap((path) => (found.has(path) ? [[path, found.get(path) ?? ""]] : [])));
  };
}

const mostFiles = 200_000;

type Known = { readonly stamp: string; readonly hash: string };

/** The hash of one file; one that was touched at about the time it was read may be touched again unseen, and is read each time. */
async function hashOf(file: string, known: Map<string, Known>): Promise<string | undefined> {
  const found = await lstat(file, { bigint: true }).catch(() => undefined);
  if (found === undefined) return undefined;
  if (found.isSymbolicLink()) return `link ${await readlink(file).catch(() => "")} ${await behindLink(file, known)}`;
  if (!found.isFile()) return "no file";
  const { size, mtimeNs, ctimeNs, ino, mode } = found;
  const stamp = [size, mtimeNs, ctimeNs, ino].join();
  const before = known.get(file);
  const isRunnable = (mode & 0o111n) !== 0n ? "x" : "-";
  if (before?.stamp === stamp) return `${isRunnable} ${before.hash}`;
  const startedNs = BigInt(Date.now()) * 1_000_000n;
  const hash = createHash("sha256");
  const isRead = await pipeline(createReadStream(file), hash).then(
    () => true,
    () => false,
  );
  if (!isRead) return "unreadable";
  const digest = hash.digest("hex");
  if (startedNs - mtimeNs > quickEdit && startedNs - ctimeNs > quickEdit) known.set(file, { stamp, hash: digest });
  else known.delete(file);
  return `${isRunnable} ${digest}`;
}

/** What stands behind a link is what the command sees; of a folder, its files are listed where they stand. */
async function behindLink(file: string, known: Map<string, Known>): Promise<string> {
  const target = await realpath(file).catch(() => undefined);
  return target === undefined ? "nothing" : ((await hashOf(target, known)) ?? "nothing");
}

/** Clocks of file systems are coarse: within so many nanoseconds two edits can look like one. */
const quickEdit = 2_000_000_000n;

/** What git has or would take; without git, everything. */
async function listFiles(area: string): Promise<readonly string[]> {
  const answer = await askGit(area, "ls-files", "-z", "--cached", "--others", "--exclude-standard");
  if ("text" in answer) return [...new Set(answer.text.split("\0").filter((path) => path !== ""))];
  return walk(area, "");
}

async function walk(area: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(area, folder), { withFileTypes: true }).catch((): Dirent[] => []);
  const found: string[] = [];
  for (const entry of entries) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (isOurs(path) || entry.name === ".git" || entry.name === "node_modules") continue;
    if (entry.isDirectory()) found.push(...(await walk(area, path)));
    else found.push(path);
    if (found.length > mostFiles) break;
  }
  return found;
}

/** What Waymark writes into a project area is no part of the work. */
function isOurs(path: string): boolean {
  return (
    path === "workflow_state.json" ||
    path === "activity_log.json" ||
    path === ".waymark" ||
    path.startsWith(".waymark/")
  );
}

/** The files that differ between two readings, in order. */
export function changedBetween(before: FilesRead, after: FilesRead): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path)).sort();
}
