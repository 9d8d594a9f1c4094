import {
  type AsideState,
  type Completion,
  type Desk,
  emptyDesk,
  type Focus,
  freshRun,
  isSatisfied,
  type Move,
  mergeHandedIn,
  type StepState,
} from "./desk.ts";
import type { CompletedEntry, Event, StepRef, Word } from "./events.ts";
import { type Own, owning } from "./owning.ts";
import { recordedCode } from "./refusal.ts";
import { turnedDownAt, withResult } from "./replay-refusal.ts";
import { approve, askedInVain, isOther, isProven, reject, usedNonces, waitingSince } from "./replay-word.ts";
import { stepKey } from "./step-ref.ts";

/** Adds up a history. */
export function replay(events: Iterable<Event>, from: Desk = emptyDesk): Desk {
  return replayer(from)(events);
}

/**
 * Adds up a history bit by bit, for somebody who looks at the desk in between and keeps nothing of it: the next events
 * change it. What it costs grows with the events, whatever they say.
 */
export function replayer(from: Desk = emptyDesk): (events: Iterable<Event>) => Desk {
  const own = owning();
  let draft: Draft | undefined;
  return (events) => {
    let changedAt: string | undefined;
    for (const event of events) {
      draft ??= { ...from, moves: [...from.moves], recent: [...from.recent] };
      apply(draft, event, own);
      if (isProven(event)) draft.proven += 1;
      changedAt = event.at;
    }
    if (draft === undefined) return from;
    if (changedAt === undefined) return draft;
    draft.changedAt = changedAt;
    if (draft.session !== null) draft.session = { ...draft.session, changedAt };
    return draft;
  };
}

/** A desk that is being added up: its lists are its own. */
type Draft = { -readonly [Part in keyof Desk]: Desk[Part] } & { moves: Move[]; recent: CompletedEntry[] };

function apply(desk: Draft, event: Event, own: Own): void {
  switch (event.type) {
    case "started": {
      const steps = stepsOf(desk, event, own);
      const before = steps.get(event.step);
      supersede(steps, event.supersedes ?? []);
      steps.set(event.step, {
        attempt: event.attempt,
        status: "started",
        startedAt: event.at,
        openedBy: [event.by],
        successor: event.successor,
        gated: event.gated === true,
        ...(event.edits === undefined ? {} : { edits: event.edits }),
        handed: event.inputs ? { inputs: event.inputs } : {},
        ...takenOver(before),
        ...(event.client === undefined ? {} : { client: event.client }),
      });
      standAt(desk, event, own);
      focusOn(desk, event, "started");
      desk.archivedAt = null; // only a new beginning gets here
      move(desk, event, "opened");
      break;
    }
    case "went_back":
      supersede(stepsOf(desk, event, own), [event.step, ...event.supersedes]);
      focusOn(desk, event, "started");
      move(desk, event, "went back to");
      break;
    case "continued":
      changeStep(desk, event, own, (state) => ({
        ...state,
        openedBy: withCaller(state.openedBy, event.by),
        resumedAt: event.at,
      }));
      standAt(desk, event, own);
      break;
    case "met":
      changeStep(desk, event, own, (state) => ({ ...state, metBy: withCaller(state.metBy, event.by) }));
      standAt(desk, event, own);
      break;
    case "focused":
      focusOn(desk, event, "started");
      break;
    case "handed_in":
      changeStep(desk, event, own, ({ turnedDown: _, rejected, ...state }) => ({
        ...state,
        handed: mergeHandedIn(state.handed, event, own),
        ...waitingSince(state, event),
        ...(rejected === undefined || isOther(event, rejected) ? {} : { rejected }),
        ...letThrough(state, event),
      }));
      break;
    case "checked":
      changeStep(desk, event, own, (state) => ({ ...state, checks: withResult(state.checks, event.result) }));
      break;
    case "completed":
      complete(desk, event, own);
      break;
    case "skipped":
      stepsOf(desk, event, own).set(event.step, { ...vouchedAt(event.at), status: "skipped" });
      break;
    case "aside_started": {
      const { at: startedAt, by: openedBy, inputs } = event;
      setAside(desk, event.step, { status: "started", startedAt, openedBy, ...(inputs && { inputs }) }, own);
      break;
    }
    case "aside_completed": {
      const { startedAt = event.at, openedBy = event.by } = desk.asides.get(event.step) ?? {};
      const { fingerprint } = event;
      setAside(desk, event.step, { status: "completed", startedAt, openedBy, fingerprint }, own);
      break;
    }
    case "adopted":
      adopt(desk, event, own);
      break;
    case "began_anew":
      Object.assign(desk, {
        ...emptyDesk,
        recent: [],
        passes: desk.passes,
        standings: desk.standings,
        declined: desk.declined,
        moves: desk.moves,
        proven: desk.proven,
      });
      break;
    case "approved":
      changeStep(desk, event, own, (state) => ({ ...state, ...approve(state, event), ...usedNonces(state, event) }));
      break;
    case "declined":
      changeStep(desk, event, own, ({ waiting: _, approvals: __, ...state }) => ({
        ...state,
        turnedDown: recordedCode("declined"),
        ...reject(event),
        ...usedNonces(state, event),
      }));
      decline(desk, event, own);
      break;
    case "unanswered":
      changeStep(desk, event, own, (state) => ({ ...state, ...askedInVain(state, event) }));
      askAside(desk, event, own);
      break;
    case "refused":
      turnDown(desk, event, own);
      break;
    case "log_adopted":
      break;
    case "accepted":
      if (desk.runs.size === 0) desk.archivedAt = event.at; // nothing is left of what was here
      break;
    case "session_began": {
      const { workflow, target, options, run, definition, first, total, at } = event;
      const inRun = run === undefined ? {} : { run };
      desk.session = { workflow, target, options, ...inRun, definition, first, total, beganAt: at, changedAt: at };
      break;
    }
    case "archived":
      desk.archivedAt = event.at;
      move(desk, { ...event, workflow: desk.session?.workflow ?? "" }, "archived");
  }
}

