import { isBelow } from "../gates/approval-rule.ts";
import type { Correction } from "../gates/correction.ts";
import { defined } from "../kit/defined.ts";
import { digestOf } from "../kit/json.ts";
import { type CompleteCommand, type OpenCommand, secondsBetween, stampOf } from "./command.ts";
import type { DecisionContext } from "./decision-context.ts";
import type { ApprovalRecord, Event } from "./events.ts";
import { attemptId, findAttempt, independentRef, lateCopy } from "./named-attempts.ts";
import type { Decision } from "./outcome.ts";
import { focusedWorkflow } from "./position.ts";
import { refuse } from "./refuse.ts";
import { requiredApproval } from "./required-approval.ts";
import { rejectionOf } from "./stream-snapshot.ts";
import type { Workflow } from "./workflow.ts";

/** Decides the opening of an independent step. */
export function decideOpenIndependent(
  command: OpenCommand,
  step: string,
  { name: workflow }: Workflow,
  { stream, caller, now }: DecisionContext,
): Decision {
  const stamp = stampOf(caller, now);
  const ref = independentRef(step, (stream.independentSteps.get(step)?.attempt ?? 0) + 1);
  const inputs = defined({ inputs: command.inputs });
  const event: Event = {
    type: "aside_started",
    ...stamp,
    workflow,
    step,
    attemptId: attemptId(stamp, ref, stream),
    ...inputs,
  };
  return { events: [event], outcome: { kind: "aside_opened", workflow, step }, notices: [] };
}

/** The independent step that a completion means: the named one, or the only step this caller opened. */
export function independentStepMeant(
  command: CompleteCommand,
  { plan, stream, caller }: DecisionContext,
): string | undefined {
  if (command.step !== undefined) return plan.independent.includes(command.step) ? command.step : undefined;
  const named = command.attempt === undefined ? undefined : findAttempt(stream, command.attempt);
  if (named !== undefined) return plan.independent.includes(named.ref.step) ? named.ref.step : undefined;
  if (stream.openSteps.has(caller.id)) return undefined;
  return [...stream.independentSteps].find(
    ([, { status, openedBy }]) => status === "started" && openedBy === caller.id,
  )?.[0];
}

/** Decides the completion of an independent step: it moves nothing, and only a correction needs approval. */
export function decideCompleteIndependent(
  command: CompleteCommand,
  step: string,
  situation: DecisionContext,
): Decision {
  const { plan, stream, caller, now } = situation;
  const workflow = command.workflow ?? focusedWorkflow(plan, stream)?.name ?? "";
  const state = stream.independentSteps.get(step);
  const outcome = { kind: "aside_completed", workflow, step } as const;
  const found = command.attempt === undefined ? undefined : findAttempt(stream, command.attempt);
  const named = found?.ref.pass === 0 && found.ref.step === step ? found : undefined;
  const { completion } = (command.attempt === undefined ? state : named) ?? {};
  if (completion?.fingerprint === command.fingerprint) return { events: [], outcome, notices: [] };
  const open = state?.status === "started" ? { open: { step, ...defined({ attempt: state.id }) } } : {};
  if (command.attempt !== undefined && named?.isOpen !== true)
    return refuse(null, null, { kind: "not_that_attempt", step, ...open });
  if (state?.id !== undefined && lateCopy(command, situation) !== undefined)
    return refuse(null, null, { kind: "late_copy", step, ...open });
  if (state?.status !== "started") return refuse(null, null, { kind: "aside_not_open", step });
  const word =
    command.correction === undefined ? undefined : correctionApproval(command, command.correction, outcome, situation);
  if (word !== undefined && "events" in word) return word;
  const completed: Event = {
    type: "aside_completed",
    ...stampOf(caller, now),
    workflow,
    step,
    duration: secondsBetween(state.startedAt, now),
    fingerprint: command.fingerprint,
    ...defined({ outputs: command.submitted.outputs }),
    ...(word === undefined || command.correction === undefined ? {} : { correction: command.correction, word }),
  };
  return { events: [completed], outcome, notices: [] };
}

/** The approval that adds a correction to a rule, given to exactly this text; or the decision without one. */
function correctionApproval(
  { approval, approvedSubmission }: CompleteCommand,
  correction: Correction,
  { workflow, step }: { readonly workflow: string; readonly step: string },
  { plan, stream, caller }: DecisionContext,
): ApprovalRecord | Decision {
  if (caller.mayCorrect === false)
    return refuse(null, null, { kind: "forbidden", deed: "correct a rule", role: "author" });
  const digest = digestOf(correction);
  const ref = { workflow, pass: 0, step, attempt: 0 }; // independent of every pass
  const given = approvedSubmission !== undefined && approvedSubmission.digest !== digest ? undefined : approval;
  const no = rejectionOf(stream, ref, digest);
  if (given !== undefined && no !== undefined) return refuse(null, null, { ...no, kind: "declined", step });
  const needs = requiredApproval(undefined, plan);
  const isEnough = given !== undefined && given.level !== "auto" && !isBelow(given.level, needs.level);
  if (isEnough) return given;
  const { unanswered: asked = [] } = stream.independentSteps.get(step) ?? {};
  const unanswered = asked.some((one) => one.digest === digest && one.by === caller.id);
  const waits = {
    ref,
    submitted: {},
    digest,
    correction,
    unanswered,
    declined: no !== undefined,
    ...(no?.reason === undefined ? {} : { reason: no.reason }),
    needs,
    given: [],
    ...(given === undefined ? {} : { insufficientLevel: given.level }),
  };
  return { events: [], outcome: { kind: "awaiting", ...waits }, notices: [] };
}
