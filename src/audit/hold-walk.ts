import type { CheckResult } from "../evidence/check.ts";
import type { Earlier, Gate, Observations } from "../evidence/gate.ts";
import { readJudgedBy } from "../evidence/judged-by.ts";
import type { Rule } from "../evidence/rule.ts";
import type { AddedCheck } from "../evidence/rules-meaning.ts";
import type { Desk, Run } from "../workflow/desk.ts";
import type { Event } from "../workflow/events.ts";
import type { AuditedApproval } from "./approvals.ts";
import type { CheckedAgain } from "./compare-check.ts";
import { desksBefore } from "./desks-before.ts";
import {
  type Completed,
  type Judgement,
  judgedAsDefined,
  type ObserveCompleted,
  type StepEvidence,
  type Usable,
} from "./judged-as-defined.ts";
import { restsOn } from "./rests-on.ts";
import type { StepAsDefined, Yardstick } from "./yardstick.ts";

/** One pass through a workflow, as its history has it. */
export type Walk = {
  readonly workflow: string;
  readonly run: Run;
  readonly events: readonly Event[];
  /** What a step is called to people: "phase 3". */
  readonly called: (step: string) => string;
  /** What people's keys prove of its history. */
  readonly approvals: readonly AuditedApproval[];
  readonly observe: ObserveCompleted;
};

/** How a walk stands to the definitions: every difference that keeps it from counting, and those that do not. */
export type HeldWalk = {
  readonly problems: readonly string[];
  readonly notes: readonly string[];
  readonly steps: readonly HeldStep[];
  /** The completed steps with the gate that judged each, so that it can be judged again. */
  readonly judged: readonly JudgedStep[];
};

/** A completed step, what judged it, and what its checks came to then. */
export type JudgedStep = {
  readonly step: string;
  /** What it is called to people. */
  readonly called: string;
  readonly gate: Gate;
  /** What was found out about the outside when its evidence was judged again. */
  readonly observed: Observations;
  readonly completed: Completed;
  readonly startedAt: string;
  readonly recorded: readonly CheckResult[];
  /** The rules that its gate wants to hold; undefined where it does not ask for them. */
  readonly rules: readonly Rule[] | undefined;
};

/** What one step of a walk rests on: what can be proved now, and what is taken at somebody's word. */
export type HeldStep = {
  readonly step: string;
  readonly status: "completed" | "skipped" | "vouched" | "missing";
  readonly at?: string;
  readonly judged_by?: string;
  readonly proved: readonly string[];
  readonly claimed: readonly string[];
  /** Its checks, where they were looked at again. */
  readonly checks?: readonly CheckedAgain[];
};

/** What a walk is held against: the definitions as they stand, and other versions of them that will do as well. */
export type Measures = {
  readonly now: Yardstick;
  readonly versions: readonly Yardstick[];
  /** The checks that corrections on record have added to rules, oldest first. */
  readonly added: readonly AddedCheck[];
};

/** Holds a walk against the definitions. Its steps must be those of one version; each may be judged by the gate of any. */
export async function holdWalk(walk: Walk, { now, versions, added }: Measures): Promise<HeldWalk> {
  if ("problem" in now) return { problems: [now.problem], notes: [], steps: [], judged: [] };
  const usable = [now, ...versions.filter((one): one is Usable => !("problem" in one))];
  const completions = completionsOf(walk);
  const known: Known = { completions, before: desksBefore(walk.events, completions.values()) };
  const held: HeldWalk[] = [];
  for (const sequence of usable) held.push(await holdAgainst(walk, sequence, { usable, added, known }));
  const best = held.find(({ problems }) => problems.length === 0) ?? held[0];
  return best ?? { problems: [], notes: [], steps: [], judged: [] };
}

/** The completions of a walk that count, and what the history added up to right before each. */
type Known = {
  readonly completions: ReadonlyMap<string, Completed>;
  readonly before: ReadonlyMap<Completed, Desk>;
};

async function holdAgainst(
  walk: Walk,
  sequence: Usable,
  { usable, added, known }: Pick<StepEvidence, "usable" | "added"> & { readonly known: Known },
): Promise<HeldWalk> {
  const { completions } = known;
  const { observe } = walk;
  const holding = sequence.steps.map(async (step) => {
    const state = walk.run.steps.get(step.name);
    const completed = state?.status === "completed" ? completions.get(step.name) : undefined;
    const earlier = earlierThan(completed, completions);
    const before = completed === undefined ? undefined : known.before.get(completed);
    const verdict = await holdStep(walk, step, { state, completed, earlier, before, usable, added, observe });
    return { step, state, completed, ...verdict };
  });
  const held = await Promise.all(holding);
  const missing = held.filter(({ status }) => status === "missing").map(({ step }) => walk.called(step.name));
  return {
    problems: [
      ...(missing.length === 0
        ? []
        : [`${walk.workflow} is not finished: ${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} missing`]),
      ...held.flatMap(({ problems }) => problems),
      ...outOfOrder(
        walk,
        held.map(({ step }) => step.name),
        completions,
      ),
      ...settingsProblems(walk, sequence, completions),
      ...tooEarly(walk, sequence, known),
    ],
    notes: [...held.flatMap(({ notes }) => notes), ...otherSequence(walk, sequence, completions)],
    steps: held.map(({ step, state, status, completed, again }) => ({
      step: step.name,
      status,
      ...(completed === undefined ? {} : { at: completed.at }),
      ...(completed?.judgedBy === undefined ? {} : { judged_by: completed.judgedBy }),
      ...restsOn(completed, again, state?.checks, walk.approvals),
    })),
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
              startedAt: state.startedAt,
              recorded: state.checks ?? [],
              rules: gate.rulesHold ? rules : undefined,
            },
          ],
    ),
  };
}

