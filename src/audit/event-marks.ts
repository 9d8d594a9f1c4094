import { type Desk, emptyDesk, type StepState } from "../workflow/desk.ts";
import type { Event } from "../workflow/events.ts";
import { replay } from "../workflow/replay.ts";
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
  let desk = emptyDesk;
  for (const event of events) {
    const after = replay([event], desk);
    for (const key of lost(desk, after)) {
      const completion = completions.get(key);
      if (completion !== undefined) marks.set(completion, { kind: "voided", by: event.type, at: event.at });
    }
    if (event.type === "completed") completions.set(attemptKey(event), event);
    if (event.type === "adopted") marks.set(event, { kind: event.origin === "edited" ? "edited" : "adopted" });
    if (event.type === "log_adopted") marks.set(event, { kind: "adopted" });
    desk = after;
  }
  return marks;
}

/** The completions that counted before and do not any more. A new pass leaves what the one before it proved as it is. */
function lost(before: Desk, after: Desk): string[] {
  return [...before.runs.values()].flatMap(({ workflow, pass, steps }) => {
    const now = after.runs.get(workflow);
    if (now === before.runs.get(workflow) || (now !== undefined && now.pass !== pass)) return [];
    return [...steps].flatMap(([step, state]) =>
      counts(state) && !counts(now?.steps.get(step), state.attempt)
        ? [attemptKey({ workflow, pass, step, attempt: state.attempt })]
        : [],
    );
  });
}

function counts(state: StepState | undefined, attempt = state?.attempt): boolean {
  return state?.status === "completed" && state.attempt === attempt;
}
