import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AuditedDesk } from "../audit/audit.ts";
import { deskName } from "../audit/desk-name.ts";
import {
  type JudgedWalk,
  judgeRequired,
  nearest,
  type Required,
  whatIsRequired,
  type Yardsticks,
} from "../audit/required.ts";
import { definedIn, layOutVersions, observingAgain } from "../compose-require.ts";
import { UserFault } from "./fault.ts";
import { paint, plain, print } from "./print.ts";
import { progressOf } from "./progress.ts";

export type RequireOptions = {
  readonly require: string;
  readonly target: string | undefined;
  /** A branch of git: any version of the definitions that it has had will do. */
  readonly versions: string | undefined;
  /** Has every check of the walk looked at again, on the files as they are. */
  readonly recheck?: boolean | undefined;
};

/** What became of a demand: met where at least one walk of it holds. */
export type Verdict = {
  readonly workflow: string;
  readonly met: boolean;
  /** Why not: the first thing that is wrong with the walk that comes nearest. */
  readonly why: string | null;
  readonly problems: readonly string[];
  readonly walks: readonly JudgedWalk[];
  /** Which other versions of the definitions would have done. */
  readonly versions?: VersionsRead;
  /** How many checks were looked at again, where that was asked for. */
  readonly rechecked?: number;
};

type VersionsRead = { readonly ref: string; readonly read: number; readonly cut: boolean; readonly shallow: boolean };

type Folders = { readonly definitions: string; readonly projectArea: string };

/** Holds every walk of a workflow against the definitions as they stand, and against those of a branch where one is named. */
export async function judge(
  { require: name, target, versions: ref, recheck }: RequireOptions,
  audited: readonly AuditedDesk[],
  places: Folders,
): Promise<Verdict> {
  const defined = definedIn(places.definitions, places.projectArea);
  const required = whatIsRequired(name, target, defined, audited);
  if ("unclear" in required) throw new UserFault(`${required.unclear}.`);
  const against = async (versions: readonly Yardsticks[]): Promise<Verdict> => {
    const judged = await judgeRequired(required, audited, defined, observingAgain(), versions);
    const walks = recheck === true ? await (await import("./recheck.ts")).recheck(judged, places) : judged;
    const problems = nearest(walks)?.problems ?? [neverBegun(name, target, required, defined)];
    const count = walks.flatMap(({ steps }) => steps.flatMap(({ checks = [] }) => checks)).length;
    const rechecked = recheck === true ? { rechecked: count } : {};
    return { workflow: name, met: problems.length === 0, why: problems[0] ?? null, problems, walks, ...rechecked };
  };
  return ref === undefined ? against([]) : withVersions(ref, places, against);
}

/** Has walks held against the versions that a branch has had; they are laid out for as long as that takes. */
async function withVersions(
  ref: string,
  { definitions, projectArea }: Folders,
  against: (versions: readonly Yardsticks[]) => Promise<Verdict>,
): Promise<Verdict> {
  const into = mkdtempSync(join(tmpdir(), "waymark-versions-"));
  try {
    const progress = progressOf((read, total) => `Reading version ${read} of ${total}`) ?? (() => {});
    const found = await layOutVersions({ definitions, ref, into, progress });
    if ("refused" in found) throw new UserFault(`${plain(found.refused)}.`);
    const { versions, isCut: cut, isShallow: shallow } = found;
    const verdict = await against(versions.map(({ folder }) => definedIn(folder, projectArea)));
    return { ...verdict, versions: { ref, read: versions.length, cut, shallow } };
  } finally {
    rmSync(into, { recursive: true, force: true });
  }
}

/** Nobody has walked it; where nobody could, that is said instead. */
function neverBegun(name: string, target: string | undefined, required: Required, defined: Yardsticks): string {
  const yardstick =
    required.kind === "behavior"
      ? defined.ofBehavior(required.bot, required.behavior)
      : defined.ofWorkflow(required.kind === "workflow" ? (required.names.at(1) ?? name) : name, {});
  const begun = `${name}${target === undefined ? "" : ` for ${target}`} was never begun`;
  return "problem" in yardstick ? `${begun}, and ${yardstick.problem}` : begun;
}

/** Says how each walk stands, step by step. */
export function printVerdict({ workflow, met, problems, walks, versions, rechecked }: Verdict): void {
  for (const walk of walks) printWalk(walk);
  const again = rechecked === undefined ? "" : rechecked === 0 ? noChecks : " Its checks, looked at again, agree.";
  const holds = `${workflow} was walked to the end as the definitions have it, and its history is untouched.${again}`;
  const said = met ? [paint("green", holds)] : problems.map((problem) => paint("red", `Not met: ${plain(problem)}.`));
  print("", ...said, ...(versions === undefined ? [] : aboutVersions(versions)));
}

const noChecks = " It has no checks: nothing was looked at again.";

function aboutVersions({ ref, read, cut, shallow }: VersionsRead): readonly string[] {
  const what = `Held against the definitions as they stand, and ${read} version(s) of them that ${ref} has had.`;
  return [
    what,
    ...(cut ? ["There are more: only the newest are looked at."] : []),
    ...(shallow ? ["This clone knows only the end of the history: fetch all of it."] : []),
  ].map((line) => paint("dim", line));
}

function printWalk({ desk, workflow, pass, steps, problems, notes }: JudgedWalk): void {
  const target = desk.desk.session?.target ?? null;
  const which = [target === null ? "" : ` for ${plain(target)}`, pass > 1 ? `, pass ${pass}` : ""].join("");
  const mark = problems.length === 0 ? paint("green", "✓") : paint("red", "✗");
  print("", `${mark} ${plain(workflow)} in ${deskName(desk)}${which}`);
  for (const { step, status, proved, claimed } of steps) {
    print(`    ${plain(step)}: ${status}`);
    if (status !== "completed") continue;
    print(paint("dim", `      proved: ${proved.length === 0 ? "nothing" : proved.map(plain).join("; ")}`));
    print(paint("dim", `      claimed: ${claimed.map(plain).join("; ")}`));
  }
  for (const problem of problems) print(paint("red", `    ${plain(problem)}`));
  for (const note of notes) print(paint("dim", `    note: ${plain(note)}`));
}

/** The same as data. */
export function verdictData({ workflow, met, why, problems, walks, versions, rechecked }: Verdict): object {
  return {
    workflow,
    met,
    why,
    problems,
    ...(versions === undefined ? {} : { versions }),
    ...(rechecked === undefined ? {} : { rechecked }),
    walks: walks.map(({ desk, workflow: walked, pass, judged: _, ...held }) => ({
      desk: desk.name,
      kind: desk.kind,
      run: desk.run ?? desk.desk.session?.run ?? null,
      target: desk.desk.session?.target ?? null,
      options: desk.desk.session?.options ?? {},
      workflow: walked,
      pass,
      holds: held.problems.length === 0,
      ...held,
    })),
  };
}
