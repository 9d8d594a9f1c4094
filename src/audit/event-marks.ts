import type { Desk, StepState } from "../workflow/desk.ts";
import type { Event, StepRef } from "../workflow/events.ts";
import { replayer } from "../workflow/replay.ts";
import { attemptKey } from "../workflow/step-ref.ts";

/** What is to be said of an event besides that it happened. */
export type EventMark =
  /** It no longer counts: done again, gone back over, or left behind by an edit. */
  | { readonly kind: "voided"; readonly by: string; readonly at: string }
  /** It was not ours: a file that stood there before the first record. */
  | { readonly kind: "adopted" }
  /** It came from a file that somebody changed by hand. */
  | { readonly kind: "edited" };

/** Marks the events of a history that are more than what they say; the others have none. */
export function markEvents(events: readonly Event[]): ReadonlyMap<Event, EventMark> {
  const marks = new Map<Event, EventMark>();
  const completions = new Map<string, Event>();
  const add = replayer();
  let desk = add([]);
  for (const event of events) {
    const counted = touchedBy(event, desk).filter((ref) => counts(stateOf(desk, ref), ref.attempt));
    desk = add([event]);
    for (const ref of counted) {
      const completion = isLost(desk, ref) ? completions.get(attemptKey(ref)) : undefined;
      if (completion !== undefined) marks.set(completion, { kind: "voided", by: event.type, at: event.at });
    }
    if (event.type === "completed") completions.set(attemptKey(event), event);
    if (event.type === "adopted") marks.set(event, { kind: event.origin === "edited" ? "edited" : "adopted" });
    if (event.type === "log_adopted") marks.set(event, { kind: "adopted" });
  }
  return marks;
}

/** The steps of which an event may change whether they count, as they stand before it. */
function touchedBy(event: Event, desk: Desk): readonly StepRef[] {
  switch (event.type) {
    case "started":
    case "went_back":
      return refsIn(desk, event.workflow, [event.step, ...(event.supersedes ?? [])]);
    case "skipped":
      return refsIn(desk, event.workflow, [event.step]);
    case "adopted":
      return [event.workflow, ...event.vouched.map(({ workflow }) => workflow)].flatMap((name) => allIn(desk, name));
    case "began_anew":
      return [...desk.runs.keys()].flatMap((name) => allIn(desk, name));
    default:
      return [];
  }
}

function allIn(desk: Desk, workflow: string): readonly StepRef[] {
  return refsIn(desk, workflow, [...(desk.runs.get(workflow)?.steps.keys() ?? [])]);
}

function refsIn(desk: Desk, workflow: string, names: readonly string[]): readonly StepRef[] {
  const run = desk.runs.get(workflow);
  return names.flatMap((step) => {
    const attempt = run?.steps.get(step)?.attempt;
    return run === undefined || attempt === undefined ? [] : [{ workflow, pass: run.pass, step, attempt }];
  });
}

/** A new pass leaves what the one before it proved as it is. */
function isLost(desk: Desk, ref: StepRef): boolean {
  const now = desk.runs.get(ref.workflow);
  return (now === undefined || now.pass === ref.pass) && !counts(now?.steps.get(ref.step), ref.attempt);
}

function stateOf(desk: Desk, { workflow, step }: StepRef): StepState | undefined {
  return desk.runs.get(workflow)?.steps.get(step);
}

function counts(state: StepState | undefined, attempt: number): boolean {
  return state?.status === "completed" && state.attempt === attempt;
}