function complete(desk: Draft, event: Event & { type: "completed" }, own: Own): void {
  const { at, by, workflow, pass, step, attempt, duration, successor, fingerprint, finished, violations } = event;
  const { next = null, warnings = [], notices = [] } = event;
  const completion: Completion = { at, by, fingerprint, finished, next, notices: [...warnings, ...notices] };
  changeStep(desk, event, own, ({ startedAt, openedBy, gated, handed, checks, approvals = [], refused, client }) => ({
    attempt,
    status: "completed",
    startedAt,
    openedBy,
    successor,
    gated,
    handed: mergeHandedIn(handed, event, own),
    completion: {
      ...completion,
      ...(approvals.some(({ digest }) => digest === event.digest) ? { approved: fingerprint } : {}),
      ...(violations === undefined ? {} : { violations }),
    },
    ...(checks === undefined ? {} : { checks }),
    ...(refused === undefined ? {} : { refused }),
    ...(client === undefined ? {} : { client }),
  }));
  desk.completedCount += 1;
  desk.recent.push({ workflow, step, timestamp: at, duration });
  if (desk.recent.length > mostRecent) desk.recent.shift();
  desk.lastCompleted = { workflow, pass, step, attempt };
  leave(desk, event, own);
  focusOn(desk, event, "completed");
  move(desk, event, "completed", agreedTo(event.word));
}

/** Who agreed to a completion and what they said to it; words that the assistant passed on are its own. */
function agreedTo({ level, text, by = [] }: Word): Pick<Move, "people" | "said"> {
  const said = level === "relayed" || text === undefined ? {} : { said: text };
  return { ...(by.length === 0 ? {} : { people: by.map(({ name }) => name) }), ...said };
}

/** So many completions and moves are remembered. */
const mostRecent = 5;
const mostMoves = 12;

function move(
  desk: Draft,
  event: Event & StepLike,
  what: Move["what"],
  agreed: Pick<Move, "people" | "said"> = {},
): void {
  const { at, by, client, workflow, step = "" } = event;
  const number = (desk.moves.at(-1)?.number ?? 0) + 1;
  const said = { number, at, by, ...(client === undefined ? {} : { client }), what, workflow, step, ...agreed };
  desk.moves.push(said);
  if (desk.moves.length > mostMoves) desk.moves.shift();
}

type StepLike = { readonly workflow: string; readonly step?: string };

/** What an attempt that was never completed leaves to the one that is begun in its place: nothing but its trace. */
function takenOver(before: StepState | undefined): Pick<StepState, "before"> {
  if (before?.status !== "started") return {};
  const { attempt, openedBy, metBy = [], handed } = before;
  return { before: { attempt, heldBy: [...openedBy, ...metBy], handed } };
}

/** A try to complete the open step was turned down; a try at any other leaves no trace in it. */
function turnDown(desk: Draft, event: Event & { type: "refused" }, own: Own): void {
  const { workflow, step } = event;
  const run = desk.runs.get(workflow);
  const state = run?.steps.get(step);
  if (run === undefined || state?.status !== "started") return;
  stepsOf(desk, run, own).set(step, turnedDownAt(state, event));
}

/** A hand-in with a digest is what its gate let through. */
function letThrough({ refused }: StepState, { digest }: Event & { type: "handed_in" }): Pick<StepState, "refused"> {
  return refused === undefined || digest === undefined ? {} : { refused: { ...refused, inARow: 0 } };
}

/** A question about work outside the sequence belongs to no pass. */
function askAside(desk: Draft, event: Event & { type: "unanswered" }, own: Own): void {
  const aside = event.pass === 0 ? desk.asides.get(event.step) : undefined;
  if (aside !== undefined) setAside(desk, event.step, { ...aside, ...askedInVain(aside, event) }, own);
}

