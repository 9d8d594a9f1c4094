import { defined } from "../kit/defined.ts";
import { type Caller, type OpenCommand, secondsBetween, stampOf } from "./command.ts";
import { decideOpenIndependent } from "./decide-independent.ts";
import type { DecisionContext } from "./decision-context.ts";
import type { Event, Stamp, StepRef } from "./events.ts";
import { judgedByHash } from "./judged-by-hash.ts";
import { attemptId } from "./named-attempts.ts";
import type { Notice } from "./notice.ts";
import type { Decision, Outcome } from "./outcome.ts";
import {
  arrive,
  finalOutcome,
  findWorkflow,
  isFinished,
  isPast,
  lastDone,
  outcomeOf,
  type Position,
  positionIn,
} from "./position.ts";
import {
  refOf,
  refuse,
  refuseAhead,
  refuseClosed,
  refuseOutOfTurn,
  refuseUnknownStep,
  refuseUnknownWorkflow,
} from "./refuse.ts";
import { isAtBound, isSatisfied, newRun, type Run, type StepState } from "./stream-snapshot.ts";
import type { Plan, Step, Workflow } from "./workflow.ts";

/** Decides a call that opens a step: finds the open step, and if this caller may have it. */
export function decideOpen(command: OpenCommand, situation: DecisionContext): Decision {
  const { plan, stream } = situation;
  const workflow = findWorkflow(plan, stream, command.workflow);
  if (workflow === undefined) return refuseUnknownWorkflow(plan, command.workflow);
  if (command.step !== undefined && plan.independent.includes(command.step)) {
    return decideOpenIndependent(command, command.step, workflow, situation);
  }
  const position = positionIn(stream, workflow);
  const unfinished = unfinishedBefore(workflow, situation);
  const barred = refuseByOrder(workflow, situation);
  if (barred !== null) return barred;
  const decision =
    command.step === undefined
      ? openCurrent(command, position, situation)
      : openNamed(command, command.step, position, situation);
  const opensWork = decision.outcome.kind === "opened" || decision.outcome.kind === "interrupted";
  if (!opensWork) return decision;
  return {
    ...decision,
    notices: [...decision.notices, ...focusGoneNotices(command, situation), ...earlierUnfinishedNotices(unfinished)],
  };
}

function focusGoneNotices(command: OpenCommand, { plan, stream }: DecisionContext): Notice[] {
  const lost = stream.focus?.workflow;
  if (command.workflow !== undefined || lost === undefined || plan.workflows.some(({ name }) => name === lost))
    return [];
  return [{ kind: "focus_gone", workflow: lost }];
}

function openNamed(command: OpenCommand, name: string, position: Position, situation: DecisionContext): Decision {
  const { run, current } = position;
  const step = position.steps.find((candidate) => candidate.name === name);
  if (step === undefined) return refuseUnknownStep(name, position, situation);
  if (command.resume === "restart") return openCurrent(command, position, situation);
  const state = run.steps.get(name);
  const isLeftOut = outcomeOf(run) !== undefined && state?.status !== "completed";
  if (isLeftOut || state?.status === "passed_over") return refuseAhead(name, position, situation);
  const held = command.resume === undefined ? undefined : heldAtBound(position);
  if (held !== undefined) return held;
  if (state?.status === "completed" && command.resume === "retry" && isPast(position, step))
    return startAttempt(command, step, position, situation);
  if (isSatisfied(state) || (step.skip !== undefined && isPast(position, step))) {
    const skipped = defined({ skipped: step.skip });
    const outcome = { kind: "review", ref: refOf(run, name), submitted: state?.submitted ?? {}, ...skipped } as const;
    return { events: [], outcome, notices: [] };
  }
  return step === current ? openCurrent(command, position, situation) : refuseAhead(name, position, situation);
}

function openCurrent(command: OpenCommand, before: Position, given: DecisionContext): Decision {
  const { events: passed, position, stream: moved } = arrive(before.workflow, given.stream, given);
  const decision = openArrived(command, position, { ...given, stream: moved });
  return passed.length === 0 ? decision : { ...decision, events: [...passed, ...decision.events] };
}

