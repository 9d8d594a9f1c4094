import type { Problem } from "../gates/problem.ts";
import { defined } from "../kit/defined.ts";
import { stampOf } from "./command.ts";
import type { DecisionContext } from "./decision-context.ts";
import type { Event, StepRef, Submission } from "./events.ts";
import type { Decision } from "./outcome.ts";
import { lastDone, type Position } from "./position.ts";
import type { NamedAttempt, Refusal } from "./refusal.ts";
import type { Plan } from "./workflow.ts";

/** A refusal that records nothing; `kept` is the submission that is kept. */
export function refuse(
  position: Position | null,
  current: StepRef | null,
  refusal: Refusal,
  kept?: Submission,
): Decision {
  const workflow = position?.workflow.name ?? null;
  return {
    events: [],
    outcome: { kind: "refused", workflow, current, refusal, ...defined({ kept }) },
    notices: [],
  };
}

/** Turns a decision that cannot be recorded into a refusal; a refusal stays one. */
export function refuseUnrecorded(decision: Decision): Decision {
  if (decision.outcome.kind === "refused") return { ...decision, events: [] };
  const workflow = "workflow" in decision.outcome ? decision.outcome.workflow : null;
  const refusal: Refusal = { kind: "not_recorded" };
  return { events: [], outcome: { kind: "refused", workflow, current: null, refusal }, notices: [] };
}

/** Refuses a step whose turn has not come; the try is recorded, and the caller gets the current step. */
export function refuseAhead(requested: string, position: Position, situation: DecisionContext): Decision {
  const { name } = position.workflow;
  return refuseOutOfTurn(requested, position, situation, (at) => ({
    kind: "ahead",
    step: requested,
    workflow: name,
    at,
  }));
}

/** Refuses what is out of turn; `place` is the current position. */
export function refuseOutOfTurn(
  requested: string,
  position: Position,
  { caller, plan, now }: DecisionContext,
  refusal: (at: string | null) => Refusal,
): Decision {
  const current = currentRef(position);
  if (current === null && position.workflow.closed !== undefined)
    return refuseClosed(position, position.workflow.closed);
  const { pass } = position.run;
  const attempt = position.run.steps.get(requested)?.attempt;
  const refused: Event = {
    type: "refused",
    ...stampOf(caller, now),
    workflow: position.workflow.name,
    step: requested,
    code: plan.policy.outOfTurnCode,
    pass,
    ...defined({ attempt }),
  };
  return { ...refuse(position, current ?? lastRef(position), refusal(current?.step ?? null)), events: [refused] };
}

/** Refuses an unknown step; where only the number of steps is known, like any step ahead. */
export function refuseUnknownStep(requested: string, position: Position, situation: DecisionContext): Decision {
  const { plan } = situation;
  if (plan.policy.aheadVisible === "number") return refuseAhead(requested, position, situation);
  const known = [...position.steps.map(({ name }) => name), ...plan.independent];
  return refuse(position, openRef(position), {
    kind: "unknown_step",
    step: requested,
    workflow: position.workflow.name,
    known,
  });
}

/** Refuses an unknown workflow. */
export function refuseUnknownWorkflow(plan: Plan, requested: string | undefined): Decision {
  const known = plan.workflows.map(({ name }) => name);
  return refuse(null, null, { kind: "unknown_workflow", workflow: requested ?? null, known });
}

/** Refuses what would follow a step whose successor cannot be known. */
export function refuseClosed(position: Position, problem: Problem): Decision {
  return refuse(position, null, { kind: "closed", workflow: position.workflow.name, problem });
}

/** The current step if it is started; a step that is not open is not shown. */
export function openRef(position: Position): StepRef | null {
  const { run, current } = position;
  return current !== null && run.steps.get(current.name)?.status === "started" ? currentRef(position) : null;
}

/** The current step if it is started, with the id of its attempt. */
export function openAttempt({ run, current }: Position): NamedAttempt | undefined {
  const state = current === null ? undefined : run.steps.get(current.name);
  if (current === null || state?.status !== "started") return undefined;
  return { step: current.name, ...defined({ attempt: state.id }) };
}

/** The current step and attempt. */
export function currentRef({ run, current }: Position): StepRef | null {
  return current === null ? null : refOf(run, current.name);
}

/** A step of a run with its current attempt. */
export function refOf({ workflow, pass, steps }: Position["run"], step: string): StepRef {
  return { workflow, pass, step, attempt: steps.get(step)?.attempt ?? 1 };
}

/** The last step of a finished run. */
function lastRef(position: Position): StepRef | null {
  const { run } = position;
  const last = lastDone(position);
  return last === undefined ? null : refOf(run, last.name);
}
