import { mkdir, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { sha256 } from "../kit/sha256.ts";
import { runGit as askRaw, type GitOutput } from "./git/ask-git.ts";

/** A version of a definitions folder on a branch, checked out into its own folder. */
export type DefinitionVersion = { readonly commit: string; readonly folder: string };

/** The versions found, newest first. */
export type DefinitionVersions = {
  readonly versions: readonly DefinitionVersion[];
  /** There were too many; the oldest are left out. */
  readonly isCut: boolean;
  /** The clone is shallow. */
  readonly isShallow: boolean;
};

/** The most versions considered, newest first. */
export const mostVersions = 200;

/** The parts of a definitions folder that judge no walk: what the engine keeps there, what search finds, and the program. */
const notJudging = [
  ...[
    "journal",
    "pinned",
    "heads",
    "held",
    "kept",
    "tmp",
    "sessions",
    "runs",
    "state",
    "index",
    "backups",
    "open",
    "notices",
    "forgotten",
  ],
  "standards",
  "vendor", // a copy of the program; a change of it is still named with the definitions
];

export type VersionsRequest = {
  readonly definitions: string;
  readonly ref: string;
  /** Only the version of this commit, which the branch comes from, and later ones. */
  readonly since?: string;
  /** An empty folder to check them out into. */
  readonly into: string;
  readonly progress: (read: number, total: number) => void;
};

/**
 * Checks out every version of a definitions folder that a branch has had, or returns why it cannot. Only versions at the branch's own
 * head count, not those of commits inside a merged branch.
 */
export async function checkOutVersions(
  wanted: VersionsRequest,
): Promise<DefinitionVersions | { readonly refused: string }> {
  const { definitions, ref, since, into, progress } = wanted;
  if (!isRefName(ref)) return { refused: `--versions ${ref} is not a branch name` };
  const top = await runGit(definitions, ["rev-parse", "--show-toplevel", "--show-prefix", "--is-shallow-repository"]);
  if ("failed" in top) return { refused: `${definitions} is not in a readable git repository (${top.failed})` };
  const [root = "", prefix = "", shallow] = top.out.toString("utf8").split("\n");
  const paths = [`:(top,literal)${prefix}`, ...notJudging.map((part) => `:(top,exclude,literal)${prefix}${part}`)];
  const range = since === undefined ? [ref] : [ref, `^${since}`];
  const limit = `--max-count=${mostVersions + 1}`;
  const listed = await askRaw(root, ["rev-list", "--first-parent", limit, ...range, "--", ...paths]);
  if ("failed" in listed) return { refused: `this repository has no branch or commit ${ref}` };
  const found = listed.out.toString("utf8").split("\n");
  const commits = [...found.filter((line) => line !== ""), ...(since === undefined ? [] : [since])];
  const seen = new Set<string>();
  const versions: DefinitionVersion[] = [];
  for (const [index, commit] of commits.slice(0, mostVersions).entries()) {
    progress(index + 1, Math.min(commits.length, mostVersions));
    const all = await filesAt(root, commit, prefix === "" ? [] : [prefix]);
    const files = all.filter(({ path }) => !notJudging.includes(path.slice(prefix.length).split("/")[0] ?? ""));
    const name = sha256(JSON.stringify(files));
    if (files.length === 0 || seen.has(name)) continue;
    seen.add(name);
    const folder = join(into, String(index), basename(definitions));
    await checkOut(
      root,
      folder,
      files.map((file) => ({ ...file, path: file.path.slice(prefix.length) })),
    );
    versions.push({ commit, folder });
  }
  return { versions, isCut: commits.length > mostVersions, isShallow: shallow === "true" };
}

/** Tells if a text is the name of a branch or commit, and no option or range. */
export function isRefName(ref: string): boolean {
  return /^[\p{L}\p{N}_@][\p{L}\p{N}_@{}~^./+#=-]*$/u.test(ref) && !ref.includes("..");
}

/** A plain file or link of a commit. */
export type TreeFile = { readonly path: string; readonly blob: string; readonly isLink?: true };

/** The plain files and links of a commit, without submodules. */
export async function filesAt(root: string, commit: string, paths: readonly string[]): Promise<readonly TreeFile[]> {
  const listed = await runGit(root, ["ls-tree", "-r", "-z", "--full-tree", commit, "--", ...paths]);
  if ("failed" in listed) throw new Error(`git could not list ${commit}: ${listed.failed}`);
  return listed.out
    .toString("utf8")
    .split("\0")
    .flatMap((line) => {
      const [, mode, blob, path] = /^(\d+) blob ([0-9a-f]+)\t(.+)$/su.exec(line) ?? [];
      const isLink = mode === "120000";
      const isPlain = mode === "100644" || mode === "100755";
      if (!(isPlain || isLink) || blob === undefined || path === undefined) return [];
      // A handmade tree may contain any name.
      if (path.split("/").some((part) => part === "" || part === "." || part === "..")) return [];
      return [{ path, blob, ...(isLink && { isLink }) }];
    });
}

/** Writes files of a repository into a folder; links come last, so that nothing is written through one. */
export async function checkOut(root: string, folder: string, files: readonly TreeFile[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  const read = await runGit(root, ["cat-file", "--batch"], files.map(({ blob }) => `${blob}\n`).join(""));
  if ("failed" in read) throw new Error(`git could not read a version of the definitions: ${read.failed}`);
  let at = 0;
  const links = new Map<string, Buffer>();
  for (const { path, isLink } of files) {
    const end = read.out.indexOf("\n", at);
    const size = Number(/ blob (\d+)$/.exec(read.out.toString("latin1", at, end))?.[1]);
    if (!Number.isInteger(size)) throw new Error("git could not read a version of the definitions.");
    const bytes = read.out.subarray(end + 1, end + 1 + size);
    at = end + 1 + size + 1;
    if (isLink) links.set(path, bytes);
    if (isLink) continue;
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }
  for (const [path, to] of links) {
    if ([...links.keys()].some((other) => path.startsWith(`${other}/`))) continue;
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await symlink(to, join(folder, path));
  }
}

/** Runs git with plain arguments: no magic pathspecs. */
export function runGit(folder: string, args: readonly string[], input = ""): Promise<GitOutput> {
  return askRaw(folder, ["--literal-pathspecs", ...args], { input });
}