function openArrived(command: OpenCommand, position: Position, situation: DecisionContext): Decision {
  const { run, current, workflow } = position;
  const { stream, caller, now } = situation;
  const isArchived = stream.archivedAt !== null;
  const held = heldAtBound(position);
  if (held !== undefined) return held;
  if (command.resume === "restart" && (run.steps.size > 0 || isArchived))
    return restartWorkflow(command, workflow, situation);
  if (current === null) {
    if (workflow.closed !== undefined) return refuseClosed(position, workflow.closed);
    return finishedDecision(position, situation);
  }
  const state = run.steps.get(current.name);
  const goesOn = state?.status === "started" && command.resume !== "retry";
  // archived work can still be read where resuming needs no answer, and goes no further
  if (isArchived && !(goesOn && situation.plan.policy.onResume === "says"))
    return refuse(position, null, { kind: "archived" });
  if (!goesOn) return startAttempt(command, current, position, situation);
  const stamp = stampOf(caller, now);
  const ref = refOf(run, current.name);
  const focusMoves =
    stream.focus?.workflow !== ref.workflow || stream.focus.step !== ref.step || stream.focus.state !== "started";
  const events: Event[] = focusMoves ? [{ type: "focused", ...stamp, ...ref }] : [];
  const last = isLast(current, position);
  const notices: Notice[] =
    current.broken === undefined ? [] : [{ kind: "definition_broken", problem: current.broken }];
  const isOpener = state.openedBy.includes(caller.id) && !isStartExpired(state, caller, now);
  if (!isOpener && command.resume === undefined && situation.plan.policy.onResume === "asks") {
    if (!state.noticedBy?.includes(caller.id)) events.push({ type: "met", ...stamp, ...ref });
    return { events, outcome: { kind: "interrupted", ref, last, submitted: state.submitted }, notices };
  }
  if (!isOpener && command.resume === "continue") events.push({ type: "continued", ...stamp, ...ref });
  else if (!isOpener && holdsEarlierAttempt(ref, situation)) events.push({ type: "met", ...stamp, ...ref });
  if (command.inputs !== undefined) events.push({ type: "handed_in", ...stamp, ...ref, inputs: command.inputs });
  const resumed = command.resume === "continue" ? { resumed: state.submitted } : {};
  const show = isOpener ? "whole" : partNotShownYet(current, position, situation);
  return { events, outcome: { kind: "opened", ref, last, show, ...resumed }, notices };
}

/** The answer to every call while the current step is at its bound; no caller can start over either. */
function heldAtBound({ run, current }: Position): Decision | undefined {
  const state = current === null ? undefined : run.steps.get(current.name);
  return current !== null && state !== undefined && isAtBound(state)
    ? atBound(refOf(run, current.name), state)
    : undefined;
}

/** The answer to a call at a bound: only a person can continue. */
export function atBound(ref: StepRef, { submitted, blocked }: StepState): Decision {
  return { events: [], outcome: { kind: "at_bound", ref, submitted, reason: blocked?.reason ?? "" }, notices: [] };
}

/** Tells if a caller that is shown a step still counts as working on an earlier attempt at it. */
function holdsEarlierAttempt({ workflow, step, attempt }: StepRef, { stream, caller }: DecisionContext): boolean {
  const held = stream.openSteps.get(caller.id) ?? [];
  return held.some((one) => one.workflow === workflow && one.step === step && one.attempt !== attempt);
}

/** Tells if a step was opened too long ago to be sure that the same chat is calling. */
function isStartExpired({ startedAt, resumedAt }: StepState, { forgetsAfter }: Caller, now: string): boolean {
  return forgetsAfter !== undefined && secondsBetween(resumedAt ?? startedAt, now) > forgetsAfter;
}

/** The part of a step that this caller has not been shown; earlier steps showed much of the run. */
function partNotShownYet(
  { name }: Step,
  { run }: Position,
  { caller }: DecisionContext,
): (Outcome & { kind: "opened" })["show"] {
  const state = run.steps.get(name);
  if (state?.noticedBy?.includes(caller.id) && !state.openedBy.includes(caller.id)) return "nothing";
  const isAgain = state?.openedBy.includes(caller.id) === true;
  return !isAgain && [...run.steps.values()].some(({ openedBy }) => openedBy.includes(caller.id)) ? "step" : "whole";
}

