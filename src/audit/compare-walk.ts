import type { Earlier } from "../gates/gate.ts";
import { readJudgedBy } from "../gates/judged-by.ts";
import type { AddedCheck } from "../gates/rules-meaning.ts";
import type { Waived } from "../gates/waiver.ts";
import type { Event } from "../workflow/events.ts";
import { outcomeOf } from "../workflow/position.ts";
import type { Run, StreamSnapshot } from "../workflow/stream-snapshot.ts";
import type { AuditedApproval } from "./audit-approvals.ts";
import type { RecheckedCheck } from "./compare-check.ts";
import type { DefinedStep, ExpectedWalk } from "./expected-walk.ts";
import {
  type Completed,
  type Judgement,
  judgedAsDefined,
  type ObserveCompleted,
  type StepEvidence,
  type UsableWalk,
} from "./judged-as-defined.ts";
import type { JudgedStep } from "./judged-step.ts";
import { proofsFor } from "./proofs.ts";
import { replayRoutes } from "./replay-routes.ts";
import { statesBefore } from "./states-before.ts";

/** One pass through a workflow as recorded. */
export type Walk = {
  readonly workflow: string;
  readonly run: Run;
  readonly events: readonly Event[];
  /** The display name of a step, e.g. "phase 3". */
  readonly called: (step: string) => string;
  /** The proven approvals of its history. */
  readonly approvals: readonly AuditedApproval[];
  readonly observe: ObserveCompleted;
};

/** The comparison of a walk with the definitions: problems that keep it from counting, and notes. */
export type ComparedWalk = {
  readonly problems: readonly string[];
  readonly notes: readonly string[];
  readonly steps: readonly ComparedStep[];
  /** The completed steps, each with the gate that judged it, for rechecking. */
  readonly judged: readonly JudgedStep[];
  /** The completions that count, in order. */
  readonly completions: readonly Completed[];
};

/** The evidence behind one step: what is verified and what is claimed. */
export type ComparedStep = {
  readonly step: string;
  readonly status: "completed" | "skipped" | "passed_over" | "vouched" | "missing" | "not_reached";
  readonly at?: string;
  readonly judged_by?: string;
  readonly proved: readonly string[];
  readonly claimed: readonly string[];
  /** The requirements that a person waived, and why; absent if none. */
  readonly waived?: readonly Waived[];
  /** Its checks, if they were run again. */
  readonly checks?: readonly RecheckedCheck[];
};

/** The definitions a walk is compared with: the current ones and other accepted versions. */
export type AcceptedDefinitions = {
  readonly now: ExpectedWalk;
  readonly versions: readonly ExpectedWalk[];
  /** The checks that recorded corrections added to rules, oldest first. */
  readonly added: readonly AddedCheck[];
  /** The outcome it must have ended with. */
  readonly outcome: string;
};

/** Compares a walk with the definitions; its steps must match one version, but each may be judged by the gate of any. */
export async function compareWalk(
  walk: Walk,
  { now, versions, added, outcome }: AcceptedDefinitions,
): Promise<ComparedWalk> {
  if ("problem" in now) return { ...nothingCompared, problems: [now.problem] };
  const usable = [now, ...versions.filter((one): one is UsableWalk => !("problem" in one))];
  const completions = completionsOf(walk);
  const known: WalkHistory = { completions, before: statesBefore(walk.events, completions.values()) };
  const held: ComparedWalk[] = [];
  for (const sequence of usable)
    held.push(await compareWithSequence(walk, sequence, { usable, added, known, outcome }));
  const best = held.find(({ problems }) => problems.length === 0) ?? held[0];
  return best ?? nothingCompared;
}

const nothingCompared: ComparedWalk = { problems: [], notes: [], steps: [], judged: [], completions: [] };

/** The completions of a walk that count, and the state right before each. */
type WalkHistory = {
  readonly completions: ReadonlyMap<string, Completed>;
  readonly before: ReadonlyMap<Completed, StreamSnapshot>;
};

