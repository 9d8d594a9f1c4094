import { closeStep, type OpenStep } from "./close-step.ts";
import { type CheckedCommand, type CompleteCommand, stampOf } from "./command.ts";
import type { Situation } from "./decide.ts";
import { asideMeant, completeAside } from "./decide-aside.ts";
import { barredByOrder, nextUnfinished } from "./decide-open.ts";
import type { Completion, Move } from "./desk.ts";
import type { Event, StepRef } from "./events.ts";
import type { Notice } from "./notice.ts";
import type { Decision } from "./outcome.ts";
import { aheadOf, notThere, noWorkflow, openRef, refOf, refuse } from "./refusals.ts";
import { isFinished, locate, named, type Place } from "./route.ts";
import { isSameAttempt } from "./step-ref.ts";

/** Decides whether a step counts as done: what is meant and open, what its gate demands, and whether a person agreed. */
export function decideComplete(command: CompleteCommand, situation: Situation): Decision {
  const open = openFor(command, situation);
  if ("events" in open) return open;
  const decision = closeStep(command, open, situation);
  return {
    ...decision,
    notices: [...decision.notices, ...(isAnswered(command, open) ? [] : openedByAnother(open, situation))],
  };
}

/** Puts the result of a check on record, as long as the attempt that it was run for is open. */
export function decideChecked({ ref, result }: CheckedCommand, { desk, caller, now }: Situation): Decision {
  const run = desk.runs.get(ref.workflow);
  const state = run?.pass === ref.pass ? run.steps.get(ref.step) : undefined;
  const counts = state?.status === "started" && state.attempt === ref.attempt;
  const checked: Event = { type: "checked", ...stampOf(caller, now), ...ref, result };
  return { events: counts ? [checked] : [], outcome: { kind: "checked", ref, counts }, notices: [] };
}

/** A person who answers elsewhere knows that it is the assistant's step. */
function isAnswered({ agreed }: CompleteCommand, { state: { approvals = [] } }: OpenStep): boolean {
  return approvals.some(({ digest }) => digest === agreed?.digest);
}

/** Whoever completes a step that it neither opened nor was shown hears whose it is. */
function openedByAnother({ ref, state }: OpenStep, { plan, desk, caller }: Situation): readonly Notice[] {
  const isOwn = plan.manner.resuming === "says" || [...state.openedBy, ...(state.metBy ?? [])].includes(caller.id);
  const opened = ({ what, workflow, step }: Move): boolean =>
    what === "opened" && workflow === ref.workflow && step === ref.step;
  const by = isOwn ? undefined : desk.moves.findLast(opened);
  return by === undefined ? [] : [{ kind: "opened_by_another", by }];
}

/** The open step that a completion is about; or the decision, where it is about none. */
export function openFor(command: CompleteCommand, situation: Situation): OpenStep | Decision {
  const { plan, desk } = situation;
  const aside = asideMeant(command, situation);
  if (aside !== undefined) return completeAside(command, aside, situation);

  const standings = standingsMeant(command, situation);
  // What this caller opened, or a person agreed to, is what counts: another attempt is another's.
  const meant = command.agreed?.ref ?? standings.at(-1) ?? null;
  if (command.agreed === undefined && standings.length > 1) return ambiguous(standings, situation);
  const asked = command.workflow ?? meant?.workflow;
  const workflow = named(plan, desk, asked);
  if (workflow === undefined) return noWorkflow(plan, asked);
  const place = locate(desk, workflow);
  if (meant !== null) {
    const state = place.run.steps.get(meant.step);
    const isSame = place.run.pass === meant.pass && state?.attempt === meant.attempt;
    if (!isSame || state.status !== "started") return alreadyMoved(command, meant, place, situation);
  }
  const name = command.step ?? meant?.step ?? openRef(place)?.step;
  if (name === undefined) return replayed(command, desk.lastCompleted, place, situation) ?? nothingStarted(place);
  if (!place.steps.some((step) => step.name === name)) return notThere(name, place, situation);

  const barred = barredByOrder(workflow, situation);
  if (barred !== null) return barred;
  const state = place.run.steps.get(name);
  const { current } = place;
  if (state?.status === "completed") return alreadyMoved(command, refOf(place.run, name), place, situation);
  if (desk.archivedAt !== null) return refuse(place, null, { kind: "archived" });
  if (current === null || current.name !== name) return aheadOf(name, place, situation);
  if (state?.status !== "started") return refuse(place, openRef(place), { kind: "not_opened", step: name });
  return { ref: refOf(place.run, name), step: current, state, place };
}

