import { type ArchiveCommand, type BackCommand, type BeginCommand, stampOf } from "./command.ts";
import type { Situation } from "./decide.ts";
import { decideOpen, start, stepsAfter } from "./decide-open.ts";
import { isSatisfied } from "./desk.ts";
import type { Event } from "./events.ts";
import type { Decision } from "./outcome.ts";
import { aheadOf, notThere, noWorkflow, refOf, refuse } from "./refusals.ts";
import { inFocus, isBehind, locate, named } from "./route.ts";

/** Decides a person's wish to do a completed step again: it and what followed are superseded, and whoever comes next opens it. */
export function decideBack(command: BackCommand, situation: Situation): Decision {
  const { plan, desk, caller, now } = situation;
  const workflow = named(plan, desk, command.workflow);
  if (workflow === undefined) return noWorkflow(plan, command.workflow);
  const place = locate(desk, workflow);
  const step = place.steps.find(({ name }) => name === command.step);
  if (step === undefined) return { ...notThere(command.step, place, situation), events: [] };
  // A person's slip is answered, and no attempt to get ahead.
  const isDone = isSatisfied(place.run.steps.get(step.name)) && isBehind(place, step);
  if (!isDone) return { ...aheadOf(step.name, place, situation), events: [] };
  if (desk.archivedAt !== null) return refuse(place, null, { kind: "archived" });
  const ref = refOf(place.run, step.name);
  const supersedes = stepsAfter(step, place);
  const wentBack: Event = { type: "went_back", ...stampOf(caller, now), ...ref, supersedes };
  // Where completing a step opens the next, one is open at any time.
  const opened =
    plan.manner.completing === "opens the next" ? start({ kind: "open" }, step, place, situation).events : [];
  return { events: [wentBack, ...opened], outcome: { kind: "gone_back", ref }, notices: [] };
}

/** Decides the beginning of a session: on record with its first step open, once. */
export function decideBegin({ facts }: BeginCommand, situation: Situation): Decision {
  const { plan, desk, caller, now } = situation;
  const workflow = inFocus(plan, desk);
  const place = workflow === undefined ? undefined : locate(desk, workflow);
  if (desk.session !== null || place === undefined || place.current === null)
    return decideOpen({ kind: "open" }, situation);
  const began: Event = { type: "session_began", ...stampOf(caller, now), ...facts };
  const opened = start({ kind: "open" }, place.current, place, situation);
  return { ...opened, events: [began, ...opened.events] };
}

/** Decides that a person puts work away; what is away already stays as it is. */
export function decideArchive({ reason }: ArchiveCommand, { desk, caller, now }: Situation): Decision {
  const archived: Event = { type: "archived", ...stampOf(caller, now), ...(reason === undefined ? {} : { reason }) };
  return {
    events: desk.archivedAt === null ? [archived] : [],
    outcome: { kind: "archived", workflow: desk.session?.workflow ?? desk.focus?.workflow ?? "" },
    notices: [],
  };
}
