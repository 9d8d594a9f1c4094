import { type Condition, conditionText } from "../gates/condition.ts";
import { closedGate } from "../gates/gate.ts";
import { type ConditionFacts, judgeCondition } from "../gates/judge-condition.ts";
import type { JsonObject } from "../kit/json.ts";
import { type Caller, stampOf } from "./command.ts";
import type { Event, JudgedCondition } from "./events.ts";
import { replay } from "./replay.ts";
import { isSatisfied, newRun, type Run, type StepState, type StreamSnapshot } from "./stream-snapshot.ts";
import type { Plan, Step, Workflow } from "./workflow.ts";

/** The position of one run: its steps in order, and the first that is not satisfied. */
export type Position = {
  readonly workflow: Workflow;
  readonly run: Run;
  readonly steps: readonly Step[];
  /** The only step that may be open now; null when all are satisfied. */
  readonly current: Step | null;
};

/** Finds the position in a workflow's latest pass, or in the pass it would start now. */
export function positionIn(stream: StreamSnapshot, workflow: Workflow): Position {
  const run = stream.runs.get(workflow.name) ?? newRun(stream, workflow.name);
  const steps = lastKnownSteps(workflow, run);
  const current = steps.find((step) => !isPassed(step, run.steps.get(step.name))) ?? null;
  return { workflow, run, steps, current: outcomeOf(run) === undefined ? current : null };
}

/** How a run ended before its last step; undefined if it did not. */
export function outcomeOf({ steps }: Run): string | undefined {
  for (const { ended } of steps.values()) if (ended !== undefined) return ended;
  return undefined;
}

/** The last step of a finished run that was done; one that was passed over was never open. */
export function lastDone({ run, steps }: Pick<Position, "run" | "steps">): Step | undefined {
  return steps.findLast(({ name }) => {
    const state = run.steps.get(name);
    return state?.status !== "passed_over" && isSatisfied(state);
  });
}

/** How a finished run ended: by a route or a person, otherwise `done` where its author declares outcomes. */
export function finalOutcome(run: Run, { outcomes }: Workflow): string | undefined {
  return outcomeOf(run) ?? (outcomes === undefined ? undefined : "done");
}

/** Finds the workflow in focus, otherwise the first. */
export function focusedWorkflow(plan: Plan, stream: StreamSnapshot): Workflow | undefined {
  return plan.workflows.find((workflow) => workflow.name === stream.focus?.workflow) ?? plan.workflows[0];
}

/** Finds a workflow by name, or the one in focus if none is named. */
export function findWorkflow(plan: Plan, stream: StreamSnapshot, name: string | undefined): Workflow | undefined {
  return name === undefined ? focusedWorkflow(plan, stream) : plan.workflows.find((workflow) => workflow.name === name);
}

/** Tells if every step of a workflow is satisfied. */
export function isFinished(stream: StreamSnapshot, workflow: Workflow): boolean {
  return workflow.closed === undefined && positionIn(stream, workflow).current === null;
}

/** The next step in the sequence that still needs work. */
export function nextStepAfter(position: Position, step: string): Step | null {
  const index = position.steps.findIndex(({ name }) => name === step);
  return position.steps.slice(index + 1).find((next) => !isPassed(next, position.run.steps.get(next.name))) ?? null;
}

/** Tells if the work has gone past a step: everything up to it is satisfied. */
export function isPast({ steps, current }: Position, step: Step): boolean {
  return current === null || steps.indexOf(step) < steps.indexOf(current);
}

/** Tells if a step may be shown: the current one, a satisfied one or an independent one. The only rule for this. */
export function mayBeShown(plan: Plan, stream: StreamSnapshot, workflow: string, step: string): boolean {
  if (plan.independent.includes(step)) return true;
  const walked = plan.workflows.find(({ name }) => name === workflow);
  if (walked === undefined) return false;
  const { run, steps, current } = positionIn(stream, walked);
  const defined = steps.find(({ name }) => name === step);
  const state = run.steps.get(step);
  if (state?.status === "passed_over" || outcomeOf(run) !== undefined) return state?.status === "completed";
  return current?.name === step || (defined !== undefined && isPassed(defined, state));
}

