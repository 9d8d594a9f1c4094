import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ComparedBase } from "../../app/compare-base.ts";
import { checkOutVersions, readDefinedWalks, reobserveEvidence } from "../../app/defined-walks.ts";
import { lookAtTree } from "../../app/tree-look.ts";
import type { AuditedStream } from "../../audit/audit-streams.ts";
import { compareWithTree } from "../../audit/compare-tree.ts";
import { bestWalk, judgeRequired, type RequiredWalk, resolveRequired } from "../../audit/required-walks.ts";
import type { ExpectedWalks, JudgedWalk } from "../../audit/walk-sources.ts";
import { countText } from "../../kit/count-text.ts";
import { defined } from "../../kit/defined.ts";
import { waivedTexts } from "../../messages/blocked-texts.ts";
import { streamName } from "../../workflow/stream-id.ts";
import { oneLine, paint, print } from "../terminal/print.ts";
import { showProgress } from "../terminal/progress.ts";
import { UserError } from "../terminal/user-error.ts";

export type RequireOptions = {
  readonly require: string;
  readonly target: string | undefined;
  /** A git branch whose versions of the definitions all count. */
  readonly versions: string | undefined;
  /** Reruns every check of the walk on the current files. */
  readonly recheck?: boolean | undefined;
  /** Accepts waived requirements as notes. */
  readonly allowWaived?: boolean | undefined;
  /** The outcome that the walk must have ended with. */
  readonly outcome?: string | undefined;
  /** The agreed state that the walk's project must continue. */
  readonly base?: ComparedBase | undefined;
  /** Accepts changed definitions as a note. */
  readonly allowDefinitions?: boolean | undefined;
};

/** The verdict of `--require`: met if at least one walk holds. */
export type RequireVerdict = {
  readonly workflow: string;
  readonly met: boolean;
  /** The first problem of the walk that comes nearest, or null. */
  readonly why: string | null;
  readonly problems: readonly string[];
  readonly walks: readonly JudgedWalk[];
  /** The other versions of the definitions that were accepted. */
  readonly versions?: VersionsCompared;
  /** The number of checks that were rerun, if requested. */
  readonly rechecked?: number;
  /** The comparison with the base, if one was named. */
  readonly base?: BaseVerdict;
};

type BaseVerdict = {
  readonly ref: string;
  readonly commit?: string;
  /** The changed files of the definitions. */
  readonly definitions: readonly string[];
  readonly problems: readonly string[];
  readonly notes: readonly string[];
};

type VersionsCompared = {
  readonly ref: string;
  readonly read: number;
  readonly cut: boolean;
  readonly shallow: boolean;
};

type Folders = { readonly definitions: string; readonly projectArea: string };

/** Compares every walk of a workflow with the current definitions, and with those of a branch or base if one is named. */
export async function requireWorkflow(
  options: RequireOptions,
  audited: readonly AuditedStream[],
  places: Folders,
): Promise<RequireVerdict> {
  const { require: name, target, versions: ref, recheck = false, allowWaived = false, base } = options;
  const now = await readDefinedWalks(places.definitions, places.projectArea);
  const required = resolveRequired(name, target, now, audited);
  if ("unclear" in required) throw new UserError(`${required.unclear}.`);
  const ofBase = base === undefined ? undefined : baseVerdict(base, options);
  const against = async (versions: readonly ExpectedWalks[]): Promise<RequireVerdict> => {
    const { outcome = "done" } = options;
    const rules = { versions, allowWaived, outcome, ...(base === undefined ? {} : { known: base.known }) };
    const found = await judgeRequired(required, audited, now, reobserveEvidence(), rules);
    const lookAt = async (some: readonly JudgedWalk[]): Promise<readonly JudgedWalk[]> => {
      const judged = await compareWalksWithTree(some, places, { isProposal: base !== undefined, isRechecked: recheck });
      return recheck ? (await import("./rerun-checks.ts")).recheck(judged, places) : judged;
    };
    const walks = await Promise.all((await lookAt(found)).map((walk) => withItems(walk, lookAt)));
    const problems = [
      ...(ofBase?.problems ?? []),
      ...(bestWalk(walks)?.problems ?? [await neverStartedText(name, target, required, now)]),
    ];
    const rerun = walks.flatMap((walk) => [walk, ...(walk.items ?? [])]);
    const count = rerun.flatMap(({ steps }) => steps.flatMap(({ checks = [] }) => checks)).length;
    const more = { ...(recheck ? { rechecked: count } : {}), ...(ofBase === undefined ? {} : { base: ofBase }) };
    return { workflow: name, met: problems.length === 0, why: problems[0] ?? null, problems, walks, ...more };
  };
  if (base !== undefined)
    return against(await Promise.all(base.versions.map((folder) => readDefinedWalks(folder, places.projectArea))));
  return ref === undefined ? against([]) : judgeWithVersions(ref, places, against);
}

