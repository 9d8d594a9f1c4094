import type { Earlier } from "../evidence/gate.ts";
import { readJudgedBy } from "../evidence/judged-by.ts";
import { type AddedCheck, rulesMeaning } from "../evidence/rules-meaning.ts";
import type { Run, StepState } from "../workflow/desk.ts";
import type { Event } from "../workflow/events.ts";
import { addedInWords, addedSince } from "./added-checks.ts";
import { gapsAgain, restsOn } from "./rests-on.ts";
import type { StepAsDefined, Yardstick } from "./yardstick.ts";

/** One pass through a workflow, as its history has it. */
export type Walk = {
  readonly workflow: string;
  readonly run: Run;
  readonly events: readonly Event[];
  /** What a step is called to people: "phase 3". */
  readonly called: (step: string) => string;
};

/** How a walk stands to the definitions: every difference that keeps it from counting, and those that do not. */
export type HeldWalk = {
  readonly problems: readonly string[];
  readonly notes: readonly string[];
  readonly steps: readonly HeldStep[];
};

/** What one step of a walk rests on: what can be proved now, and what is taken at somebody's word. */
export type HeldStep = {
  readonly step: string;
  readonly status: "completed" | "skipped" | "vouched" | "missing";
  readonly at?: string;
  readonly judged_by?: string;
  readonly proved: readonly string[];
  readonly claimed: readonly string[];
};

/** What a walk is held against: the definitions as they stand, and other versions of them that will do as well. */
export type Measures = {
  readonly now: Yardstick;
  readonly versions: readonly Yardstick[];
  /** The checks that corrections on record have added to rules, oldest first. */
  readonly added: readonly AddedCheck[];
};

type Usable = Exclude<Yardstick, { problem: string }>;
type Completed = Event & { readonly type: "completed" };

/** Holds a walk against the definitions. Its steps must be those of one version; each may be judged by the gate of any. */
export function holdWalk(walk: Walk, { now, versions, added }: Measures): HeldWalk {
  if ("problem" in now) return { problems: [now.problem], notes: [], steps: [] };
  const usable = [now, ...versions.filter((one): one is Usable => !("problem" in one))];
  const held = usable.map((sequence) => holdAgainst(walk, sequence, usable, added));
  const best = held.find(({ problems }) => problems.length === 0) ?? held[0];
  return best ?? { problems: [], notes: [], steps: [] };
}

function holdAgainst(walk: Walk, sequence: Usable, usable: readonly Usable[], added: readonly AddedCheck[]): HeldWalk {
  const completions = completionsOf(walk);
  const held = sequence.steps.map((step) => {
    const state = walk.run.steps.get(step.name);
    const completed = state?.status === "completed" ? completions.get(step.name) : undefined;
    const earlier = earlierThan(completed, completions);
    return { step, completed, ...holdStep(walk, step, { state, completed, earlier, usable, added }) };
  });
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
    ],
    notes: [...held.flatMap(({ notes }) => notes), ...otherSequence(walk, sequence, completions)],
    steps: held.map(({ step, status, completed, isJudgedAgain }) => ({
      step: step.name,
      status,
      ...(completed === undefined ? {} : { at: completed.at }),
      ...(completed?.judgedBy === undefined ? {} : { judged_by: completed.judgedBy }),
      ...restsOn(completed, isJudgedAgain === true),
    })),
  };
}

type StepEvidence = {
  readonly state: StepState | undefined;
  readonly completed: Completed | undefined;
  readonly earlier: Earlier;
  readonly usable: readonly Usable[];
  readonly added: readonly AddedCheck[];
};

/** `isJudgedAgain`: its evidence was held against its gate once more, and passed. */
type Judgement = Pick<HeldWalk, "problems" | "notes"> & { readonly isJudgedAgain?: true };

type StepVerdict = Pick<HeldStep, "status"> & Judgement;

function holdStep(walk: Walk, step: StepAsDefined, known: StepEvidence): StepVerdict {
  const { state, completed } = known;
  const name = walk.called(step.name);
  const isSkipped = step.skip !== undefined;
  if (completed !== undefined) return { status: "completed", ...judgedAsDefined(name, step.name, completed, known) };
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

/** Whether a step was judged by what some version of the definitions has for it. */
function judgedAsDefined(
  name: string,
  step: string,
  completed: Completed,
  { usable, added, earlier }: StepEvidence,
): Judgement {
  const problem = (text: string): Judgement => ({ problems: [text], notes: [] });
  const by = readJudgedBy(completed.judgedBy);
  const theirs =
    usable.length === 1 ? "the definitions have" : `any of ${usable.length} versions of the definitions has`;
  if (by === undefined) return problem(`${name}: what it was judged by is not recorded`);
  if ("form" in by)
    return problem(
      `${name}: what it was judged by is recorded in a form (${by.form}) that this version of Waymark does not know`,
    );
  const defined = usable.flatMap(({ steps }) => steps.filter((one) => one.name === step));
  const gates = defined.filter(({ judgedBy }) => judgedBy.gate === by.gate);
  if (gates.length === 0) return problem(`${name} was judged by another gate than ${theirs}`);
  if (gates.every(({ needsPerson }) => needsPerson) && completed.word.level === "auto")
    return problem(`${name} has no person's word, which its gate demands`);
  const gaps = gapsAgain(gates[0]?.gate, completed, earlier);
  if (gaps.length > 0) return problem(`${name}: its evidence does not pass its gate, judged again: ${gaps.join("; ")}`);
  const ruled = (without: readonly AddedCheck[]): boolean =>
    gates.some(({ rules }) => (rules === undefined ? undefined : rulesMeaning(rules, without)) === by.rules);
  const { requirements = [], comparisons = [] } = gates[0]?.gate ?? {};
  const again = requirements.length + comparisons.length > 0 ? { isJudgedAgain: true as const } : {};
  if (ruled([])) return { problems: [], notes: [], ...again };
  const since = addedSince(completed.at, added);
  const from = since.findIndex((_, index) => ruled(since.slice(index)));
  if (from === -1) return problem(`${name} was judged by other rules than ${theirs}`);
  return {
    ...again,
    problems: [],
    notes: [
      `${name}: its rules have gained ${since.length - from} correction(s) on record since: ${addedInWords(since.slice(from))}`,
    ],
  };
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
