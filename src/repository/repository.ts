import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { realPath, realPathOfNew, realPathOrSame } from "../kit/real-path.ts";
import { allowedWorkTrees } from "./allowed-trees.ts";

/** A work tree: its folder and branch; null if detached. */
export type WorkTree = { readonly folder: string; readonly branch: string | null };

/** The repository of a folder. */
export type Repository = {
  /** The folder's work tree. */
  readonly here: string;
  /** The main work tree. */
  readonly main: string;
  /** The git folder all work trees share. */
  readonly common: string;
};

/** Finds the repository of a folder by reading its files, without running git; undefined if it has no main work tree. */
export async function findRepository(folder: string): Promise<Repository | undefined> {
  const found = await findDotGit(folder);
  if (found === undefined) return undefined;
  const { tree, dotGit, isFolder } = found;
  if (isFolder) return { here: tree, main: tree, common: dotGit };
  const gitFolder = await pathIn(dotGit, gitdirLine);
  const common = gitFolder === undefined ? undefined : await pathIn(join(gitFolder, "commondir"), /^(.+)$/m);
  if (common === undefined || basename(common) !== ".git") return undefined;
  // The repository must know the work tree too: otherwise any file could claim to belong to it.
  const isKnown = (await linkedTrees(common)).some((one) => one.folder === tree);
  return isKnown ? { here: tree, main: dirname(common), common } : undefined;
}

const gitdirLine = /^gitdir: (.+)$/m;

/** The linked work trees that exist at allowed paths. */
export async function linkedTrees(common: string): Promise<readonly WorkTree[]> {
  const names = await readdir(join(common, "worktrees")).catch(() => []);
  const trees = names.sort().map(async (name): Promise<WorkTree | undefined> => {
    const folder = join(common, "worktrees", name);
    const dotGit = await pathIn(join(folder, "gitdir"), /^(.+)$/m);
    const tree = dotGit === undefined ? undefined : await realPath(dirname(dotGit));
    // Each must name the other: a moved or unrelated folder is no work tree.
    if (dotGit === undefined || tree === undefined || (await pathIn(dotGit, gitdirLine)) !== folder) return undefined;
    return { folder: tree, branch: await branchOf(folder) };
  });
  const found = (await Promise.all(trees)).filter((tree) => tree !== undefined);
  const trusted = allowedWorkTrees(
    dirname(common),
    found.map(({ folder }) => folder),
  );
  return found.filter(({ folder }) => trusted.has(folder));
}

/** The work tree that holds a folder, and its `.git`, which is a folder or a file that names one. */
export type DotGit = { readonly tree: string; readonly dotGit: string; readonly isFolder: boolean };

/** Finds the nearest `.git` from a folder upwards. */
export async function findDotGit(from: string): Promise<DotGit | undefined> {
  for (let tree = await realPathOfNew(from); ; tree = dirname(tree)) {
    const dotGit = join(tree, ".git");
    const found = await stat(dotGit).catch(() => undefined);
    if (found !== undefined) return { tree, dotGit, isFolder: found.isDirectory() };
    if (tree === dirname(tree)) return undefined;
  }
}

/** The git folder of a work tree; undefined if its `.git` file names none. */
export async function gitFolderOf({ dotGit, isFolder }: DotGit): Promise<string | undefined> {
  return isFolder ? dotGit : pathIn(dotGit, gitdirLine);
}

/** The branch of a work tree, also during a rebase, when HEAD is detached. */
async function branchOf(gitFolder: string): Promise<string | null> {
  for (const file of ["HEAD", "rebase-merge/head-name", "rebase-apply/head-name"]) {
    const [, branch] = /^(?:ref: )?refs\/heads\/(.+)$/m.exec(await textOf(join(gitFolder, file))) ?? [];
    if (branch !== undefined && branch !== ".invalid") return branch.trim();
  }
  return null;
}

/** The branch of the main work tree, unless it is the repository's main one; undefined also for a detached HEAD. */
export async function sideBranch({ common }: Repository): Promise<string | undefined> {
  const branch = await branchOf(common);
  return branch === null || branch === (await mainBranch(common)) ? undefined : branch;
}

/** The main branch: that of the remote, else `main` or `master`, else the one checked out. */
async function mainBranch(common: string): Promise<string | undefined> {
  const [, remote] =
    /^ref: refs\/remotes\/origin\/(.+)$/m.exec(await textOf(join(common, "refs/remotes/origin/HEAD"))) ?? [];
  if (remote !== undefined) return remote.trim();
  const packed = await readFile(join(common, "packed-refs"), "utf8").catch(() => "");
  const isKnown = async (name: string): Promise<boolean> =>
    (await textOf(join(common, "refs/heads", name))) !== "" || packed.includes(` refs/heads/${name}\n`);
  if (await isKnown("main")) return "main";
  if (await isKnown("master")) return "master";
  return (await branchOf(common)) ?? undefined;
}

/** The checked-out commit of a folder, read from git's files; undefined outside a repository or without a commit. */
export async function headCommit(folder: string): Promise<string | undefined> {
  const found = await findDotGit(folder);
  const own = found === undefined ? undefined : await gitFolderOf(found);
  if (own === undefined) return undefined;
  const common = (await pathIn(join(own, "commondir"), /^(.+)$/m)) ?? own;
  const head = (await textOf(join(own, "HEAD"))).trim();
  const [, ref] = /^ref: (refs\/[^\s]+)$/.exec(head) ?? [];
  if (ref === undefined) return commitIn(head);
  if (ref.split("/").includes("..")) return undefined;
  const packed = await readFile(join(common, "packed-refs"), "utf8").catch(() => "");
  const line = packed.split("\n").find((one) => one.endsWith(` ${ref}`));
  return commitIn(await textOf(join(common, ref))) ?? commitIn(line ?? "");
}

function commitIn(text: string): string | undefined {
  return /^[0-9a-f]{40}(?:[0-9a-f]{24})?(?=\s|$)/.exec(text)?.[0];
}

/** The path a small git file names, relative to that file. */
async function pathIn(file: string, line: RegExp): Promise<string | undefined> {
  const [, path] = line.exec(await textOf(file)) ?? [];
  if (path === undefined) return undefined;
  return realPathOrSame(resolve(dirname(file), path.trim()));
}

async function textOf(file: string): Promise<string> {
  return (await readFile(file, "utf8").catch(() => "")).slice(0, 4096);
}
