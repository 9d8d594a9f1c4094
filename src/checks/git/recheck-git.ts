import type { CheckResult, GitCheck } from "../../gates/check.ts";
import { askGit } from "../../repository/git/ask-git.ts";
import { checkGit } from "./git-check.ts";
import type { CompareTree } from "./tree-changes.ts";

/** The git facts found now; `unseen` says what this checkout cannot tell. */
export type GitFound = {
  readonly status: CheckResult["status"] | "unseen";
  readonly summary: string;
  readonly unseen?: string;
};

/** Checks git facts again as far as this checkout can tell; build servers check out a commit without a branch, so the recorded branch stays. */
export async function recheckGit(
  folder: string,
  check: GitCheck,
  since: string | undefined,
  compare: CompareTree,
): Promise<GitFound> {
  const { branch, ...rest } = check;
  const head = branch === undefined ? undefined : await askGit(folder, "symbolic-ref", "--quiet", "HEAD");
  const commit =
    head !== undefined && "failed" in head ? await askGit(folder, "rev-parse", "--verify", "--quiet", "HEAD") : head;
  const isDetached = head !== undefined && "failed" in head && commit !== undefined && "text" in commit;
  if (isDetached && rest.clean !== true && rest.commitsSinceStart === undefined)
    return { status: "unseen", summary: noBranch };
  const found = await checkGit(folder, isDetached ? rest : check, since, compare);
  const shallow = await askGit(folder, "rev-parse", "--is-shallow-repository");
  const isCut = rest.commitsSinceStart !== undefined && "text" in shallow && shallow.text.trim() === "true";
  return {
    ...found,
    ...(isCut && found.status === "failed" ? { summary: `${found.summary} (${shallowClone})` } : {}),
    ...(isDetached ? { unseen: noBranch } : {}),
  };
}

const noBranch = "no branch is checked out here, so the recorded branch is kept";
const shallowClone = "this is a shallow clone: fetch the whole history";
