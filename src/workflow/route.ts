import { closedGate } from "../evidence/gate.ts";
import { type Desk, freshRun, isSatisfied, type Run, type StepState } from "./desk.ts";
import type { Plan, Step, Workflow } from "./workflow.ts";

/** Where one run stands: its steps as they are walked, and the first that is not satisfied. */
export type Place = {
  readonly workflow: Workflow;
  readonly run: Run;
  readonly steps: readonly Step[];
  /** The only step that may be open now; null when all are satisfied. */
  readonly current: Step | null;
};

/** Finds the place of a workflow's latest pass, or of the pass it would begin now. */
export function locate(desk: Desk, workflow: Workflow): Place {
  const run = desk.runs.get(workflow.name) ?? freshRun(desk, workflow.name);
  const steps = sequenceAsKnown(workflow, run);
  return { workflow, run, steps, current: steps.find((step) => !passes(step, run.steps.get(step.name))) ?? null };
}

/** Finds the workflow that a call without a name means: the one in focus, else the first. */
export function inFocus(plan: Plan, desk: Desk): Workflow | undefined {
  return plan.workflows.find((workflow) => workflow.name === desk.focus?.workflow) ?? plan.workflows[0];
}

/** Finds the workflow that is named, or the one in focus where none is. */
export function named(plan: Plan, desk: Desk, name: string | undefined): Workflow | undefined {
  return name === undefined ? inFocus(plan, desk) : plan.workflows.find((workflow) => workflow.name === name);
}

/** A workflow whose every step is satisfied. */
export function isFinished(desk: Desk, workflow: Workflow): boolean {
  return workflow.closed === undefined && locate(desk, workflow).current === null;
}

/** The step that follows another in the sequence and still needs work. */
export function following(place: Place, step: string): Step | null {
  const index = place.steps.findIndex(({ name }) => name === step);
  return place.steps.slice(index + 1).find((next) => !passes(next, place.run.steps.get(next.name))) ?? null;
}

/** A step that the work has gone beyond: everything up to it is satisfied. */
export function isBehind({ steps, current }: Place, step: Step): boolean {
  return current === null || steps.indexOf(step) < steps.indexOf(current);
}

/** The one rule of what may be seen: the step whose turn it is, those that are done, and those outside the sequence. */
export function mayBeShown(plan: Plan, desk: Desk, workflow: string, step: string): boolean {
  if (plan.independent.includes(step)) return true;
  const walked = plan.workflows.find(({ name }) => name === workflow);
  if (walked === undefined) return false;
  const { run, steps, current } = locate(desk, walked);
  const defined = steps.find(({ name }) => name === step);
  return current?.name === step || (defined !== undefined && passes(defined, run.steps.get(step)));
}

function passes(step: Step, state: StepState | undefined): boolean {
  return isSatisfied(state) || step.skip !== undefined;
}

/** The defined steps, and an open one whose definition has vanished: the sequence as last known goes on. */
function sequenceAsKnown(workflow: Workflow, run: Run): readonly Step[] {
  const steps = workflow.steps.filter((step) => !(step.adrift && run.steps.size > 0 && !run.steps.has(step.name)));
  for (const [name, state] of run.steps) {
    if (state.status !== "started" || steps.some((step) => step.name === name)) continue;
    const index = steps.findIndex((step) => step.name === state.successor);
    steps.splice(index < 0 ? steps.length : index, 0, vanished(name, state));
  }
  return steps;
}

function vanished(name: string, state: StepState): Step {
  const broken = { code: "definition-gone", file: name, message: `the definition of ${name} is gone` };
  return { name, auto: false, broken, ...(state.gated ? { gate: closedGate(broken) } : {}) };
}
