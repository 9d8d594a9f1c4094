import { defined } from "../kit/defined.ts";
import { closeStep } from "./close-step.ts";
import { type CheckedCommand, type CompleteCommand, stampOf } from "./command.ts";
import { decideBlocked } from "./decide-blocked.ts";
import { decideCompleteIndependent, independentStepMeant } from "./decide-independent.ts";
import { atBound, nextUnfinished, refuseByOrder } from "./decide-open.ts";
import type { DecisionContext, OpenStep } from "./decision-context.ts";
import type { Event, StepRef } from "./events.ts";
import type { Move } from "./move.ts";
import { completionOf, findAttempt, type KnownAttempt, lateCopy } from "./named-attempts.ts";
import type { Notice } from "./notice.ts";
import type { Decision } from "./outcome.ts";
import { finalOutcome, findWorkflow, isFinished, type Position, positionIn } from "./position.ts";
import {
  openAttempt,
  openRef,
  refOf,
  refuse,
  refuseAhead,
  refuseUnknownStep,
  refuseUnknownWorkflow,
} from "./refuse.ts";
import { isUsedNonce } from "./replay-approval.ts";
import { isSameAttempt } from "./step-ref.ts";
import { type Completion, isAtBound } from "./stream-snapshot.ts";
import { withWaivers } from "./waivers.ts";

/** Decides a completion: finds the open step, judges its gate, and requires approval where needed. */
export function decideComplete(command: CompleteCommand, situation: DecisionContext): Decision {
  const open = situation.open ?? findOpenStep(command, situation);
  if ("events" in open) return open;
  if (command.blocked !== undefined) return decideBlocked(command, command.blocked, open, situation);
  const decision = closeStep(command, open, situation);
  return {
    ...decision,
    notices: [...decision.notices, ...(isApprovedElsewhere(command, open) ? [] : openedByAnother(open, situation))],
  };
}

/** Records the result of a check, as long as its attempt is open. */
export function decideChecked({ ref, result }: CheckedCommand, { stream, caller, now }: DecisionContext): Decision {
  const run = stream.runs.get(ref.workflow);
  const state = run?.pass === ref.pass ? run.steps.get(ref.step) : undefined;
  const isAgain =
    result.signed !== undefined && state !== undefined && isUsedNonce(state, result.signed.statement.nonce);
  const counts = state?.status === "started" && state.attempt === ref.attempt && !isAgain;
  const checked: Event = { type: "checked", ...stampOf(caller, now), ...ref, result };
  return { events: counts ? [checked] : [], outcome: { kind: "checked", ref, counts }, notices: [] };
}

/** Tells if a person's answer completes the step; that person knows it is the assistant's. */
function isApprovedElsewhere(
  { approvedSubmission }: CompleteCommand,
  { state: { approvals = [] } }: OpenStep,
): boolean {
  return approvals.some(({ digest }) => digest === approvedSubmission?.digest);
}

/** Notifies a caller that completes a step opened by another. */
function openedByAnother({ ref, state }: OpenStep, { plan, stream, caller }: DecisionContext): readonly Notice[] {
  const isOwn = plan.policy.onResume === "says" || [...state.openedBy, ...(state.noticedBy ?? [])].includes(caller.id);
  const opened = ({ what, workflow, step }: Move): boolean =>
    what === "opened" && workflow === ref.workflow && step === ref.step;
  const by = isOwn ? undefined : stream.moves.findLast(opened);
  return by === undefined ? [] : [{ kind: "opened_by_another", by }];
}

