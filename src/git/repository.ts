import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

/** A work tree of a repository: where it stands, and the branch it is on; null where it is on none. */
export type WorkTree = { readonly folder: string; readonly branch: string | null };

/** A repository as seen from one of its work trees. */
export type Repository = {
  /** The work tree that the folder lies in. */
  readonly here: WorkTree;
  /** The main work tree's folder; the same where this is it. */
  readonly main: string;
  /** The linked work trees, wherever they stand. */
  readonly linked: readonly WorkTree[];
};

/** Finds the repository that a folder lies in by looking at its files: no program is run. Undefined where there is none. */
export async function findRepository(folder: string): Promise<Repository | undefined> {
  const found = await findDotGit(await realpath(folder).catch(() => resolve(folder)));
  if (found === undefined) return undefined;
  const { tree, dotGit, isFolder } = found;
  if (isFolder) {
    const here = { folder: tree, branch: await branchOf(dotGit) };
    return { here, main: tree, linked: await linkedTrees(dotGit) };
  }
  const gitFolder = await pointedAt(dotGit, /^gitdir: (.+)$/m);
  const common = gitFolder === undefined ? undefined : await pointedAt(join(gitFolder, "commondir"), /^(.+)$/m);
  if (gitFolder === undefined || common === undefined || basename(common) !== ".git") return undefined;
  const linked = await linkedTrees(common);
  // The repository must know the work tree as well: else any file could claim to belong to any repository.
  const here = linked.find((one) => one.folder === tree);
  return here === undefined ? undefined : { here, main: dirname(common), linked };
}

async function findDotGit(from: string): Promise<{ tree: string; dotGit: string; isFolder: boolean } | undefined> {
  for (let tree = from; ; tree = dirname(tree)) {
    const dotGit = join(tree, ".git");
    const found = await stat(dotGit).catch(() => undefined);
    if (found !== undefined) return { tree, dotGit, isFolder: found.isDirectory() };
    if (tree === dirname(tree)) return undefined;
  }
}

async function linkedTrees(common: string): Promise<readonly WorkTree[]> {
  const names = await readdir(join(common, "worktrees")).catch(() => []);
  const trees = names.map(async (name): Promise<WorkTree | undefined> => {
    const folder = join(common, "worktrees", name);
    const dotGit = await pointedAt(join(folder, "gitdir"), /^(.+)$/m);
    if (dotGit === undefined) return undefined;
    const tree = await realpath(dirname(dotGit)).catch(() => undefined);
    return tree === undefined ? undefined : { folder: tree, branch: await branchOf(folder) };
  });
  return (await Promise.all(trees)).filter((tree) => tree !== undefined);
}

async function branchOf(gitFolder: string): Promise<string | null> {
  const head = await readFile(join(gitFolder, "HEAD"), "utf8").catch(() => "");
  const [, branch] = /^ref: refs\/heads\/(.+)$/m.exec(head.trim()) ?? [];
  return branch === undefined || branch === ".invalid" ? null : branch;
}

/** The path that a small file of git's names, relative to that file. */
async function pointedAt(file: string, line: RegExp): Promise<string | undefined> {
  const text = await readFile(file, "utf8").catch(() => "");
  const [, path] = line.exec(text.slice(0, 4096)) ?? [];
  if (path === undefined) return undefined;
  const resolved = resolve(dirname(file), path.trim());
  return realpath(resolved).catch(() => resolved);
}