/** The completed steps of the latest passes that the definitions no longer have. */
export function completedAndGone({ workflows }: Plan, { runs }: StreamSnapshot): readonly string[] {
  return [...runs.values()].flatMap(({ workflow: name, steps }) => {
    const defined = workflows.find((workflow) => workflow.name === name)?.steps ?? [];
    return [...steps].flatMap(([step, { status }]) =>
      status === "completed" && !defined.some((one) => one.name === step) ? [`${name}.${step}`] : [],
    );
  });
}

function isPassed(step: Step, state: StepState | undefined): boolean {
  return isSatisfied(state) || step.skip !== undefined;
}

/** The defined steps, and an open one whose definition is gone: the last known sequence continues. */
function lastKnownSteps(workflow: Workflow, run: Run): readonly Step[] {
  const steps = workflow.steps.filter((step) => !(step.unplaced && run.steps.size > 0 && !run.steps.has(step.name)));
  for (const [name, state] of run.steps) {
    if (state.status !== "started" || steps.some((step) => step.name === name)) continue;
    const index = steps.findIndex((step) => step.name === state.successor);
    steps.splice(index < 0 ? steps.length : index, 0, missingStep(name, state));
  }
  return steps;
}

function missingStep(name: string, state: StepState): Step {
  const broken = { code: "definition-gone", file: name, message: `the definition of ${name} is gone` };
  return { name, auto: false, broken, ...(state.gated ? { gate: closedGate(broken) } : {}) };
}

/** The position that needs work, after the steps whose condition is false were passed over. */
export type Arrival = {
  readonly events: readonly Event[];
  readonly position: Position;
  readonly stream: StreamSnapshot;
};

/** Arrives at the next step that needs work: a step's condition is judged once, when the position reaches it. */
export function arrive(
  workflow: Workflow,
  stream: StreamSnapshot,
  { caller, now }: { readonly caller: Caller; readonly now: string },
): Arrival {
  const events: Event[] = [];
  let moved = stream;
  for (;;) {
    const position = positionIn(moved, workflow);
    const { current, run } = position;
    const when = current?.routing?.when;
    const status = current === null ? undefined : run.steps.get(current.name)?.status;
    const isDue = status === undefined || status === "superseded";
    if (current === null || when === undefined || !isDue) return { events, position, stream: moved };
    const { holds, judged } = judge(when, factsOf(run, moved));
    if (holds !== false) return { events, position, stream: moved };
    const { workflow: name, pass } = run;
    const passed: Event = {
      type: "passed_over",
      ...stampOf(caller, now),
      workflow: name,
      pass,
      step: current.name,
      ...judged,
    };
    events.push(passed);
    moved = replay([passed], moved);
  }
}

/** Judges a condition on what is recorded; the result names what it read. */
export function judge(
  condition: Condition,
  facts: ConditionFacts,
): { readonly holds: boolean | undefined; readonly judged: JudgedCondition } {
  const { holds, read } = judgeCondition(condition, facts);
  return { holds, judged: { condition: conditionText(condition), read } };
}

/** The recorded values of a run that conditions read; `evidence` is that of the step being judged. */
export function factsOf({ steps }: Run, { session }: StreamSnapshot, evidence?: JsonObject): ConditionFacts {
  return {
    inputs: session?.inputs ?? {},
    ...(session?.item === undefined ? {} : { item: session.item.values }),
    evidenceOf(name) {
      const state = steps.get(name);
      return state?.status === "completed" ? (state.submitted.evidence ?? {}) : undefined;
    },
    roundsOf: (name) => steps.get(name)?.rounds ?? 0,
    ...(evidence === undefined ? {} : { evidence }),
  };
}
