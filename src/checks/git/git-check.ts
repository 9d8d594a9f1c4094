import type { CheckResult, GitCheck } from "../../gates/check.ts";
import { countText } from "../../kit/count-text.ts";
import { askGit } from "../../repository/git/ask-git.ts";
import { compileGlob } from "../rules/glob.ts";
import { emptyTree } from "./list-against.ts";
import { type CompareTree, commitOf, stagedChanges } from "./tree-changes.ts";

/** Checks git facts; `since` is the commit HEAD was at when the step was opened. */
export async function checkGit(
  folder: string,
  check: GitCheck,
  since: string | undefined,
  compare: CompareTree,
): Promise<Pick<CheckResult, "status" | "summary">> {
  const complaints = [
    check.clean === true ? await findDirt(folder, compare) : undefined,
    check.branch === undefined ? undefined : await findBranch(folder, check.branch),
    check.commitsSinceStart === undefined ? undefined : await findCommits(folder, check.commitsSinceStart, since),
  ].filter((one) => one !== undefined);
  if (complaints.length > 0) return { status: "failed", summary: complaints.join("; ") };
  return { status: "passed", summary: "every git condition is met" };
}

async function findDirt(folder: string, compare: CompareTree): Promise<string | undefined> {
  const commit = await commitOf(folder);
  if (commit === undefined) return gitSays("not a git repository");
  const [changes, staged] = [await compare(folder, commit), await stagedChanges(folder, commit)];
  if ("failed" in changes) return gitSays(changes.failed);
  if ("failed" in staged) return gitSays(staged.failed);
  const paths = [...new Set([...changes.paths, ...staged.paths])].filter((path) => !ours.test(path)).sort();
  if (paths.length === 0) return undefined;
  const more = paths.length > 3 ? ` and ${paths.length - 3} more` : "";
  return `not committed: ${paths.slice(0, 3).join(", ")}${more}`;
}

/** The files Waymark keeps in a project area. */
const ours = /^(?:(?:workflow_state|activity_log)\.json$|\.waymark\/)/;

async function findBranch(folder: string, wanted: string): Promise<string | undefined> {
  const answer = await askGit(folder, "symbolic-ref", "--quiet", "--short", "HEAD");
  if ("failed" in answer) return "no branch is checked out";
  const branch = answer.text.trim();
  const matches = compileGlob(wanted.includes("/") ? wanted : `**/${wanted}`);
  if ("unusable" in matches) return matches.unusable;
  return branch === wanted || matches(branch) ? undefined : `the branch is ${branch}, not ${wanted}`;
}

async function findCommits(folder: string, wanted: number, since: string | undefined): Promise<string | undefined> {
  const open = "open the step again";
  if (since === undefined) return `the commit that the step was opened at is not on record: ${open}`;
  const isFirst = since === emptyTree;
  if (!isFirst && "failed" in (await askGit(folder, "merge-base", "--is-ancestor", since, "HEAD")))
    return `HEAD no longer contains ${since.slice(0, 12)}, the commit that the step was opened at: ${open}`;
  const answer = await askGit(folder, "rev-list", "--count", "HEAD", ...(isFirst ? [] : [`^${since}`]), "--");
  if ("failed" in answer) return gitSays(answer.failed);
  const found = Number(answer.text.trim());
  return found >= wanted ? undefined : `${countText(found, "commit")} since the step was opened; ${wanted} required`;
}

function gitSays(problem: string): string {
  return `git says: ${problem.slice(0, 200)}`;
}