type StepVerdict = Pick<HeldStep, "status"> & Judgement;

async function holdStep(walk: Walk, step: StepAsDefined, known: StepEvidence): Promise<StepVerdict> {
  const { state, completed } = known;
  const name = walk.called(step.name);
  const isSkipped = step.skip !== undefined;
  if (completed !== undefined)
    return { status: "completed", ...(await judgedAsDefined(name, step.name, completed, known)) };
  if (state?.status === "skipped")
    return {
      status: "skipped",
      problems: isSkipped ? [] : [`${name} was skipped, and the definitions do not say so`],
      notes: [],
    };
  if (isSkipped) return { status: "skipped", problems: [], notes: [] };
  if (state?.status === "vouched")
    return {
      status: "vouched",
      problems: [`${name} is vouched for by ${editOf(walk, step.name)}, and nobody did it`],
      notes: [],
    };
  return { status: "missing", problems: [], notes: [] };
}

/** The completion that counts of each step, in the order in which they happened. */
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

/** What the steps that were completed before one put on record. */
function earlierThan(completed: Completed | undefined, completions: ReadonlyMap<string, Completed>): Earlier {
  const all = [...completions.values()];
  const before = completed === undefined ? [] : all.slice(0, all.indexOf(completed));
  return new Map(before.map(({ step, evidence = {} }) => [Number(step), evidence]));
}

function outOfOrder(
  { called }: Walk,
  names: readonly string[],
  completions: ReadonlyMap<string, Completed>,
): readonly string[] {
  const done = [...completions.keys()].filter((name) => names.includes(name));
  const meant = names.filter((name) => completions.has(name));
  const at = done.findIndex((name, index) => name !== meant[index]);
  const [early, late] = [done[at], meant[at]];
  if (at === -1 || early === undefined || late === undefined) return [];
  return [`${called(early)} was completed before ${called(late)}, which comes first`];
}

/** Where the settings want behaviors in order, they must have wanted it while the walk went on. */
function settingsProblems(
  { called }: Walk,
  { settings }: Usable,
  completions: ReadonlyMap<string, Completed>,
): readonly string[] {
  if (settings?.includes("behaviors ordered") !== true) return [];
  const loose = [...completions.values()].find(({ judgedBy }) => {
    const by = readJudgedBy(judgedBy);
    return by !== undefined && "gate" in by && by.settings !== undefined && !by.settings.includes("behaviors ordered");
  });
  return loose === undefined
    ? []
    : [`${called(loose.step)} was completed while the settings let behaviors be walked in any order`];
}

/** Where behaviors come in order, those before it must have been done by somebody whenever a step of this one was completed. */
function tooEarly({ called }: Walk, { before: workflows }: Usable, { before }: Known): readonly string[] {
  for (const [completed, { runs }] of before)
    for (const { name, steps } of workflows) {
      const undone = steps.find((step) => runs.get(name)?.steps.get(step)?.status !== "completed");
      if (undone === undefined) continue;
      return [
        `${called(completed.step)} was completed before ${name}.${undone}: ${name} comes first, and is to be finished`,
      ];
    }
  return [];
}

function otherSequence(
  { run, called }: Walk,
  { steps }: Usable,
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
    `another sequence held when ${others.map(({ step }) => called(step)).join(", ")} ${others.length === 1 ? "was" : "were"} completed: the walk has ${then.join(", ")}; the definitions have ${defined.join(", ")}`,
  ];
}

function editOf({ run, events }: Walk, step: string): string {
  const edit = events.findLast(
    (event) =>
      event.type === "adopted" &&
      ((event.workflow === run.workflow && event.step === step) ||
        event.vouched.some((one) => one.workflow === run.workflow && one.step === step)),
  );
  if (edit?.type !== "adopted") return "an edit of workflow_state.json";
  const what =
    edit.origin === "edited" ? "an edit of workflow_state.json" : "a workflow_state.json that was taken over";
  return `${what} (${edit.at.slice(0, 10)})`;
}
