import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { isPathInside } from "../kit/is-path-inside.ts";
import { realPathOrSame } from "../kit/real-path.ts";
import { checkOut, checkOutVersions, filesAt, isRefName, runGit } from "./definition-versions.ts";
import { runGit as askRaw } from "./git/ask-git.ts";
import { isFolder } from "./project-root.ts";

/** The agreed state of a project that a proposed one is compared with. */
export type Base = {
  /** The base as named. */
  readonly name: string;
  readonly commit?: string;
  /** The top folder of the proposed files, and the folders laid out like it: the base, and where the proposal comes from. */
  readonly top: string;
  readonly folder: string;
  readonly fork: string;
  /** The definitions that judge: those of the base, unless they were given from elsewhere. */
  readonly definitions: string;
  /** The definitions folder below `top`, which must be that of the fork; undefined if they were given from elsewhere. */
  readonly proposedDefinitions?: string;
  /** The versions of the definitions since the fork. */
  readonly versions: readonly string[];
  /** The proposed commit contains the base. */
  readonly isMerged: boolean;
  /** A folder with the histories that the base had once and removed, as they were. */
  readonly removed: string;
  /** The files of the proposed commit that the fork does not have, and its submodules, if git knows. */
  readonly added: readonly string[];
  readonly submodules: readonly string[];
};

export type BaseRequest = {
  readonly base: string;
  readonly root: string;
  readonly definitions: string;
  /** An empty folder for what is read from git. */
  readonly into: string;
  readonly progress: (read: number, total: number) => void;
};

/** Opens a folder or commit as the base of a proposal, or returns why it cannot. */
export async function openBase(request: BaseRequest): Promise<Base | { readonly refused: string }> {
  const { base } = request;
  const folder = resolve(base);
  if (!isFolder(folder)) return baseCommit(request);
  // A proposal may hold a folder, and its author push a tag, of any name.
  if (await isCommit(request))
    return { refused: `--base ${base} is a folder and a commit: write ./${base} or refs/heads/${base}` };
  if (await isProposed(request.root, folder))
    return { refused: `--base ${base} is inside the proposed files: check it out beside them, or name a commit` };
  return baseFolder(request, folder);
}

/** A checkout of the base, laid out like the root. */
async function baseFolder({ base, root, definitions, into }: BaseRequest, folder: string): Promise<Base> {
  const inside = isPathInside(root, definitions) ? relative(root, definitions) : undefined;
  const { files, submodules } = await proposedBelow(root);
  const added = files.filter((path) => !existsSync(join(folder, path)));
  return {
    name: base,
    ...{ top: root, folder, fork: folder, versions: [], isMerged: true, added, submodules },
    removed: await removedHistories(folder, "HEAD", join(into, "removed")),
    definitions: inside === undefined ? definitions : join(folder, inside),
    ...(inside === undefined ? {} : { proposedDefinitions: inside }),
  };
}

/** Tells if a folder belongs to the proposal, which could bring one that judges it; another checkout inside it does not. */
async function isProposed(root: string, folder: string): Promise<boolean> {
  const topOf = (of: string): Promise<string | undefined> => lineOf(of, ["rev-parse", "--show-toplevel"]);
  const top = await realPathOrSame((await topOf(root)) ?? root);
  if (!isPathInside(top, await realPathOrSame(folder))) return false;
  const checkout = await topOf(folder);
  const own = checkout === undefined ? top : await realPathOrSame(checkout);
  const { submodules } = await proposedBelow(top);
  return own === top || submodules.some((path) => isPathInside(join(top, path), own));
}

async function isCommit({ base, root }: BaseRequest): Promise<boolean> {
  return (
    isRefName(base) && (await lineOf(root, ["rev-parse", "--verify", "--quiet", `${base}^{commit}`])) !== undefined
  );
}

