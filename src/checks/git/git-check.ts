import type { CheckResult, GitCheck } from "../../gates/check.ts";
import { countText } from "../../kit/count-text.ts";
import { compileGlob } from "../rules/glob.ts";
import { askGit, type GitAnswer } from "./quiet-git.ts";

/** Checks git facts. */
export async function checkGit(
  folder: string,
  check: GitCheck,
  startedAt: string,
): Promise<Pick<CheckResult, "status" | "summary">> {
  const complaints = [
    check.clean === true ? await findDirt(folder) : undefined,
    check.branch === undefined ? undefined : await findBranch(folder, check.branch),
    check.commitsSinceStart === undefined ? undefined : await findCommits(folder, check.commitsSinceStart, startedAt),
  ].filter((one) => one !== undefined);
  if (complaints.length > 0) return { status: "failed", summary: complaints.join("; ") };
  return { status: "passed", summary: "every git condition is met" };
}

async function findDirt(folder: string): Promise<string | undefined> {
  const answer = await askGit(
    folder,
    "status",
    "--porcelain=v1",
    "-z",
    "--untracked-files=normal",
    "--ignore-submodules=dirty",
    "--no-renames",
    "--",
    ".",
    ...notOurs,
  );
  if ("failed" in answer) return saidBy(answer);
  const paths = answer.text
    .split("\0")
    .filter((line) => line !== "")
    .map((line) => line.slice(3));
  if (paths.length === 0) return undefined;
  const more = paths.length > 3 ? ` and ${paths.length - 3} more` : "";
  return `not committed: ${paths.slice(0, 3).join(", ")}${more}`;
}

/** Paths Waymark itself writes. */
const notOurs = ["workflow_state.json", "activity_log.json", ".waymark"]
  .map((path) => `:(exclude,top,glob)**/${path}/**`)
  .concat(["workflow_state.json", "activity_log.json"].map((path) => `:(exclude,top,glob)**/${path}`));

async function findBranch(folder: string, wanted: string): Promise<string | undefined> {
  const answer = await askGit(folder, "symbolic-ref", "--quiet", "--short", "HEAD");
  if ("failed" in answer) return "no branch is checked out";
  const branch = answer.text.trim();
  const matches = compileGlob(wanted.includes("/") ? wanted : `**/${wanted}`);
  if ("unusable" in matches) return matches.unusable;
  return branch === wanted || matches(branch) ? undefined : `the branch is ${branch}, not ${wanted}`;
}

async function findCommits(folder: string, wanted: number, startedAt: string): Promise<string | undefined> {
  const answer = await askGit(folder, "rev-list", "--count", `--since=${startedAt}`, "HEAD");
  if ("failed" in answer) return saidBy(answer);
  const found = Number(answer.text.trim());
  return found >= wanted ? undefined : `${countText(found, "commit")} since the step was opened; ${wanted} required`;
}

function saidBy({ failed }: GitAnswer & { failed: string }): string {
  return `git says: ${failed.slice(0, 200)}`;
}