/** The open step that a completion is about; or the decision, if there is none. */
export function findOpenStep(command: CompleteCommand, situation: DecisionContext): OpenStep | Decision {
  const { plan, stream } = situation;
  const independent = independentStepMeant(command, situation);
  if (independent !== undefined) return decideCompleteIndependent(command, independent, situation);

  const named = command.attempt === undefined ? undefined : findAttempt(stream, command.attempt);
  if (command.attempt !== undefined && !isNamedBy(command, named)) return refuseOtherAttempt(command, situation);
  // once a call was found to mean an attempt, or a person approved one, it never means another
  const given = command.meant ?? command.approvedSubmission?.ref ?? named?.ref;
  const openSteps = given === undefined ? matchingOpenSteps(command, situation) : [given];
  const meant = openSteps.at(-1) ?? null;
  if (openSteps.length > 1) return refuseAmbiguous(openSteps, situation);
  const workflowName = command.workflow ?? meant?.workflow;
  const workflow = findWorkflow(plan, stream, workflowName);
  if (workflow === undefined) return refuseUnknownWorkflow(plan, workflowName);
  const position = positionIn(stream, workflow);
  if (meant !== null) {
    const state = position.run.steps.get(meant.step);
    const isSame = position.run.pass === meant.pass && state?.attempt === meant.attempt;
    if (!isSame || state.status !== "started") return decideMoved(command, meant, position, situation);
  }
  const name = command.step ?? meant?.step ?? openRef(position)?.step;
  const copied = lateCopy(command, situation);
  if (name === undefined)
    return (
      repeatedReply(command, stream.lastCompleted, position, situation) ??
      (copied === undefined ? refuseNothingStarted(position) : refuseLateCopy(copied, position))
    );
  if (!position.steps.some((step) => step.name === name)) return refuseUnknownStep(name, position, situation);

  const barred = refuseByOrder(workflow, situation);
  if (barred !== null) return barred;
  const state = position.run.steps.get(name);
  const { current } = position;
  if (state !== undefined && isAtBound(state))
    return (
      repeatedReply(command, refOf(position.run, name), position, situation) ??
      atBound(refOf(position.run, name), state)
    );
  if (state?.status === "completed") return decideMoved(command, refOf(position.run, name), position, situation);
  if (stream.archivedAt !== null) return refuse(position, null, { kind: "archived" });
  if (current === null || current.name !== name) return refuseAhead(name, position, situation);
  // an attempt from before attempts had names cannot be named
  if (copied !== undefined && (state?.status !== "started" || state.id !== undefined))
    return refuseLateCopy(copied, position);
  if (state?.status !== "started") return refuse(position, openRef(position), { kind: "not_opened", step: name });
  const open = { ref: refOf(position.run, name), step: current, state, position };
  if (state.waivers !== undefined) return withWaivers(open, command, plan);
  return { ...open, waived: [], ...defined({ gate: current.gate }) };
}

/** Tells if the attempt that a call names is one of the step that it names. */
function isNamedBy({ workflow, step }: CompleteCommand, named: KnownAttempt | undefined): named is KnownAttempt {
  if (named === undefined) return false;
  const { ref } = named;
  return (workflow ?? ref.workflow) === ref.workflow && (step ?? ref.step) === ref.step;
}

/** Refuses a call that names an attempt not known here, or another step's. */
function refuseOtherAttempt({ workflow: named, step }: CompleteCommand, { plan, stream }: DecisionContext): Decision {
  const workflow = findWorkflow(plan, stream, named);
  if (workflow === undefined) return refuseUnknownWorkflow(plan, named);
  const position = positionIn(stream, workflow);
  const open = defined({ open: openAttempt(position) });
  return refuse(position, openRef(position), { kind: "not_that_attempt", ...defined({ step }), ...open });
}

/** Refuses a call that may be a late copy of an earlier one; nothing from it is kept. */
function refuseLateCopy({ step }: StepRef, position: Position): Decision {
  const open = defined({ open: openAttempt(position) });
  return refuse(position, openRef(position), { kind: "late_copy", step, ...open });
}

/** The open steps of a caller that match the names it gave. */
function matchingOpenSteps(
  { workflow, step }: CompleteCommand,
  { stream, caller }: DecisionContext,
): readonly StepRef[] {
  const openSteps = stream.openSteps.get(caller.id) ?? [];
  return openSteps.filter((one) => (workflow ?? one.workflow) === one.workflow && (step ?? one.step) === one.step);
}

/** Refuses a call that could mean several open steps; nothing from it is kept. */
function refuseAmbiguous(openSteps: readonly StepRef[], { plan, stream }: DecisionContext): Decision {
  const open = openSteps.map(({ workflow, step }) => ({ workflow, step }));
  const last = openSteps.at(-1);
  const workflow = findWorkflow(plan, stream, last?.workflow);
  return refuse(workflow === undefined ? null : positionIn(stream, workflow), null, { kind: "ambiguous", open });
}

