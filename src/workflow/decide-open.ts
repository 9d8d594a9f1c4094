import { type Caller, type OpenCommand, secondsBetween, stampOf } from "./command.ts";
import type { Situation } from "./decide.ts";
import { openAside } from "./decide-aside.ts";
import { freshRun, isSatisfied, type Run, type StepState } from "./desk.ts";
import type { Event, Stamp, StepRef } from "./events.ts";
import { judgedBy } from "./judged.ts";
import type { Notice } from "./notice.ts";
import type { Decision, Outcome } from "./outcome.ts";
import { aheadOf, closedAfter, notThere, noWorkflow, outOfTurn, refOf, refuse } from "./refusals.ts";
import { isBehind, isFinished, locate, named, type Place } from "./route.ts";
import type { Plan, Step, Workflow } from "./workflow.ts";

/** Decides where a call goes: every branch of "what stands open, and may this caller have it". */
export function decideOpen(command: OpenCommand, situation: Situation): Decision {
  const { plan, desk } = situation;
  const workflow = named(plan, desk, command.workflow);
  if (workflow === undefined) return noWorkflow(plan, command.workflow);
  if (command.step !== undefined && plan.independent.includes(command.step)) {
    return openAside(command, command.step, workflow, situation);
  }
  const place = locate(desk, workflow);
  const unfinished = unfinishedBefore(workflow, situation);
  const barred = barredByOrder(workflow, situation);
  if (barred !== null) return barred;
  const decision =
    command.step === undefined
      ? openPlace(command, place, situation)
      : openNamed(command, command.step, place, situation);
  const opensWork = decision.outcome.kind === "opened" || decision.outcome.kind === "interrupted";
  if (!opensWork) return decision;
  return {
    ...decision,
    notices: [...decision.notices, ...lostFocus(command, situation), ...earlierUnfinished(unfinished)],
  };
}

function lostFocus(command: OpenCommand, { plan, desk }: Situation): Notice[] {
  const lost = desk.focus?.workflow;
  if (command.workflow !== undefined || lost === undefined || plan.workflows.some(({ name }) => name === lost))
    return [];
  return [{ kind: "focus_gone", workflow: lost }];
}

function openNamed(command: OpenCommand, name: string, place: Place, situation: Situation): Decision {
  const { run, current } = place;
  const step = place.steps.find((candidate) => candidate.name === name);
  if (step === undefined) return notThere(name, place, situation);
  if (command.resume === "restart") return openPlace(command, place, situation);
  const state = run.steps.get(name);
  if (state?.status === "completed" && command.resume === "retry" && isBehind(place, step))
    return start(command, step, place, situation);
  if (isSatisfied(state) || (step.skip !== undefined && isBehind(place, step))) {
    const skipped = step.skip === undefined ? {} : { skipped: step.skip };
    const outcome = { kind: "review", ref: refOf(run, name), handed: state?.handed ?? {}, ...skipped } as const;
    return { events: [], outcome, notices: [] };
  }
  return step === current ? openPlace(command, place, situation) : aheadOf(name, place, situation);
}

function openPlace(command: OpenCommand, place: Place, situation: Situation): Decision {
  const { run, current, workflow } = place;
  if (command.resume === "restart" && run.steps.size > 0) return restart(command, workflow, situation);
  if (current === null) {
    if (workflow.closed !== undefined) return closedAfter(place, workflow.closed);
    return finished(place, situation);
  }
  const { desk, caller, now } = situation;
  const state = run.steps.get(current.name);
  const goesOn = state?.status === "started" && command.resume !== "retry";
  // What was put away can be read by whoever need not say how to go on, and goes no further.
  if (desk.archivedAt !== null && !(goesOn && situation.plan.manner.resuming === "says"))
    return refuse(place, null, { kind: "archived" });
  if (!goesOn) return start(command, current, place, situation);
  const stamp = stampOf(caller, now);
  const ref = refOf(run, current.name);
  const focusMoves =
    desk.focus?.workflow !== ref.workflow || desk.focus.step !== ref.step || desk.focus.state !== "started";
  const events: Event[] = focusMoves ? [{ type: "focused", ...stamp, ...ref }] : [];
  const last = isLast(current, place);
  const notices: Notice[] =
    current.broken === undefined ? [] : [{ kind: "definition_broken", problem: current.broken }];
  const isOpener = state.openedBy.includes(caller.id) && !isForgotten(state, caller, now);
  if (!isOpener && command.resume === undefined && situation.plan.manner.resuming === "asks") {
    if (!state.metBy?.includes(caller.id)) events.push({ type: "met", ...stamp, ...ref });
    return { events, outcome: { kind: "interrupted", ref, last, handed: state.handed }, notices };
  }
  if (!isOpener && command.resume === "continue") events.push({ type: "continued", ...stamp, ...ref });
  if (command.inputs !== undefined) events.push({ type: "handed_in", ...stamp, ...ref, inputs: command.inputs });
  const resumed = command.resume === "continue" ? { resumed: state.handed } : {};
  const show = isOpener ? "whole" : shownAtStart(current, place, situation);
  return { events, outcome: { kind: "opened", ref, last, show, ...resumed }, notices };
}

/** Whether what a caller began is too long ago for it to be one with whoever calls now. */
function isForgotten({ startedAt, resumedAt }: StepState, { forgetsAfter }: Caller, now: string): boolean {
  return forgetsAfter !== undefined && secondsBetween(resumedAt ?? startedAt, now) > forgetsAfter;
}

