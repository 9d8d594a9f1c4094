import type { Situation } from "./decide.ts";
import type { StepRef } from "./events.ts";
import type { Decision } from "./outcome.ts";
import type { Refusal } from "./refusal.ts";
import type { Place } from "./route.ts";
import type { Plan, Problem } from "./workflow.ts";

/** A refusal that records nothing. */
export function refuse(place: Place | null, current: StepRef | null, refusal: Refusal): Decision {
  return {
    events: [],
    outcome: { kind: "refused", workflow: place?.workflow.name ?? null, current, refusal },
    warnings: [],
  };
}

/** What a caller is told where nothing could be written. */
export const unsavedText = "Unable to save workflow state. Progress may not be preserved.";

/** No to what cannot be recorded. */
export const notRecorded: Refusal = {
  error: "conflict",
  message: `${unsavedText} Nothing has been started or completed.`,
  required_action: "Make the project area writable (disk space, permissions), then send the same call again.",
};

/** What is decided and cannot be recorded has not happened; a refusal stands all the same. */
export function unrecorded(decision: Decision): Decision {
  if (decision.outcome.kind === "refused") return { ...decision, events: [] };
  const workflow = "workflow" in decision.outcome ? decision.outcome.workflow : null;
  return { events: [], outcome: { kind: "refused", workflow, current: null, refusal: notRecorded }, warnings: [] };
}

/** No to a session that is not there. */
export function sessionNotFound(session: string): Refusal {
  return {
    error: "session_not_found",
    message: `There is no session ${session.slice(0, 100)}.`,
    required_action: "Call get_workflow_state without session_id for the list, or start_workflow to begin one.",
  };
}

/** No to a step whose turn has not come; the attempt is on record, and the caller gets the step whose turn it is. */
export function aheadOf(
  asked: string,
  place: Place,
  { caller, now }: Situation,
  texts?: Pick<Refusal, "message" | "required_action">,
): Decision {
  const current = currentRef(place);
  if (current === null && place.workflow.closed !== undefined) return closedAfter(place, place.workflow.closed);
  const at = current?.step ?? "its end";
  const refusal: Refusal = {
    error: "action_sequence_violation",
    message: texts?.message ?? `${asked} is not open yet: ${place.workflow.name} stands at ${at}.`,
    required_action: texts?.required_action ?? `Complete ${at} first.`,
  };
  const refused = {
    type: "refused",
    at: now,
    by: caller.id,
    workflow: place.workflow.name,
    step: asked,
    code: refusal.error,
  } as const;
  return { ...refuse(place, current, refusal), events: [refused] };
}

/** No to a name that the plan does not have. */
export function unknownStep(asked: string, place: Place, plan: Plan): Decision {
  const names = [...place.steps.map(({ name }) => name), ...plan.independent];
  return refuse(place, openRef(place), {
    error: "unknown_action",
    message: `${place.workflow.name} has no action ${asked}.`,
    required_action: `Use one of: ${names.join(", ")}; or leave out action to go where the work stands.`,
  });
}

/** No to a workflow that the plan does not have. */
export function noWorkflow(plan: Plan, asked: string | undefined): Decision {
  const names = plan.workflows.map(({ name }) => name).join(", ");
  return refuse(null, null, {
    error: asked === undefined ? "invalid_definition" : "unknown_action",
    message: asked === undefined ? `${plan.name} has no behaviors.` : `${plan.name} has no behavior ${asked}.`,
    required_action: asked === undefined ? `List them in the bot's bot_config.json.` : `Use one of: ${names}.`,
  });
}

/** No to what would follow a step whose successor cannot be known. */
export function closedAfter(place: Place, problem: Problem): Decision {
  return refuse(place, null, {
    error: "invalid_definition",
    message: `What follows in ${place.workflow.name} is closed: ${problem.message}.`,
    required_action: `Mend ${problem.file}, then call again.`,
  });
}

/** The step whose turn it is, if somebody has started it: what nobody opened is not shown. */
export function openRef(place: Place): StepRef | null {
  const { run, current } = place;
  return current !== null && run.steps.get(current.name)?.status === "started" ? currentRef(place) : null;
}

/** The step whose turn it is, as it stands. */
export function currentRef({ run, current }: Place): StepRef | null {
  if (current === null) return null;
  return {
    workflow: run.workflow,
    pass: run.pass,
    step: current.name,
    attempt: run.steps.get(current.name)?.attempt ?? 1,
  };
}