/** Adds what the files say against the items of a walk. */
async function withItems(
  walk: JudgedWalk,
  lookAt: (some: readonly JudgedWalk[]) => Promise<readonly JudgedWalk[]>,
): Promise<JudgedWalk> {
  const { items = [] } = walk;
  if (items.length === 0) return walk;
  const looked = await lookAt(items);
  const found = looked.flatMap(({ stream, problems }, at) => {
    const known = items[at]?.problems ?? [];
    return problems.filter((one) => !known.includes(one)).map((one) => `item ${stream.name}: ${one}`);
  });
  return { ...walk, items: looked, problems: [...walk.problems, ...found] };
}

/** Says what is wrong with a proposal beside its walks. */
function baseVerdict(
  { name, commit, ...base }: ComparedBase,
  { allowDefinitions = false }: RequireOptions,
): BaseVerdict {
  const changed = base.changed.map(oneLine);
  const shown = changed.length > 5 ? [...changed.slice(0, 5), `${changed.length - 5} more`] : changed;
  const edited = changed.length === 0 ? [] : [`this change edits the definitions: ${shown.join(", ")}`];
  return {
    ref: name,
    ...defined({ commit }),
    definitions: changed,
    problems: [...base.problems.map(oneLine), ...(allowDefinitions ? [] : edited)],
    notes: allowDefinitions ? edited : [],
  };
}

/** Compares what walks prove with the files as they are. */
async function compareWalksWithTree(
  walks: readonly JudgedWalk[],
  { definitions }: Folders,
  how: Parameters<typeof compareWithTree>[2],
): Promise<readonly JudgedWalk[]> {
  const look = lookAtTree(definitions);
  try {
    return await Promise.all(walks.map((walk) => compareWithTree(walk, look, how)));
  } finally {
    look.close();
  }
}

/** Compares walks with the versions of a branch, which are checked out only for that time. */
async function judgeWithVersions(
  ref: string,
  { definitions, projectArea }: Folders,
  against: (versions: readonly ExpectedWalks[]) => Promise<RequireVerdict>,
): Promise<RequireVerdict> {
  const into = mkdtempSync(join(tmpdir(), "waymark-versions-"));
  try {
    const progress = showProgress((read, total) => `Reading version ${read} of ${total}`) ?? (() => {});
    const found = await checkOutVersions({ definitions, ref, into, progress });
    if ("refused" in found) throw new UserError(`${oneLine(found.refused)}.`);
    const { versions, isCut: cut, isShallow: shallow } = found;
    const verdict = await against(
      await Promise.all(versions.map(({ folder }) => readDefinedWalks(folder, projectArea))),
    );
    return { ...verdict, versions: { ref, read: versions.length, cut, shallow } };
  } finally {
    rmSync(into, { recursive: true, force: true });
  }
}