async function compareWithSequence(
  walk: Walk,
  sequence: UsableWalk,
  {
    usable,
    added,
    known,
    outcome,
  }: Pick<StepEvidence, "usable" | "added"> & { readonly known: WalkHistory; readonly outcome: string },
): Promise<ComparedWalk> {
  const { completions } = known;
  const { observe } = walk;
  const holding = sequence.steps.map(async (step) => {
    const state = walk.run.steps.get(step.name);
    const completed = state?.status === "completed" ? completions.get(step.name) : undefined;
    const earlier = evidenceBefore(completed, completions);
    const before = completed === undefined ? undefined : known.before.get(completed);
    const verdict = await compareStep(walk, step, { state, completed, earlier, before, usable, added, observe });
    return { step, state, completed, ...verdict };
  });
  const held = await Promise.all(holding);
  const ended = outcomeOf(walk.run);
  const endedAt = sequence.steps.findIndex(({ name }) => walk.run.steps.get(name)?.ended !== undefined);
  const required = ended === undefined ? held : held.slice(0, endedAt);
  const missing = required.filter(({ status }) => status === "missing").map(({ step }) => walk.called(step.name));
  const routes = replayRoutes(walk.run, walk.events, usable, walk.called);
  return {
    problems: [
      ...(missing.length === 0
        ? []
        : [`${walk.workflow} is not finished: ${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} missing`]),
      ...held.flatMap(({ problems }) => problems),
      ...((ended ?? "done") === outcome ? [] : [`${walk.workflow} ended as ${ended ?? "done"}, not as ${outcome}`]),
      ...routes.problems,
      ...stepOrderProblems(
        walk,
        held.map(({ step }) => step.name),
        completions,
      ),
      ...settingsProblems(walk, sequence, completions),
      ...behaviorOrderProblems(walk, sequence, known),
    ],
    notes: [...held.flatMap(({ notes }) => notes), ...sequenceProblems(walk, sequence, completions)],
    steps: held.map(({ step, state, status, completed, again }, at) => ({
      step: step.name,
      status: status === "missing" && at >= required.length ? "not_reached" : status,
      ...(completed === undefined ? {} : { at: completed.at }),
      ...(completed?.judgedBy === undefined ? {} : { judged_by: completed.judgedBy }),
      ...withPassedBounds(
        proofsFor(completed, again, state?.checks, walk.approvals),
        routes.passedBounds.get(step.name),
      ),
    })),
    completions: [...completions.values()],
    judged: held.flatMap(({ step: { name: step, rules }, state, completed, gate, observed = new Map() }) =>
      completed === undefined || gate === undefined || state === undefined
        ? []
        : [
            {
              step,
              called: walk.called(step),
              gate,
              observed,
              completed,
              since: state.commit,
              recorded: state.checks ?? [],
              rules: gate.rulesHold ? rules : undefined,
            },
          ],
    ),
  };
}

/** Adds the bounds that a person passed to what was waived at a step. */
function withPassedBounds<S extends { readonly waived?: readonly Waived[] }>(
  step: S,
  passed: readonly Waived[] = [],
): S {
  return passed.length === 0 ? step : { ...step, waived: [...(step.waived ?? []), ...passed] };
}

type StepVerdict = Pick<ComparedStep, "status"> & Judgement;

async function compareStep(walk: Walk, step: DefinedStep, known: StepEvidence): Promise<StepVerdict> {
  const { state, completed } = known;
  const name = walk.called(step.name);
  const isSkipped = step.skip !== undefined;
  if (completed !== undefined) {
    const judged = await judgedAsDefined(name, step.name, completed, known);
    const waits = `${name} led back as often as it may, and no person has said what follows`;
    const problems = state?.blocked === undefined ? judged.problems : [...judged.problems, waits];
    return { ...judged, status: "completed", problems };
  }
  if (state?.status === "passed_over") return { status: "passed_over", problems: [], notes: [] };
  if (state?.status === "skipped")
    return {
      status: "skipped",
      problems: isSkipped ? [] : [`${name} was skipped, but the definitions do not skip it`],
      notes: [],
    };
  if (isSkipped) return { status: "skipped", problems: [], notes: [] };
  if (state?.status === "vouched")
    return {
      status: "vouched",
      problems: [`${name} counts only because of ${describeEdit(walk, step.name)}; it was never completed`],
      notes: [],
    };
  return { status: "missing", problems: [], notes: [] };
}

