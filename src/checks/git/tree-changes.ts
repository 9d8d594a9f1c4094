import { readdir, readlink, stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { realPathOrSame } from "../../kit/real-path.ts";
import { askGit } from "../../repository/git/ask-git.ts";
import { findDotGit } from "../../repository/repository.ts";
import { fileHasher, type HashFiles } from "../files/file-reader.ts";
import { blobNames, blobNamesOfFile, formatOf, type ObjectFormat } from "./blob-names.ts";
import { emptyTree, listAgainst, pathsIn, type TreeEntry } from "./list-against.ts";

/** The paths, relative to a folder, of files that differ from a commit, sorted; or why git cannot tell. */
export type Changes = { readonly paths: readonly string[] } | { readonly failed: string };

/** Compares the files of a folder with a commit. */
export type CompareTree = (folder: string, commit: string) => Promise<Changes>;

/**
 * Makes a comparer of work trees with commits: it hashes every file, in submodules too, and counts untracked files unless an ignore file of
 * that very commit names them. The repository's index, settings, excludes and filters have no say. It caches hashes.
 */
export function treeComparer(): CompareTree {
  const hasherOf = (format: ObjectFormat): HashFiles =>
    fileHasher({ digest: (file, size) => blobNamesOfFile(file, size, format) });
  const hashers = { sha1: hasherOf("sha1"), sha256: hasherOf("sha256") };
  return async function compare(folder, commit) {
    const top = await findDotGit(folder);
    if (top === undefined) return { failed: "not a git repository" };
    const { tree } = top;
    const below = relative(tree, await realPathOrSame(folder))
      .split(sep)
      .join("/");
    const isInside = (path: string): boolean => below === "" || path.startsWith(`${below}/`);
    const listed = await listAgainst(tree, commit, below);
    if ("failed" in listed) return listed;
    const entries = listed.entries.filter(({ path }) => isInside(path) || isIgnoreFile(path));
    const changed = new Set(await differingEntries(tree, entries, hashers[formatOf(commit)]));
    const committed = new Set(
      entries.map(({ path }) => path).filter((path) => isIgnoreFile(path) && !changed.has(path)),
    );
    for (const { path, by } of listed.ignored) if (!committed.has(by)) changed.add(path);
    for (const path of listed.untracked) for (const one of await untrackedFiles(tree, path, compare)) changed.add(one);
    for (const { mode, blob, path } of entries)
      if (mode === submodule && !changed.has(path))
        for (const one of await changesInSubmodule(join(tree, path), blob, compare)) changed.add(`${path}${one}`);
    const start = below === "" ? 0 : below.length + 1;
    return {
      paths: [...changed]
        .filter(isInside)
        .map((path) => path.slice(start))
        .sort(),
    };
  };
}

/** The checked-out commit, the empty tree before the first one; undefined outside a repository. */
export async function commitOf(folder: string): Promise<string | undefined> {
  const head = await askGit(folder, "rev-parse", "--verify", "--quiet", "HEAD^{commit}");
  if ("text" in head) return head.text.trim();
  return "text" in (await askGit(folder, "symbolic-ref", "--quiet", "HEAD")) ? emptyTree : undefined;
}

/** Lists the paths in the index that differ from a commit, relative to the folder. */
export async function stagedChanges(folder: string, commit: string): Promise<Changes> {
  const options = ["--cached", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--ignore-submodules=none"];
  const listed = await askGit(folder, "diff-index", ...options, "--relative", commit, "--", ".");
  return "failed" in listed ? listed : { paths: pathsIn(listed.text) };
}

/** Tells if a folder is the top of a work tree. */
export async function isRepository(folder: string): Promise<boolean> {
  return (await stat(join(folder, ".git")).catch(() => undefined)) !== undefined;
}

const [submodule, link, program] = ["160000", "120000", "100755"];

function isIgnoreFile(path: string): boolean {
  return path === ".gitignore" || path.endsWith("/.gitignore");
}

/** The entries that are not on disk as committed; what is reached through a linked folder is another file. */
async function differingEntries(
  tree: string,
  entries: readonly TreeEntry[],
  hash: HashFiles,
): Promise<readonly string[]> {
  const folders = [...new Set(entries.flatMap(({ path }) => foldersAbove(path)))];
  const paths = entries.map(({ path }) => path);
  const [found, above] = [await hash(tree, paths), await hash(tree, folders)];
  const isMoved = (path: string): boolean => foldersAbove(path).some((folder) => above.get(folder) !== "no file");
  // Some file systems show every file as a program.
  const showsModes = process.platform !== "win32" && [...found.values()].some((one) => one.startsWith("- "));
  const differs = async ({ mode, blob, path }: TreeEntry): Promise<boolean> => {
    const now = found.get(path) ?? "";
    if (now === "" || isMoved(path)) return true;
    if (mode === submodule) return now !== "no file";
    if (mode === link && now.startsWith("link ")) return !(await linkNames(join(tree, path), blob)).includes(blob);
    const isPlain = now.startsWith("x ") || now.startsWith("- ");
    if (!isPlain || !now.includes(blob) || (mode === link && process.platform !== "win32")) return true;
    return showsModes && now.startsWith("x ") !== (mode === program);
  };
  const all = await Promise.all(entries.map(async (entry) => ((await differs(entry)) ? [entry.path] : [])));
  return all.flat();
}

function foldersAbove(path: string): readonly string[] {
  const above = dirname(path);
  return above === "." ? [] : [above, ...foldersAbove(above)];
}

async function linkNames(file: string, blob: string): Promise<readonly string[]> {
  const target = await readlink(file, "buffer").catch(() => undefined);
  return target === undefined ? [] : blobNames(target, formatOf(blob));
}

/** Lists the changes in a submodule since the commit it should be at, as endings of its path; "" is the submodule itself. */
async function changesInSubmodule(folder: string, commit: string, compare: CompareTree): Promise<readonly string[]> {
  if (!(await isRepository(folder))) return (await readdir(folder)).length === 0 ? [] : [""];
  if ((await commitOf(folder)) !== commit) return [""];
  const found = [await compare(folder, commit), await stagedChanges(folder, commit)];
  return found.flatMap((one) => ("failed" in one ? [""] : one.paths.map((path) => `/${path}`)));
}

/** An untracked file, or the files of an untracked repository. */
async function untrackedFiles(tree: string, path: string, compare: CompareTree): Promise<readonly string[]> {
  const inside = path.endsWith("/") ? await compare(join(tree, path), emptyTree) : { paths: [] };
  return "failed" in inside || inside.paths.length === 0 ? [path] : inside.paths.map((one) => `${path}${one}`);
}
