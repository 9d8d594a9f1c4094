import type { ArchiveCommand, BeginCommand, PassCommand, ReadCommand } from "./command.ts";
import type { Situation } from "./decide.ts";
import { closeStep, replayed } from "./decide-complete.ts";
import { start } from "./decide-open.ts";
import type { Event, StepRef } from "./events.ts";
import type { Decision } from "./outcome.ts";
import type { Refusal } from "./refusal.ts";
import { currentRef, refuse } from "./refusals.ts";
import { following, locate, type Place } from "./route.ts";

/** Decides the beginning of a session: on record with its first step open, once. */
export function decideBegin({ facts }: BeginCommand, situation: Situation): Decision {
  const place = placeOf(situation);
  const { current } = place;
  if (situation.desk.session !== null || current === null) return read(place, current?.name);
  const began: Event = { type: "session_began", at: situation.now, by: situation.caller.id, ...facts };
  const opened = start({ kind: "open" }, current, place, situation);
  return { ...opened, events: [began, ...opened.events] };
}

/** Decides what of a session may be read: the open step and those that are done, nothing else. */
export function decideRead({ step }: ReadCommand, situation: Situation): Decision {
  const place = placeOf(situation);
  const asked = step ?? place.current?.name ?? place.steps.at(-1)?.name;
  return mayRead(place, asked) ? read(place, asked) : skipped(asked ?? "", place, situation);
}

/** Decides whether the gate of the open step is passed; the step after it is open from then on. */
export function decidePass(command: PassCommand, situation: Situation): Decision {
  const place = placeOf(situation);
  const { run, current } = place;
  const state = run.steps.get(command.step);
  const { agreed } = command;
  const moved = agreed !== undefined && (agreed.step !== current?.name || agreed.attempt !== state?.attempt);
  if (state?.status === "completed" || moved) return passedAlready(command, place, situation);
  if (situation.desk.session?.archivedAt !== undefined) return putAway(place);
  if (current?.name !== command.step || state?.status !== "started") return skipped(command.step, place, situation);
  const closed = closeStep(command, current, state, place, situation);
  // What came with a turned-down attempt is not kept: else it would pass with the next one, unproved.
  if (closed.outcome.kind === "refused")
    return { ...closed, events: closed.events.filter(({ type }) => type === "refused") };
  if (closed.outcome.kind !== "completed") return closed;
  const next = following(place, current.name);
  const opened = next === null ? [] : start({ kind: "open" }, next, place, situation).events;
  return { ...closed, events: [...closed.events, ...opened] };
}

/** Decides that a person puts a session away; what is finished or away already stays as it is. */
export function decideArchive({ reason }: ArchiveCommand, { desk, caller, now }: Situation): Decision {
  const archived: Event = { type: "archived", at: now, by: caller.id, ...(reason === undefined ? {} : { reason }) };
  const workflow = desk.session?.workflow ?? "";
  return {
    events: desk.session?.archivedAt === undefined ? [archived] : [],
    outcome: { kind: "finished", workflow, ref: null, nextWorkflow: null, handed: {} },
    warnings: [],
  };
}

/** The one rule of what may be seen of a session: the step that is open, and those that are done. */
export function mayRead({ run, current }: Place, step: string | undefined): boolean {
  if (step === undefined) return false;
  const status = run.steps.get(step)?.status;
  return status === "completed" || (status === "started" && step === current?.name);
}

function placeOf({ plan, desk }: Situation): Place {
  const [workflow] = plan.workflows;
  if (workflow === undefined) throw new Error("A session has no workflow.");
  return locate(desk, workflow);
}

function read(place: Place, step: string | undefined): Decision {
  const name = step ?? place.steps.at(-1)?.name ?? "";
  const state = place.run.steps.get(name);
  const ref: StepRef = { workflow: place.run.workflow, pass: place.run.pass, step: name, attempt: state?.attempt ?? 1 };
  const handed = state?.handed ?? {};
  return name === place.current?.name
    ? { events: [], outcome: { kind: "opened", ref, last: place.steps.at(-1)?.name === name }, warnings: [] }
    : { events: [], outcome: { kind: "review", ref, handed }, warnings: [] };
}

/** No to a step whose turn has not come; the attempt is on record. */
function skipped(asked: string, place: Place, { caller, now }: Situation): Decision {
  const at = place.current?.name ?? place.steps.at(-1)?.name ?? "";
  const refusal: Refusal = {
    error: "phase_sequence_violation",
    message: `Cannot access Phase ${asked}`,
    reason: `Currently on Phase ${at}`,
    required_action:
      place.current === null
        ? "Every phase is complete: review one of them, or start another workflow"
        : `Complete Phase ${at} checkpoint first`,
  };
  const refused: Event = {
    type: "refused",
    at: now,
    by: caller.id,
    workflow: place.workflow.name,
    step: asked,
    code: refusal.error,
  };
  const shown = currentRef(place) ?? { workflow: place.run.workflow, pass: place.run.pass, step: at, attempt: 1 };
  return { ...refuse(place, shown, refusal), events: [refused] };
}

/** A step that is done is not done again: the same call of the same caller gets its answer again, any other a conflict. */
function passedAlready(command: PassCommand, place: Place, situation: Situation): Decision {
  const { run, current } = place;
  const state = run.steps.get(command.step);
  const ref: StepRef = {
    workflow: run.workflow,
    pass: run.pass,
    step: command.step,
    attempt: state?.attempt ?? 1,
  };
  const isMine = state?.completion?.by === situation.caller.id;
  const at = current === null ? "the workflow is complete" : `the session is now on Phase ${current.name}`;
  return (
    (isMine ? replayed(command, ref, place, situation) : undefined) ??
    refuse(place, currentRef(place), {
      error: "conflict",
      message: `Phase ${command.step} is already completed, and ${at}.`,
      required_action:
        current === null
          ? "Nothing is left to do here: read a phase with get_phase_content."
          : `Go on with Phase ${current.name}: its content is in this answer.`,
    })
  );
}

function putAway(place: Place): Decision {
  return refuse(place, null, {
    error: "conflict",
    message: "This session was archived by a person; it takes no more evidence.",
    required_action: "Call start_workflow to begin a new session.",
  });
}