/** Answers a completion of a step that is done: the same call again gets its reply again, any other a conflict. */
function decideMoved(command: CompleteCommand, ref: StepRef, position: Position, situation: DecisionContext): Decision {
  const { plan, stream, caller } = situation;
  // a caller that opened nothing may have lost the reply; where opening is not required, every caller counts as having opened it
  const hasOpenSteps = plan.policy.onResume === "says" || stream.openSteps.has(caller.id);
  const { completion } = position.run.steps.get(ref.step) ?? {};
  const isMine =
    command.attempt !== undefined ||
    completion?.by === caller.id ||
    completion?.approvedFingerprint !== undefined ||
    !hasOpenSteps ||
    isCheckedTogether(ref, position, situation);
  const { workflow, current, run } = position;
  const { step } = ref;
  const again = isMine ? repeatedReply(command, ref, position, situation) : undefined;
  if (again !== undefined) return again;
  const last = stream.moves.findLast((move) => move.workflow === workflow.name && move.step === step);
  // the caller that held the replaced attempt learns what is on record of it
  const before = run.steps.get(step)?.replacedAttempt;
  const kept = before?.attempt === ref.attempt && before.heldBy.includes(caller.id) ? before.submitted : undefined;
  const open = defined({ open: openAttempt(position) });
  const moved = { kind: "moved", step, workflow: workflow.name, at: current?.name ?? null, ...open } as const;
  return refuse(
    position,
    openRef(position),
    { ...moved, ...(last && { last }), ...(kept && { onRecord: true }) },
    kept,
  );
}

/** Tells if a caller holds the very attempt that another completed with checks: both waited for the same result. */
function isCheckedTogether(ref: StepRef, { run }: Position, { stream, caller }: DecisionContext): boolean {
  const hasChecks = (run.steps.get(ref.step)?.checks ?? []).length > 0;
  return hasChecks && (stream.openSteps.get(caller.id) ?? []).some((one) => isSameAttempt(one, ref));
}

/** The reply that a completion already got, for the same call sent again after a lost reply. */
function repeatedReply(
  command: Pick<CompleteCommand, "attempt" | "fingerprint" | "submissionFingerprint" | "submitted">,
  ref: StepRef | null,
  position: Position,
  { plan, stream, caller }: DecisionContext,
): Decision | undefined {
  if (ref === null || ref.workflow !== position.workflow.name) return undefined;
  const latest = ref.pass === position.run.pass ? position.run.steps.get(ref.step) : undefined;
  const state = latest?.attempt === ref.attempt && latest.status === "completed" ? latest : undefined;
  // an attempt that no longer counts still answers the call that completed it, if the call names it
  if (state === undefined && command.attempt === undefined) return undefined;
  const completion = state === undefined ? completionOf(stream, ref) : state.completion;
  if (completion === undefined) return undefined;
  const isHeld = stream.openSteps.get(caller.id)?.some((one) => isSameAttempt(one, ref)) === true;
  const isAgain = completion.fingerprint === command.fingerprint || isApprovedResubmission(command, completion, isHeld);
  if (!isAgain) return undefined;
  const { next, notices, violations } = completion;
  const counted = { submitted: state?.submitted ?? {}, ...defined({ violations }) };
  if (state !== undefined && isAtBound(state)) return atBound(ref, state);
  if (!completion.finished) return { events: [], outcome: { kind: "completed", ref, next, ...counted }, notices };
  const nextWorkflow = nextUnfinished(plan, position.workflow, (candidate) => isFinished(stream, candidate));
  const ended = defined({ outcome: finalOutcome(position.run, position.workflow) });
  const outcome = {
    kind: "finished",
    workflow: position.workflow.name,
    ref,
    nextWorkflow,
    ...counted,
    ...ended,
  } as const;
  return { events: [], outcome, notices };
}

/** Tells if a call repeats a submission approved elsewhere, or sends nothing new from the caller that held the step. */
function isApprovedResubmission(
  { submissionFingerprint: submission, submitted }: Pick<CompleteCommand, "submissionFingerprint" | "submitted">,
  { approvedFingerprint }: Completion,
  isHeld: boolean,
): boolean {
  if (approvedFingerprint === undefined) return false;
  return (
    approvedFingerprint === submission ||
    (isHeld && Object.values(submitted).every((part) => Object.keys(part).length === 0))
  );
}

function refuseNothingStarted(position: Position): Decision {
  const { workflow, current } = position;
  return refuse(position, openRef(position), {
    kind: "nothing_started",
    workflow: workflow.name,
    at: current?.name ?? null,
  });
}