/** A commit of the root's repository, and where HEAD comes from it. */
async function baseCommit(request: BaseRequest): Promise<Base | { readonly refused: string }> {
  const { base, root, definitions, into, progress } = request;
  const top = await lineOf(root, ["rev-parse", "--show-toplevel"]);
  if (top === undefined) return { refused: `--base ${base} is no folder, and ${root} is not in a git repository` };
  if (!(await isCommit(request))) return { refused: `this repository has no branch or commit ${base}, and no folder` };
  const named = await refsNamed(top, base.split(/[~^@]/)[0] ?? base);
  if (named.length > 1 || named.some((ref) => ref.startsWith("refs/tags/")))
    return { refused: `--base ${base} may be ${named.join(" or ")}: name the one that is meant in full` };
  const commit = await lineOf(top, ["rev-parse", "--verify", `${base}^{commit}`]);
  const origin = commit && (await lineOf(top, ["merge-base", commit, "HEAD"]));
  if (commit === undefined || origin === undefined)
    return { refused: `${base} and the checked-out commit have no commit in common: fetch the whole history` };
  const fork = origin === commit ? ((await forkOfMerge(top, commit)) ?? commit) : origin;
  const since = await agreedSince(top, commit);
  if (since === undefined)
    return { refused: `the checked-out commit has none of ${base}'s own commits: fetch the whole history` };
  // By its name, not by where it leads: a proposal can make it a link.
  const own = isPathInside(root, definitions)
    ? join(await realPathOrSame(root), relative(root, definitions))
    : definitions;
  const inside = isPathInside(top, own) ? relative(top, own) : undefined;
  const isOurs = (path: string): boolean =>
    path.split("/").includes(".waymark") || (inside !== undefined && isPathInside(join(top, inside), join(top, path)));
  const [tip, before] = [join(into, "base"), join(into, "fork")];
  await checkOut(
    top,
    tip,
    (await filesAt(top, commit, [])).filter(({ path }) => isOurs(path)),
  );
  const atFork = await filesAt(top, fork, []);
  if (fork !== commit)
    await checkOut(
      top,
      before,
      atFork.filter(({ path }) => isOurs(path)),
    );
  const known = new Set(atFork.map(({ path }) => path));
  const { files, submodules } = await proposedBelow(top);
  const added = files.filter((path) => !known.has(path));
  const versions =
    inside === undefined || origin === commit
      ? { versions: [] }
      : await checkOutVersions({
          definitions: own,
          ref: commit,
          since,
          into: join(into, "versions"),
          progress,
        });
  if ("refused" in versions) return versions;
  return {
    ...{
      name: base,
      commit,
      top,
      folder: tip,
      fork: fork === commit ? tip : before,
      isMerged: origin === commit,
      ...{ added, submodules },
      removed: await removedHistories(top, commit, join(into, "removed")),
    },
    definitions: inside === undefined ? definitions : join(tip, inside),
    ...(inside === undefined ? {} : { proposedDefinitions: inside }),
    versions: versions.versions.map((one) => one.folder),
  };
}

/**
 * The newest commit that is the base's own and that the proposal has. The merge base can be inside a branch that the base merged, whose
 * definitions were never agreed on; undefined if there is none.
 */
async function agreedSince(top: string, commit: string): Promise<string | undefined> {
  const later = await runGit(top, ["rev-list", "--first-parent", "--parents", commit, "^HEAD"]);
  const oldest = "failed" in later ? undefined : later.out.toString("utf8").trimEnd().split("\n").at(-1);
  return oldest === "" ? commit : oldest?.split(" ")[1];
}

/** Checks out every version of a history that a commit on the way to this one removed; none outside a repository. */
async function removedHistories(folder: string, commit: string, into: string): Promise<string> {
  const what = ["--full-history", "--no-renames", "-m", "--diff-filter=DT", "--raw", "--no-abbrev", "-z", "--format="];
  const listed = await askRaw(folder, ["log", ...what, commit, "--", ":(top,glob)**/.waymark/journal/**/*.jsonl"]);
  const found = "failed" in listed ? "" : listed.out.toString("utf8");
  const blobs = new Set(
    [...found.matchAll(/:100\d{3} \d{6} ([0-9a-f]+) [0-9a-f]+ [DT]\0/g)].map(([, blob = ""]) => blob),
  );
  await checkOut(
    folder,
    into,
    [...blobs].map((blob, at) => ({ path: `${at}.jsonl`, blob })),
  );
  return into;
}

/** The plain files and the submodules of the checked-out commit below a folder; none outside a repository. */
async function proposedBelow(
  folder: string,
): Promise<{ readonly files: readonly string[]; readonly submodules: readonly string[] }> {
  const listed = await runGit(folder, ["ls-tree", "-r", "-z", "HEAD"]);
  const entries = "failed" in listed ? [] : listed.out.toString("utf8").split("\0");
  const ofMode = (mode: RegExp): readonly string[] =>
    entries.flatMap((line) => (mode.test(line) ? [line.slice(line.indexOf("\t") + 1)] : []));
  return { files: ofMode(/^100/), submodules: ofMode(/^160000/) };
}

/** The commit that a merge of a proposal into the base comes from: the merge base of its two parents. */
async function forkOfMerge(top: string, base: string): Promise<string | undefined> {
  const [head, into, merged, ...more] = ((await lineOf(top, ["rev-list", "--parents", "-n", "1", "HEAD"])) ?? "").split(
    " ",
  );
  if (head === undefined || into !== base || merged === undefined || more.length > 0) return undefined;
  return lineOf(top, ["merge-base", into, merged]);
}

/** The branches and tags that a short name can mean; someone who may push a tag must not choose the base. */
async function refsNamed(top: string, name: string): Promise<readonly string[]> {
  const full = ["heads", "remotes", "tags"].map((kind) => `refs/${kind}/${name}`);
  const found = await runGit(top, ["for-each-ref", "--format=%(refname)", ...full]);
  return "failed" in found
    ? []
    : found.out
        .toString("utf8")
        .split("\n")
        .filter((ref) => full.includes(ref));
}

/** The first line that git prints; undefined if it fails or prints none. */
async function lineOf(cwd: string, args: readonly string[]): Promise<string | undefined> {
  const ran = await runGit(cwd, args);
  return "failed" in ran ? undefined : ran.out.toString("utf8").split("\n")[0] || undefined;
}
