import type { CheckResult, GitCheck } from "../../evidence/check.ts";
import { checkGit } from "./git-check.ts";
import { askGit } from "./quiet-git.ts";

/** What a repository is found to be now; `unseen`: what this checkout cannot tell. */
export type GitFound = {
  readonly status: CheckResult["status"] | "unseen";
  readonly summary: string;
  readonly unseen?: string;
};

/**
 * Looks again whether a repository is as a check wants it, as far as this checkout can tell. Build servers check out a commit and
 * no branch: which branch a step was done on stays as it is on record then.
 */
export async function checkGitAgain(folder: string, check: GitCheck, startedAt: string): Promise<GitFound> {
  const { branch, ...rest } = check;
  const head = branch === undefined ? undefined : await askGit(folder, "symbolic-ref", "--quiet", "HEAD");
  const commit =
    head !== undefined && "failed" in head ? await askGit(folder, "rev-parse", "--verify", "--quiet", "HEAD") : head;
  const isDetached = head !== undefined && "failed" in head && commit !== undefined && "text" in commit;
  if (isDetached && rest.clean !== true && rest.commitsSinceStart === undefined)
    return { status: "unseen", summary: noBranch };
  const found = await checkGit(folder, isDetached ? rest : check, startedAt);
  const shallow = await askGit(folder, "rev-parse", "--is-shallow-repository");
  const isCut = rest.commitsSinceStart !== undefined && "text" in shallow && shallow.text.trim() === "true";
  return {
    ...found,
    ...(isCut && found.status === "failed" ? { summary: `${found.summary} (${cutShort})` } : {}),
    ...(isDetached ? { unseen: noBranch } : {}),
  };
}

const noBranch = "no branch is checked out here, so the branch stays as it is on record";
const cutShort = "this clone knows only the end of the history: fetch all of it";