/** Explains that the workflow was never started, and why it could not be. */
async function neverStartedText(
  name: string,
  target: string | undefined,
  required: RequiredWalk,
  defined: ExpectedWalks,
): Promise<string> {
  const expectedWalk =
    required.kind === "behavior"
      ? defined.ofBehavior(required.bot, required.behavior)
      : await defined.ofWorkflow(required.kind === "workflow" ? (required.names.at(1) ?? name) : name, {});
  const begun = `${name}${target === undefined ? "" : ` for ${target}`} was never started`;
  return "problem" in expectedWalk ? `${begun}, and ${expectedWalk.problem}` : begun;
}

/** Prints the result of each walk, step by step. */
export function printVerdict({ workflow, met, problems, walks, versions, rechecked, base }: RequireVerdict): void {
  for (const walk of walks) printWalk(walk);
  const again = rechecked === undefined ? "" : rechecked === 0 ? noChecksText : " Its checks were rerun and agree.";
  const holds = `${workflow} was completed as defined, and its history is unmodified.${again}`;
  const said = met ? [paint("green", holds)] : problems.map((problem) => paint("red", `Not met: ${oneLine(problem)}.`));
  const compared = base === undefined ? [] : baseLines(base);
  print("", ...said, ...compared, ...(versions === undefined ? [] : versionLines(versions)));
}

const noChecksText = " It has no checks to rerun.";

function baseLines({ ref, commit, notes }: BaseVerdict): readonly string[] {
  const at = commit === undefined || commit.startsWith(ref) ? "" : ` (${commit.slice(0, 12)})`;
  return [`Compared with the base ${oneLine(ref)}${at}.`, ...notes.map((note) => `Note: ${note}.`)].map((line) =>
    paint("dim", line),
  );
}

function versionLines({ ref, read, cut, shallow }: VersionsCompared): readonly string[] {
  const what = `Compared with the current definitions and ${countText(read, "version")} of them on ${ref}.`;
  return [
    what,
    ...(cut ? ["Older versions exist; only the newest are compared."] : []),
    ...(shallow ? ["This clone is shallow. Fetch the whole history."] : []),
  ].map((line) => paint("dim", line));
}

function printWalk({ stream, workflow, pass, steps, problems, notes }: JudgedWalk): void {
  const target = stream.stream.session?.target ?? null;
  const which = [target === null ? "" : ` for ${oneLine(target)}`, pass > 1 ? `, pass ${pass}` : ""].join("");
  const mark = problems.length === 0 ? paint("green", "✓") : paint("red", "✗");
  print("", `${mark} ${oneLine(workflow)} in ${streamName(stream)}${which}`);
  for (const { step, status, proved, claimed, waived = [] } of steps) {
    print(`    ${oneLine(step)}: ${status.replace("_", " ")}`);
    if (status !== "completed") continue;
    print(paint("dim", `      verified: ${proved.length === 0 ? "nothing" : proved.map(oneLine).join("; ")}`));
    print(paint("dim", `      claimed: ${claimed.map(oneLine).join("; ")}`));
    if (waived.length > 0) print(paint("yellow", `      waived: ${waivedTexts(waived).map(oneLine).join("; ")}`));
  }
  for (const problem of problems) print(paint("red", `    ${oneLine(problem)}`));
  for (const note of notes) print(paint("dim", `    note: ${oneLine(note)}`));
}

/** Formats the verdict as data. */
export function verdictData({
  workflow,
  met,
  why,
  problems,
  walks,
  versions,
  rechecked,
  base,
}: RequireVerdict): object {
  return {
    workflow,
    met,
    why,
    problems,
    ...defined({ versions, rechecked, base }),
    walks: walks.map(({ stream, workflow: walked, pass, judged: _, completions: __, items: ___, ...held }) => ({
      desk: stream.name,
      kind: stream.kind,
      run: stream.run ?? stream.stream.session?.run ?? null,
      target: stream.stream.session?.target ?? null,
      options: stream.stream.session?.options ?? {},
      workflow: walked,
      pass,
      holds: held.problems.length === 0,
      ...held,
    })),
  };
}
