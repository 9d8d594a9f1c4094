import type { CopyOnce } from "../kit/copy-once.ts";
import type { CompletedEntry, Event, StepRef } from "./events.ts";
import type { Move } from "./move.ts";
import type {
  Completion,
  Focus,
  IndependentStepState,
  PastCompletion,
  Run,
  StepState,
  StreamSnapshot,
} from "./stream-snapshot.ts";

/** A state being derived, with its own lists. */
export type Draft = { -readonly [Part in keyof StreamSnapshot]: StreamSnapshot[Part] } & {
  moves: Move[];
  recentCompletions: CompletedEntry[];
};

/** At most this many completions and moves are remembered. */
export const maxRecent = 5;
const maxMoves = 12;

/** Adds a move, and drops the oldest one. */
export function addMove(
  stream: Draft,
  event: Event & StepLike,
  what: Move["what"],
  agreed: Pick<Move, "people" | "said"> = {},
): void {
  const { at, by, client, workflow, step = "" } = event;
  const number = (stream.moves.at(-1)?.number ?? 0) + 1;
  const said = { number, at, by, ...(client === undefined ? {} : { client }), what, workflow, step, ...agreed };
  stream.moves.push(said);
  if (stream.moves.length > maxMoves) stream.moves.shift();
}

type StepLike = { readonly workflow: string; readonly step?: string };

/** Marks these steps as superseded. */
export function supersede(steps: Map<string, StepState>, names: readonly string[]): void {
  for (const name of names) {
    const state = steps.get(name);
    if (state === undefined) continue;
    const { ended: _, blocked, items: __, ...kept } = state;
    const report = blocked === undefined || blocked.bound !== undefined ? {} : { blocked };
    steps.set(name, { ...kept, ...report, status: "superseded" });
  }
}

/** A step that a person vouches for. */
export function vouchedState(at: string): StepState {
  return { attempt: 1, status: "vouched", startedAt: at, openedBy: [], gated: false, submitted: {} };
}

/** At most this many replaced completions are remembered. */
const maxPast = 200;

/** Remembers the completions of attempts that are about to be replaced. */
export function keepCompletions(
  stream: Draft,
  { workflow, pass, steps }: Run,
  own: CopyOnce,
  names: Iterable<string> = steps.keys(),
): void {
  for (const step of names) {
    const { attempt, id, completion } = steps.get(step) ?? {};
    if (attempt !== undefined) keepCompletion(stream, { workflow, pass, step, attempt }, { id, completion }, own);
  }
}

/** Remembers one such completion; nothing if the attempt was never completed. */
export function keepCompletion(
  stream: Draft,
  ref: StepRef,
  { id, completion }: { readonly id?: string | undefined; readonly completion?: Completion | undefined },
  own: CopyOnce,
): void {
  if (completion === undefined || completion.fingerprint === "") return;
  const past: PastCompletion[] = own.list(stream.pastCompletions);
  past.push({ ref, ...(id === undefined ? {} : { id }), completion });
  if (past.length > maxPast) past.shift();
  stream.pastCompletions = past;
}

/** Sets the state of an independent step. */
export function setIndependentStep(stream: Draft, step: string, state: IndependentStepState, own: CopyOnce): void {
  stream.independentSteps = own(stream.independentSteps).set(step, state);
}

/** Changes the state of one attempt; nothing if another attempt has replaced it. */
export function changeStep(stream: Draft, ref: StepRef, own: CopyOnce, change: (state: StepState) => StepState): void {
  const run = stream.runs.get(ref.workflow);
  const state = run?.pass === ref.pass ? run.steps.get(ref.step) : undefined;
  if (state?.attempt === ref.attempt) stepsOf(stream, ref, own).set(ref.step, change(state));
}

/** The steps of one pass, to be changed; starts the pass if it is new. */
export function stepsOf(
  stream: Draft,
  { workflow, pass }: { workflow: string; pass: number },
  own: CopyOnce,
): Map<string, StepState> {
  const known = stream.runs.get(workflow);
  const before = known?.pass === pass ? known.steps : noSteps;
  const steps = own(before);
  if (steps !== before) stream.runs = own(stream.runs).set(workflow, { workflow, pass, steps });
  if (pass > (stream.passes.get(workflow) ?? 0)) stream.passes = own(stream.passes).set(workflow, pass);
  return steps;
}

const noSteps: ReadonlyMap<string, StepState> = new Map();

/** Notes the step that was worked on last. */
export function focusOn(stream: Draft, { workflow, step, at }: Event & StepRef, state: Focus["state"]): void {
  stream.focus = { workflow, step, state, timestamp: at };
}

/** At most this many callers are remembered; older ones have no open steps. */
const maxCallers = 100;

/** The limit of open steps of one caller on a stream. */
const maxOpenSteps = 200;

/** Adds a caller as the most recent one. */
export function withCaller(callers: readonly string[] = [], by: string): readonly string[] {
  return callers.at(-1) === by ? callers : [...callers.filter((one) => one !== by), by].slice(-maxCallers);
}

/** Adds a step to the open steps of its caller. */
export function addOpenStep(stream: Draft, event: Event & StepRef, own: CopyOnce): void {
  const { workflow, pass, step, attempt } = event;
  const openSteps = own(stream.openSteps);
  const others = (openSteps.get(event.by) ?? []).filter((one) => one.workflow !== workflow);
  openSteps.delete(event.by);
  openSteps.set(event.by, [...others, { workflow, pass, step, attempt }].slice(-maxOpenSteps));
  const [oldest] = openSteps.size > maxCallers ? openSteps.keys() : [];
  if (oldest !== undefined) openSteps.delete(oldest);
  stream.openSteps = openSteps;
}

/** Removes a completed step from the open steps of its caller. */
export function removeOpenStep(stream: Draft, { by, workflow, step }: Event & StepRef, own: CopyOnce): void {
  const before = stream.openSteps.get(by);
  if (before === undefined) return;
  const left = before.filter((one) => one.workflow !== workflow || one.step !== step);
  if (left.length === before.length) return;
  const openSteps = own(stream.openSteps);
  if (left.length === 0) openSteps.delete(by);
  else openSteps.set(by, left);
  stream.openSteps = openSteps;
}