/** The steps that a caller stands at, as far as they are what it names. */
function standingsMeant({ workflow, step }: CompleteCommand, { desk, caller }: Situation): readonly StepRef[] {
  const standings = desk.standings.get(caller.id) ?? [];
  return standings.filter((one) => (workflow ?? one.workflow) === one.workflow && (step ?? one.step) === one.step);
}

/** No to a call that could mean several open steps: nothing of it is kept. */
function ambiguous(standings: readonly StepRef[], { plan, desk }: Situation): Decision {
  const open = standings.map(({ workflow, step }) => ({ workflow, step }));
  const last = standings.at(-1);
  const workflow = named(plan, desk, last?.workflow);
  return refuse(workflow === undefined ? null : locate(desk, workflow), null, { kind: "ambiguous", open });
}

/** A step that is done is not done again: the same call of whoever did it gets its answer again, any other a conflict. */
function alreadyMoved(command: CompleteCommand, ref: StepRef, place: Place, situation: Situation): Decision {
  const { plan, desk, caller } = situation;
  // A caller that opened nothing may be the one who lost the answer; where nobody need open, everybody stands there.
  const stands = plan.manner.resuming === "says" || desk.standings.has(caller.id);
  const { completion } = place.run.steps.get(ref.step) ?? {};
  const isMine = completion?.by === caller.id || completion?.approved !== undefined || !stands;
  const { workflow, current, run } = place;
  const { step } = ref;
  const again = isMine ? replayed(command, ref, place, situation) : undefined;
  if (again !== undefined) return again;
  const last = desk.moves.findLast((move) => move.workflow === workflow.name && move.step === step);
  // Whoever held the attempt that another took over hears what is on record of it.
  const before = run.steps.get(step)?.before;
  const kept = before?.attempt === ref.attempt && before.heldBy.includes(caller.id) ? before.handed : undefined;
  const moved = { kind: "moved", step, workflow: workflow.name, at: current?.name ?? null } as const;
  return refuse(place, openRef(place), { ...moved, ...(last && { last }), ...(kept && { onRecord: true }) }, kept);
}

/** The answer that a completion already got, for the same call sent again after a lost reply. */
function replayed(
  command: Pick<CompleteCommand, "fingerprint" | "handIn" | "handed">,
  ref: StepRef | null,
  place: Place,
  { plan, desk, caller }: Situation,
): Decision | undefined {
  if (ref === null || ref.workflow !== place.workflow.name || ref.pass !== place.run.pass) return undefined;
  const state = place.run.steps.get(ref.step);
  const completion = state?.completion;
  if (state?.status !== "completed" || state.attempt !== ref.attempt) return undefined;
  if (completion === undefined) return undefined;
  const isHeld = desk.standings.get(caller.id)?.some((one) => isSameAttempt(one, ref)) === true;
  const isAgain = completion.fingerprint === command.fingerprint || isApprovedHandIn(command, completion, isHeld);
  if (!isAgain) return undefined;
  const { next, notices, violations } = completion;
  const counted = { handed: state.handed, ...(violations === undefined ? {} : { violations }) };
  if (!completion.finished) return { events: [], outcome: { kind: "completed", ref, next, ...counted }, notices };
  const nextWorkflow = nextUnfinished(plan, place.workflow, (candidate) => isFinished(desk, candidate));
  const outcome = { kind: "finished", workflow: place.workflow.name, ref, nextWorkflow, ...counted } as const;
  return { events: [], outcome, notices };
}

/** A hand-in that a person approved elsewhere is the same whatever word comes with it now; so is nothing more of whoever held the step. */
function isApprovedHandIn(
  { handIn, handed }: Pick<CompleteCommand, "handIn" | "handed">,
  { approved }: Completion,
  isHeld: boolean,
): boolean {
  if (approved === undefined) return false;
  return approved === handIn || (isHeld && Object.values(handed).every((part) => Object.keys(part).length === 0));
}

function nothingStarted(place: Place): Decision {
  const { workflow, current } = place;
  return refuse(place, openRef(place), { kind: "nothing_started", workflow: workflow.name, at: current?.name ?? null });
}
