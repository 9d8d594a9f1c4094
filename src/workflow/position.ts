import { closedGate } from "../gates/gate.ts";
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