/** The completion of each step that counts, in order. */
function completionsOf({ run, events }: Walk): ReadonlyMap<string, Completed> {
  const found = new Map<string, Completed>();
  for (const event of events) {
    if (event.type !== "completed" || event.workflow !== run.workflow || event.pass !== run.pass) continue;
    const state = run.steps.get(event.step);
    if (state?.status !== "completed" || state.attempt !== event.attempt) continue;
    found.delete(event.step);
    found.set(event.step, event);
  }
  return found;
}

/** The evidence and content of the steps completed before this one. */
function evidenceBefore(completed: Completed | undefined, completions: ReadonlyMap<string, Completed>): Earlier {
  const all = [...completions.values()];
  const before = completed === undefined ? [] : all.slice(0, all.indexOf(completed));
  return new Map(before.map(({ step, evidence = {} }) => [Number(step), evidence]));
}

function stepOrderProblems(
  { called }: Walk,
  names: readonly string[],
  completions: ReadonlyMap<string, Completed>,
): readonly string[] {
  const done = [...completions.keys()].filter((name) => names.includes(name));
  const meant = names.filter((name) => completions.has(name));
  const at = done.findIndex((name, index) => name !== meant[index]);
  const [early, late] = [done[at], meant[at]];
  if (at === -1 || early === undefined || late === undefined) return [];
  return [`${called(early)} was completed before ${called(late)}, which must come first`];
}

/** If the settings order behaviors, they must have done so during the walk. */
function settingsProblems(
  { called }: Walk,
  { settings }: UsableWalk,
  completions: ReadonlyMap<string, Completed>,
): readonly string[] {
  if (settings?.includes("behaviors ordered") !== true) return [];
  const loose = [...completions.values()].find(({ judgedBy }) => {
    const by = readJudgedBy(judgedBy);
    return by !== undefined && "gate" in by && by.settings !== undefined && !by.settings.includes("behaviors ordered");
  });
  return loose === undefined
    ? []
    : [`${called(loose.step)} was completed while the settings allowed behaviors in any order`];
}

/** If behaviors are ordered, the earlier ones must have been done when a step of this one was completed. */
function behaviorOrderProblems(
  { called }: Walk,
  { before: workflows }: UsableWalk,
  { before }: WalkHistory,
): readonly string[] {
  for (const [completed, { runs }] of before)
    for (const { name, steps } of workflows) {
      const undone = steps.find((step) => runs.get(name)?.steps.get(step)?.status !== "completed");
      if (undone === undefined) continue;
      return [`${called(completed.step)} was completed before ${name}.${undone}: ${name} must be finished first`];
    }
  return [];
}

function sequenceProblems(
  { run, called }: Walk,
  { steps }: UsableWalk,
  completions: ReadonlyMap<string, Completed>,
): readonly string[] {
  const now = steps[0]?.judgedBy.sequence;
  const others = [...completions.values()].filter(({ judgedBy }) => {
    const by = readJudgedBy(judgedBy);
    return by !== undefined && "gate" in by && by.sequence !== now;
  });
  if (others.length === 0) return [];
  const then = [...run.steps].flatMap(([name, { status }]) => (status === "superseded" ? [] : [called(name)]));
  const defined = steps.map(({ name, skip }) => (skip === undefined ? called(name) : `${called(name)} (skipped)`));
  return [
    `the sequence was different when ${others.map(({ step }) => called(step)).join(", ")} ${others.length === 1 ? "was" : "were"} completed: the run has ${then.join(", ")}; the definitions have ${defined.join(", ")}`,
  ];
}

function describeEdit({ run, events }: Walk, step: string): string {
  const edit = events.findLast(
    (event) =>
      event.type === "adopted" &&
      ((event.workflow === run.workflow && event.step === step) ||
        event.vouched.some((one) => one.workflow === run.workflow && one.step === step)),
  );
  if (edit?.type !== "adopted") return "an edit of workflow_state.json";
  const what = edit.origin === "edited" ? "an edit of workflow_state.json" : "an adopted workflow_state.json";
  return `${what} (${edit.at.slice(0, 10)})`;
}