function decline(desk: Draft, event: Event & { type: "declined" }, own: Own): void {
  const { digest, reason } = event;
  if (digest === undefined) return;
  const said = own.list(desk.declined.get(stepKey(event)) ?? []);
  said.push(reason === undefined ? { digest } : { digest, reason });
  desk.declined = own(desk.declined).set(stepKey(event), said);
}

/** So many callers are remembered; one that has not been heard of for longer stands nowhere. */
const mostCallers = 100;

/** At so many steps of a desk a caller can stand at once. */
const mostStandings = 200;

function withCaller(callers: readonly string[] = [], by: string): readonly string[] {
  return callers.at(-1) === by ? callers : [...callers.filter((one) => one !== by), by].slice(-mostCallers);
}

function standAt(desk: Draft, event: Event & StepRef, own: Own): void {
  const { workflow, pass, step, attempt } = event;
  const standings = own(desk.standings);
  const others = (standings.get(event.by) ?? []).filter((one) => one.workflow !== workflow);
  standings.delete(event.by);
  standings.set(event.by, [...others, { workflow, pass, step, attempt }].slice(-mostStandings));
  const [oldest] = standings.size > mostCallers ? standings.keys() : [];
  if (oldest !== undefined) standings.delete(oldest);
  desk.standings = standings;
}

/** Whoever completes a step stands at it no longer. */
function leave(desk: Draft, { by, workflow, step }: Event & StepRef, own: Own): void {
  const before = desk.standings.get(by);
  if (before === undefined) return;
  const left = before.filter((one) => one.workflow !== workflow || one.step !== step);
  if (left.length === before.length) return;
  const standings = own(desk.standings);
  if (left.length === 0) standings.delete(by);
  else standings.set(by, left);
  desk.standings = standings;
}

function adopt(desk: Draft, event: Event & { type: "adopted" }, own: Own): void {
  for (const { workflow, step } of event.vouched) {
    const run = desk.runs.get(workflow) ?? freshRun(desk, workflow);
    if (!isSatisfied(run.steps.get(step))) stepsOf(desk, run, own).set(step, vouchedAt(event.timestamp));
  }
  const run = desk.runs.get(event.workflow) ?? freshRun(desk, event.workflow);
  const steps = stepsOf(desk, run, own);
  const { step, state, timestamp, completed } = event;
  const before = step === undefined ? undefined : steps.get(step);
  supersede(
    steps,
    [...steps.keys()].filter((name) => !event.before.includes(name)),
  );
  if (step !== undefined) {
    const completion: Completion = {
      at: timestamp,
      by: event.by,
      fingerprint: "",
      finished: true,
      next: null,
      notices: [],
    };
    steps.set(step, {
      ...vouchedAt(timestamp),
      attempt: (before?.attempt ?? 0) + 1,
      // What its author lets pass stays just that: an edit would vouch for it even when its gate is back.
      status: state === "started" ? "started" : before?.status === "skipped" ? "skipped" : "vouched",
      ...(event.finished === true ? { completion } : {}),
    });
  }
  desk.focus = { workflow: event.workflow, step: step ?? null, state, timestamp };
  desk.completedCount = completed.length;
  desk.recent = completed.slice(-mostRecent);
  move(desk, event, "edited to");
}

function supersede(steps: Map<string, StepState>, names: readonly string[]): void {
  for (const name of names) {
    const state = steps.get(name);
    if (state !== undefined) steps.set(name, { ...state, status: "superseded" });
  }
}

function vouchedAt(at: string): StepState {
  return { attempt: 1, status: "vouched", startedAt: at, openedBy: [], gated: false, handed: {} };
}

function setAside(desk: Draft, step: string, state: AsideState, own: Own): void {
  desk.asides = own(desk.asides).set(step, state);
}

function changeStep(desk: Draft, ref: StepRef, own: Own, change: (state: StepState) => StepState): void {
  const run = desk.runs.get(ref.workflow);
  const state = run?.pass === ref.pass ? run.steps.get(ref.step) : undefined;
  if (state?.attempt === ref.attempt) stepsOf(desk, ref, own).set(ref.step, change(state));
}

/** The steps of one pass, to be changed; the pass begins here where it is not the one known. */
function stepsOf(
  desk: Draft,
  { workflow, pass }: { workflow: string; pass: number },
  own: Own,
): Map<string, StepState> {
  const known = desk.runs.get(workflow);
  const before = known?.pass === pass ? known.steps : none;
  const steps = own(before);
  if (steps !== before) desk.runs = own(desk.runs).set(workflow, { workflow, pass, steps });
  if (pass > (desk.passes.get(workflow) ?? 0)) desk.passes = own(desk.passes).set(workflow, pass);
  return steps;
}

const none: ReadonlyMap<string, StepState> = new Map();

function focusOn(desk: Draft, { workflow, step, at }: Event & StepRef, state: Focus["state"]): void {
  desk.focus = { workflow, step, state, timestamp: at };
}