/** What of a step that a caller begins or goes on with has not been said to it: the steps before it said much of the run. */
function shownAtStart({ name }: Step, { run }: Place, { caller }: Situation): (Outcome & { kind: "opened" })["show"] {
  const state = run.steps.get(name);
  if (state?.metBy?.includes(caller.id) && !state.openedBy.includes(caller.id)) return "nothing";
  const isAgain = state?.openedBy.includes(caller.id) === true;
  return !isAgain && [...run.steps.values()].some(({ openedBy }) => openedBy.includes(caller.id)) ? "step" : "whole";
}

/** Begins an attempt at a step. */
export function start(command: OpenCommand, step: Step, place: Place, situation: Situation): Decision {
  const { run, steps } = place;
  const state = run.steps.get(step.name);
  if (step.broken !== undefined && state === undefined) {
    return refuse(place, null, { kind: "unopenable", step: step.name, problem: step.broken });
  }
  const stamp = stampOf(situation.caller, situation.now);
  const index = steps.indexOf(step);
  const skipped = passedOver(steps.slice(0, index), place, stamp);
  const later = stepsAfter(step, place);
  const ref: StepRef = { workflow: run.workflow, pass: run.pass, step: step.name, attempt: (state?.attempt ?? 0) + 1 };
  const started: Event = {
    type: "started",
    ...stamp,
    ...ref,
    successor: steps[index + 1]?.name ?? null,
    ...(step.gate === undefined ? {} : { gated: true }),
    ...(step.edits === undefined ? {} : { edits: step.edits }),
    judgedBy: judgedBy(step, place.workflow, situation.plan),
    ...(command.inputs === undefined ? {} : { inputs: command.inputs }),
    ...(later.length === 0 ? {} : { supersedes: later }),
  };
  const isIdle = command.resume === "continue" || (command.resume === "retry" && state === undefined);
  const show = shownAtStart(step, place, situation);
  return {
    events: [...skipped, started],
    outcome: { kind: "opened", ref, last: isLast(step, place), show },
    notices: isIdle ? [{ kind: "nothing_interrupted", step: step.name }] : [],
  };
}

/** The steps that their author lets pass: on record as soon as they are passed. */
export function passedOver(steps: readonly Step[], { run }: Place, stamp: Stamp): Event[] {
  const { workflow, pass } = run;
  return steps.flatMap(({ name: step, skip: reason }): Event[] =>
    reason === undefined || run.steps.has(step) ? [] : [{ type: "skipped", ...stamp, workflow, pass, step, reason }],
  );
}

/** The steps after this one that a run has touched, and that no longer count once this one is done again. */
export function stepsAfter(step: Step, { run, steps }: Place): string[] {
  return steps.slice(steps.indexOf(step) + 1).flatMap(({ name }) => {
    const status = run.steps.get(name)?.status;
    return status === undefined || status === "superseded" ? [] : [name];
  });
}

function restart(command: OpenCommand, workflow: Workflow, situation: Situation): Decision {
  const run: Run = freshRun(situation.desk, workflow.name);
  const current = workflow.steps.find((step) => step.skip === undefined);
  const place: Place = { workflow, run, steps: workflow.steps, current: current ?? null };
  return current === undefined ? finished(place, situation) : start(command, current, place, situation);
}

function finished(place: Place, { plan, desk }: Situation): Decision {
  const { run, workflow } = place;
  const last = place.steps.findLast((step) => run.steps.has(step.name));
  const state = last === undefined ? undefined : run.steps.get(last.name);
  const ref = last === undefined ? null : refOf(run, last.name);
  const nextWorkflow = nextUnfinished(plan, workflow, (candidate) => isFinished(desk, candidate));
  return {
    events: [],
    outcome: { kind: "finished", workflow: workflow.name, ref, nextWorkflow, handed: state?.handed ?? {} },
    notices: [],
  };
}

/** The first workflow after this one that is not finished. */
export function nextUnfinished(plan: Plan, workflow: Workflow, isDone: (workflow: Workflow) => boolean): string | null {
  const index = plan.workflows.findIndex(({ name }) => name === workflow.name);
  return plan.workflows.slice(index + 1).find((candidate) => !isDone(candidate))?.name ?? null;
}

/** No to a workflow whose turn has not come, where the author wants them walked in order. */
export function barredByOrder(workflow: Workflow, situation: Situation): Decision | null {
  const [earlier] = unfinishedBefore(workflow, situation);
  if (!situation.plan.ordered || earlier === undefined) return null;
  const place = locate(situation.desk, earlier);
  const { name } = workflow;
  const barred = outOfTurn(name, place, situation, (at) => ({
    kind: "workflow_ahead",
    workflow: name,
    earlier: earlier.name,
    at,
  }));
  if (place.current === null) return barred;
  // By which order it was refused goes on record: one that is changed for a walk shows.
  const judged = { judgedBy: judgedBy(place.current, earlier, situation.plan) };
  return {
    ...barred,
    events: barred.events.map((event) => (event.type === "refused" ? { ...event, ...judged } : event)),
  };
}

function unfinishedBefore(workflow: Workflow, { plan, desk }: Situation): Workflow[] {
  return plan.workflows.slice(0, plan.workflows.indexOf(workflow)).filter((earlier) => !isFinished(desk, earlier));
}

function earlierUnfinished(unfinished: readonly Workflow[]): Notice[] {
  if (unfinished.length === 0) return [];
  return [{ kind: "earlier_unfinished", workflows: unfinished.map(({ name }) => name) }];
}

function isLast(step: Step, { steps, workflow }: Place): boolean {
  return workflow.closed === undefined && steps.slice(steps.indexOf(step) + 1).every(({ skip }) => skip !== undefined);
}
