import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { sha256 } from "../evidence/sha256.ts";

/** A version of a definitions folder that a branch has had, laid out in a folder of its own. */
export type DefinitionVersion = { readonly commit: string; readonly folder: string };

/** The versions that were found, the newest first. */
export type DefinitionVersions = {
  readonly versions: readonly DefinitionVersion[];
  /** More than can be looked at: the oldest are left out. */
  readonly isCut: boolean;
  /** The clone knows only the end of the history. */
  readonly isShallow: boolean;
};

/** So many versions are looked at, the newest first. */
export const mostVersions = 200;

/** What of a definitions folder a walk can be judged by. */
const parts = ["bots", "base_actions", "workflows", "config.json"];

export type VersionsWanted = {
  readonly definitions: string;
  readonly ref: string;
  /** An empty folder to lay them out in. */
  readonly into: string;
  readonly progress: (read: number, total: number) => void;
};

/**
 * Lays out every version of a definitions folder that a branch of git has had, or says why that cannot be done. A version of the
 * branch is one that stood at its own end: what the commits of a merged branch had in between is none.
 */
export async function layOutVersions(
  wanted: VersionsWanted,
): Promise<DefinitionVersions | { readonly refused: string }> {
  const { definitions, ref, into, progress } = wanted;
  if (!/^[\p{L}\p{N}_@][\p{L}\p{N}_@{}~^./+#=-]*$/u.test(ref))
    return { refused: `--versions ${ref} is no name of a branch` };
  const top = await run(definitions, ["rev-parse", "--show-toplevel", "--show-prefix", "--is-shallow-repository"]);
  if ("failed" in top) return { refused: `${definitions} lies in no git repository that can be read (${top.failed})` };
  const [root = "", prefix = "", shallow] = top.out.toString("utf8").split("\n");
  const paths = parts.map((part) => `${prefix}${part}`);
  const listed = await run(root, [
    "rev-list",
    "--first-parent",
    `--max-count=${mostVersions + 1}`,
    ref,
    "--",
    ...paths,
  ]);
  if ("failed" in listed) return { refused: `there is no branch or commit ${ref} in this repository` };
  const commits = listed.out
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "");
  const seen = new Set<string>();
  const versions: DefinitionVersion[] = [];
  for (const [index, commit] of commits.slice(0, mostVersions).entries()) {
    progress(index + 1, Math.min(commits.length, mostVersions));
    const files = await filesOf(root, commit, paths);
    const name = sha256(JSON.stringify(files));
    if (files.length === 0 || seen.has(name)) continue;
    seen.add(name);
    const folder = join(into, String(index), basename(definitions));
    await layOut(
      root,
      folder,
      files.map((file) => ({ ...file, path: file.path.slice(prefix.length) })),
    );
    versions.push({ commit, folder });
  }
  return { versions, isCut: commits.length > mostVersions, isShallow: shallow === "true" };
}

type TreeFile = { readonly path: string; readonly blob: string };

/** The plain files of a version; links and other repositories are no part of it. */
async function filesOf(root: string, commit: string, paths: readonly string[]): Promise<readonly TreeFile[]> {
  const listed = await run(root, ["ls-tree", "-r", "-z", "--full-tree", commit, "--", ...paths]);
  if ("failed" in listed) throw new Error(`git could not list ${commit}: ${listed.failed}`);
  return listed.out
    .toString("utf8")
    .split("\0")
    .flatMap((line) => {
      const [, mode, blob, path] = /^(\d+) blob ([0-9a-f]+)\t(.+)$/su.exec(line) ?? [];
      const isPlain = mode === "100644" || mode === "100755";
      if (!isPlain || blob === undefined || path === undefined) return [];
      // A tree that somebody made by hand may hold any name.
      return path.split("/").some((part) => part === "" || part === "." || part === "..") ? [] : [{ path, blob }];
    });
}

async function layOut(root: string, folder: string, files: readonly TreeFile[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  const read = await run(root, ["cat-file", "--batch"], files.map(({ blob }) => `${blob}\n`).join(""));
  if ("failed" in read) throw new Error(`git could not read a version of the definitions: ${read.failed}`);
  let at = 0;
  for (const { path } of files) {
    const end = read.out.indexOf("\n", at);
    const size = Number(/ blob (\d+)$/.exec(read.out.toString("latin1", at, end))?.[1]);
    if (!Number.isInteger(size)) throw new Error("git could not read a version of the definitions.");
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, read.out.subarray(end + 1, end + 1 + size));
    at = end + 1 + size + 1;
  }
}

/** More than this is no definitions folder. */
const mostBytes = 256 * 1024 * 1024;

type Ran = { readonly out: Buffer } | { readonly failed: string };

/** Runs git with nothing but its arguments: no shell, no pathspec that means more than it says. */
function run(cwd: string, args: readonly string[], input = ""): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { cwd, encoding: "buffer", maxBuffer: mostBytes } as const;
    const child = execFile("git", ["--literal-pathspecs", ...args], options, (error, stdout, stderr) => {
      const why = stderr.toString("utf8").trim().split("\n")[0];
      resolve(error === null ? { out: stdout } : { failed: why || error.message });
    });
    child.stdin?.on("error", () => undefined); // git ended before it read: the exit says so
    child.stdin?.end(input);
  });
}
