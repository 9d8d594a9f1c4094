import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askGitWith } from "../../repository/git/ask-git.ts";

/** Git's tree of a repository without a commit. */
export const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** A file, link or submodule of a commit. */
export type TreeEntry = { readonly mode: string; readonly blob: string; readonly path: string };

/** A work tree against a commit; all paths are relative to its top. */
export type TreeListing = {
  readonly entries: readonly TreeEntry[];
  /** Files and repositories that the commit does not have and no ignore file names. */
  readonly untracked: readonly string[];
  /** The paths that ignore files hide, each with the file that hides it; "" if that is none of the work tree. */
  readonly ignored: readonly { readonly path: string; readonly by: string }[];
};

/** Lists a commit and what it does not have below a folder, with an index of our own; or returns why git cannot. */
export async function listAgainst(
  tree: string,
  commit: string,
  folder: string,
): Promise<TreeListing | { readonly failed: string }> {
  const scratch = await mkdtemp(join(tmpdir(), "waymark-index-"));
  let failed: string | undefined;
  const ask = async (args: readonly string[], input = ""): Promise<readonly string[]> => {
    const answer = await askGitWith(tree, { index: join(scratch, "index"), input }, ...args);
    if ("failed" in answer) failed ??= answer.failed;
    return "failed" in answer ? [] : pathsIn(answer.text);
  };
  const others = ["--literal-pathspecs", "ls-files", "-z", "--others", "--exclude-per-directory=.gitignore"];
  const where = folder === "" ? [] : ["--", folder];
  try {
    await ask(["read-tree", ...(commit === emptyTree ? ["--empty"] : [commit])]);
    const [staged, untracked, hidden] = await Promise.all([
      ask(["ls-files", "-z", "--stage"]),
      ask([...others, ...where]),
      ask([...others, "--ignored", "--directory", ...where]),
    ]);
    if (failed !== undefined) return { failed };
    // Git ends with an error here if no rule matches; then nothing is known to hide them.
    const rules = hidden.length === 0 ? [] : await ask(findingRules, hidden.map((path) => `${path}\0`).join(""));
    const hiddenBy = new Map<string, string>();
    for (let at = 0; at + 3 < rules.length; at += 4) hiddenBy.set(rules[at + 3] ?? "", rules[at] ?? "");
    return {
      entries: staged.flatMap(entryOf),
      untracked,
      ignored: hidden.map((path) => ({ path, by: hiddenBy.get(path) ?? "" })),
    };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

const findingRules = ["check-ignore", "-z", "--stdin", "--verbose", "--non-matching", "--no-index"];

function entryOf(line: string): readonly TreeEntry[] {
  const [, mode = "", blob = "", path] = /^(\d+) ([0-9a-f]+) \d\t(.+)$/su.exec(line) ?? [];
  return path === undefined ? [] : [{ mode, blob, path }];
}

/** The paths of an answer that ends each with a zero. */
export function pathsIn(text: string): readonly string[] {
  return text.split("\0").slice(0, -1);
}
