import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fetchRemotes, runGit } from "../../repository/git/ask-git.ts";
import { findRepository } from "../../repository/repository.ts";

/** A fresh checkout of one commit, in a folder of its own. */
export type Checkout = { readonly area: string; remove(): Promise<void> };

/**
 * Checks a commit out into a new repository that shares only the objects with the one here: none of its settings, hooks, filters or
 * untracked files come along.
 */
export async function checkOut(repository: string, commit: string): Promise<Checkout | { readonly problem: string }> {
  const found = await findRepository(repository);
  if (found === undefined) return { problem: `${repository} is not in a git repository` };
  if (!(await hasCommit(repository, commit))) await fetchRemotes(repository);
  if (!(await hasCommit(repository, commit)))
    return { problem: `the commit ${commit.slice(0, 12)} is not in the runner's repository; commit and push it` };
  const area = await mkdtemp(join(tmpdir(), "waymark-checkout-"));
  const remove = (): Promise<void> => rm(area, { recursive: true, force: true });
  const git = join(area, ".git");
  for (const folder of ["objects/info", "refs/heads"]) await mkdir(join(git, folder), { recursive: true });
  await writeFile(join(git, "objects/info/alternates"), `${join(found.common, "objects")}\n`);
  await writeFile(join(git, "HEAD"), `${commit}\n`);
  await writeFile(join(git, "config"), commit.length > 40 ? sha256Config : "");
  const done = await runGit(area, ["reset", "--quiet", "--hard", commit]);
  if (!("failed" in done)) return { area, remove };
  await remove();
  return { problem: `git could not check out ${commit.slice(0, 12)}: ${done.failed}` };
}

const sha256Config = "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n";

async function hasCommit(repository: string, commit: string): Promise<boolean> {
  return !("failed" in (await runGit(repository, ["cat-file", "-e", `${commit}^{commit}`])));
}
