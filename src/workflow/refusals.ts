import type { Problem } from "../evidence/problem.ts";
import { stampOf } from "./command.ts";
import type { Situation } from "./decide.ts";
import type { Event, HandedIn, StepRef } from "./events.ts";
import type { Decision } from "./outcome.ts";
import type { Refusal } from "./refusal.ts";
import type { Place } from "./route.ts";
import type { Plan } from "./workflow.ts";

/** A refusal that records nothing; `kept` is what stays of the attempt that was turned down. */
export function refuse(place: Place | null, current: StepRef | null, refusal: Refusal, kept?: HandedIn): Decision {
  const workflow = place?.workflow.name ?? null;
  return {
    events: [],
    outcome: { kind: "refused", workflow, current, refusal, ...(kept === undefined ? {} : { kept }) },
    notices: [],
  };
}

/** What is decided and cannot be recorded has not happened; a refusal stands all the same. */
export function unrecorded(decision: Decision): Decision {
  if (decision.outcome.kind === "refused") return { ...decision, events: [] };
  const workflow = "workflow" in decision.outcome ? decision.outcome.workflow : null;
  const refusal: Refusal = { kind: "not_recorded" };
  return { events: [], outcome: { kind: "refused", workflow, current: null, refusal }, notices: [] };
}

/** No to a step whose turn has not come; the attempt is on record, and the caller gets the step whose turn it is. */
export function aheadOf(asked: string, place: Place, situation: Situation): Decision {
  const { name } = place.workflow;
  return outOfTurn(asked, place, situation, (at) => ({ kind: "ahead", step: asked, workflow: name, at }));
}

/** No to what is out of turn; `place` is where the work stands instead. */
export function outOfTurn(
  asked: string,
  place: Place,
  { caller, plan, now }: Situation,
  refusal: (at: string | null) => Refusal,
): Decision {
  const current = currentRef(place);
  if (current === null && place.workflow.closed !== undefined) return closedAfter(place, place.workflow.closed);
  const { pass } = place.run;
  const attempt = place.run.steps.get(asked)?.attempt;
  const refused: Event = {
    type: "refused",
    ...stampOf(caller, now),
    workflow: place.workflow.name,
    step: asked,
    code: plan.manner.outOfTurn,
    pass,
    ...(attempt === undefined ? {} : { attempt }),
  };
  return { ...refuse(place, current ?? lastRef(place), refusal(current?.step ?? null)), events: [refused] };
}

/** No to a name that the plan does not have; where only the number of steps is known, it is one ahead like any other. */
export function notThere(asked: string, place: Place, situation: Situation): Decision {
  const { plan } = situation;
  if (plan.manner.ahead === "number") return aheadOf(asked, place, situation);
  const known = [...place.steps.map(({ name }) => name), ...plan.independent];
  return refuse(place, openRef(place), { kind: "unknown_step", step: asked, workflow: place.workflow.name, known });
}

/** No to a workflow that the plan does not have. */
export function noWorkflow(plan: Plan, asked: string | undefined): Decision {
  const known = plan.workflows.map(({ name }) => name);
  return refuse(null, null, { kind: "unknown_workflow", workflow: asked ?? null, known });
}

/** No to what would follow a step whose successor cannot be known. */
export function closedAfter(place: Place, problem: Problem): Decision {
  return refuse(place, null, { kind: "closed", workflow: place.workflow.name, problem });
}

/** The step whose turn it is, if somebody has started it: what nobody opened is not shown. */
export function openRef(place: Place): StepRef | null {
  const { run, current } = place;
  return current !== null && run.steps.get(current.name)?.status === "started" ? currentRef(place) : null;
}

/** The step whose turn it is, as it stands. */
export function currentRef({ run, current }: Place): StepRef | null {
  return current === null ? null : refOf(run, current.name);
}

/** A step of a run, as it stands. */
export function refOf({ workflow, pass, steps }: Place["run"], step: string): StepRef {
  return { workflow, pass, step, attempt: steps.get(step)?.attempt ?? 1 };
}

/** The last step of a run that is at its end. */
function lastRef({ run, steps }: Place): StepRef | null {
  const last = steps.findLast(({ name }) => run.steps.has(name));
  return last === undefined ? null : refOf(run, last.name);
}
