import { defined } from "../kit/defined.ts";
import { type ArchiveCommand, type BackCommand, type BeginCommand, type EndCommand, stampOf } from "./command.ts";
import { decideOpen, startAttempt, stepsAfter } from "./decide-open.ts";
import type { DecisionContext } from "./decision-context.ts";
import type { Event } from "./events.ts";
import type { Decision } from "./outcome.ts";
import { arrive, findWorkflow, focusedWorkflow, isPast, positionIn } from "./position.ts";
import type { Refusal } from "./refusal.ts";
import { refOf, refuse, refuseAhead, refuseUnknownStep, refuseUnknownWorkflow } from "./refuse.ts";
import { replay } from "./replay.ts";
import { isOpen, isSatisfied } from "./stream-snapshot.ts";
import type { Workflow } from "./workflow.ts";

/** Decides to go back to a completed step: it and the steps after it are superseded, and the next caller opens it. */
export function decideBack(command: BackCommand, situation: DecisionContext): Decision {
  const { plan, stream, caller, now } = situation;
  const workflow = findWorkflow(plan, stream, command.workflow);
  if (workflow === undefined) return refuseUnknownWorkflow(plan, command.workflow);
  const position = positionIn(stream, workflow);
  const step = position.steps.find(({ name }) => name === command.step);
  if (step === undefined) return { ...refuseUnknownStep(command.step, position, situation), events: [] };
  // a person's slip gets an answer; it is not a try to skip ahead
  const state = position.run.steps.get(step.name);
  const isDone = isSatisfied(state) && state?.status !== "passed_over" && isPast(position, step);
  if (!isDone) return { ...refuseAhead(step.name, position, situation), events: [] };
  if (stream.archivedAt !== null) return refuse(position, null, { kind: "archived" });
  const ref = refOf(position.run, step.name);
  const supersedes = stepsAfter(step, position);
  const wentBack: Event = { type: "went_back", ...stampOf(caller, now), ...ref, supersedes };
  const arrival = arrive(workflow, replay([wentBack], stream), situation);
  const { current } = arrival.position;
  // where completing a step opens the next, one step is always open
  const opened =
    plan.policy.onComplete === "opens the next" && current !== null
      ? startAttempt({ kind: "open" }, current, arrival.position, { ...situation, stream: arrival.stream }).events
      : [];
  return { events: [wentBack, ...arrival.events, ...opened], outcome: { kind: "gone_back", ref }, notices: [] };
}

/** Decides to end a run at its open step with one of its outcomes; never as done while steps are open. */
export function decideEnd(command: EndCommand, { plan, stream, caller, now }: DecisionContext): Decision {
  const { ref, outcome, reason, level, person, signed } = command;
  const workflow = findWorkflow(plan, stream, ref.workflow);
  if (workflow === undefined) return refuseUnknownWorkflow(plan, ref.workflow);
  const position = positionIn(stream, workflow);
  const state = position.run.pass === ref.pass ? position.run.steps.get(ref.step) : undefined;
  if (stream.archivedAt !== null) return refuse(position, null, { kind: "archived" });
  if (state?.attempt !== ref.attempt || !isOpen(state)) {
    const at = position.current?.name ?? null;
    return refuse(position, null, { kind: "moved", step: ref.step, workflow: ref.workflow, at });
  }
  const problem = endProblem(workflow, outcome);
  if (problem !== undefined) return refuse(position, null, problem);
  const proof = defined({ level, person, signed });
  const finished: Event = { type: "finished", ...stampOf(caller, now), ...ref, outcome, reason, ...proof };
  const { submitted } = state;
  return {
    events: [finished],
    outcome: { kind: "finished", workflow: workflow.name, ref, nextWorkflow: null, submitted, outcome },
    notices: [],
  };
}

/** Refuses an outcome with which a person cannot end a run. */
export function endProblem({ outcomes = [] }: Workflow, outcome: string): Refusal | undefined {
  const others = outcomes.filter((one) => one !== "done");
  if (others.includes(outcome)) return undefined;
  const message = `${outcome} is not an outcome that a person can choose here`;
  const fix = others.length === 0 ? "Archive it instead." : `Choose one of: ${others.join(", ")}.`;
  return { kind: "invalid_input", message, fix };
}

/** Decides the start of a session: recorded once, with its first step open. */
export function decideBegin({ facts }: BeginCommand, situation: DecisionContext): Decision {
  const { plan, stream, caller, now } = situation;
  const workflow = focusedWorkflow(plan, stream);
  const position = workflow === undefined ? undefined : positionIn(stream, workflow);
  if (stream.session !== null || position === undefined || position.current === null)
    return decideOpen({ kind: "open" }, situation);
  const began: Event = { type: "session_began", ...stampOf(caller, now), ...facts };
  const opened = decideOpen({ kind: "open" }, { ...situation, stream: replay([began], stream) });
  return { ...opened, events: [began, ...opened.events] };
}

/** Decides to archive work; archiving twice changes nothing. */
export function decideArchive({ reason }: ArchiveCommand, { stream, caller, now }: DecisionContext): Decision {
  const archived: Event = { type: "archived", ...stampOf(caller, now), ...defined({ reason }) };
  return {
    events: stream.archivedAt === null ? [archived] : [],
    outcome: { kind: "archived", workflow: stream.session?.workflow ?? stream.focus?.workflow ?? "" },
    notices: [],
  };
}