/** Starts an attempt at a step. */
export function startAttempt(
  command: OpenCommand,
  step: Step,
  position: Position,
  situation: DecisionContext,
): Decision {
  const { run, steps } = position;
  const state = run.steps.get(step.name);
  if (step.broken !== undefined && state === undefined) {
    return refuse(position, null, { kind: "unopenable", step: step.name, problem: step.broken });
  }
  const stamp = stampOf(situation.caller, situation.now);
  const index = steps.indexOf(step);
  const skipped = skippedEvents(steps.slice(0, index), position, stamp);
  const later = stepsAfter(step, position);
  const ref: StepRef = { workflow: run.workflow, pass: run.pass, step: step.name, attempt: (state?.attempt ?? 0) + 1 };
  const started: Event = {
    type: "started",
    ...stamp,
    ...ref,
    successor: steps[index + 1]?.name ?? null,
    ...(step.gate === undefined ? {} : { gated: true }),
    attemptId: attemptId(stamp, ref, situation.stream),
    ...defined({ edits: step.edits }),
    judgedBy: judgedByHash(step, position.workflow, situation.plan),
    ...defined({ inputs: command.inputs }),
    ...(later.length === 0 ? {} : { supersedes: later }),
  };
  const isIdle = command.resume === "continue" || (command.resume === "retry" && state === undefined);
  const show = partNotShownYet(step, position, situation);
  return {
    events: [...skipped, started],
    outcome: { kind: "opened", ref, last: isLast(step, position), show },
    notices: isIdle ? [{ kind: "nothing_interrupted", step: step.name }] : [],
  };
}

/** Records the steps that their author skips, as soon as they are passed. */
export function skippedEvents(steps: readonly Step[], { run }: Position, stamp: Stamp): Event[] {
  const { workflow, pass } = run;
  return steps.flatMap(({ name: step, skip: reason }): Event[] =>
    reason === undefined || run.steps.has(step) ? [] : [{ type: "skipped", ...stamp, workflow, pass, step, reason }],
  );
}

/** The touched steps after this one, which no longer count once it is done again. */
export function stepsAfter(step: Step, { run, steps }: Position): string[] {
  return steps.slice(steps.indexOf(step) + 1).flatMap(({ name }) => {
    const status = run.steps.get(name)?.status;
    return status === undefined || status === "superseded" ? [] : [name];
  });
}

function restartWorkflow(command: OpenCommand, workflow: Workflow, situation: DecisionContext): Decision {
  const run: Run = newRun(situation.stream, workflow.name);
  const current = workflow.steps.find((step) => step.skip === undefined);
  const position: Position = { workflow, run, steps: workflow.steps, current: current ?? null };
  return current === undefined
    ? finishedDecision(position, situation)
    : startAttempt(command, current, position, situation);
}

function finishedDecision(position: Position, { plan, stream }: DecisionContext): Decision {
  const { run, workflow } = position;
  const last = lastDone(position);
  const state = last === undefined ? undefined : run.steps.get(last.name);
  const ref = last === undefined ? null : refOf(run, last.name);
  const nextWorkflow = nextUnfinished(plan, workflow, (candidate) => isFinished(stream, candidate));
  const details = { submitted: state?.submitted ?? {}, ...defined({ outcome: finalOutcome(run, workflow) }) };
  return {
    events: [],
    outcome: { kind: "finished", workflow: workflow.name, ref, nextWorkflow, ...details },
    notices: [],
  };
}

/** The first unfinished workflow after this one. */
export function nextUnfinished(plan: Plan, workflow: Workflow, isDone: (workflow: Workflow) => boolean): string | null {
  const index = plan.workflows.findIndex(({ name }) => name === workflow.name);
  return plan.workflows.slice(index + 1).find((candidate) => !isDone(candidate))?.name ?? null;
}

/** Refuses a workflow ahead of an unfinished one, if the author orders them. */
export function refuseByOrder(workflow: Workflow, situation: DecisionContext): Decision | null {
  const [earlier] = unfinishedBefore(workflow, situation);
  if (!situation.plan.ordered || earlier === undefined) return null;
  const position = positionIn(situation.stream, earlier);
  const { name } = workflow;
  const barred = refuseOutOfTurn(name, position, situation, (at) => ({
    kind: "workflow_ahead",
    workflow: name,
    earlier: earlier.name,
    at,
  }));
  if (position.current === null) return barred;
  // the order is recorded with the refusal, so a later change of it shows
  const judged = { judgedBy: judgedByHash(position.current, earlier, situation.plan) };
  return {
    ...barred,
    events: barred.events.map((event) => (event.type === "refused" ? { ...event, ...judged } : event)),
  };
}

function unfinishedBefore(workflow: Workflow, { plan, stream }: DecisionContext): Workflow[] {
  return plan.workflows.slice(0, plan.workflows.indexOf(workflow)).filter((earlier) => !isFinished(stream, earlier));
}

function earlierUnfinishedNotices(unfinished: readonly Workflow[]): Notice[] {
  if (unfinished.length === 0) return [];
  return [{ kind: "earlier_unfinished", workflows: unfinished.map(({ name }) => name) }];
}

function isLast(step: Step, { steps, workflow }: Position): boolean {
  return workflow.closed === undefined && steps.slice(steps.indexOf(step) + 1).every(({ skip }) => skip !== undefined);
}
