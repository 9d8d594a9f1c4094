import type { Event, StepRef } from "../workflow/events.ts";
import { replayer } from "../workflow/replay.ts";
import { attemptKey } from "../workflow/step-ref.ts";
import type { StepState, StreamSnapshot } from "../workflow/stream-snapshot.ts";

/** A mark on an event that means more than that it happened. */
export type EventMark =
  /** No longer counts: redone, reopened, or undone by an edit. */
  | { readonly kind: "voided"; readonly by: string; readonly at: string }
  /** Adopted from a file that existed before the first record. */
  | { readonly kind: "adopted" }
  /** Taken from a file that was edited by hand. */
  | { readonly kind: "edited" };

/** Marks the events of a history that need it; others have no mark. */
export function markEvents(events: readonly Event[]): ReadonlyMap<Event, EventMark> {
  const marks = new Map<Event, EventMark>();
  const completions = new Map<string, Event>();
  const add = replayer();
  let stream = add([]);
  for (const event of events) {
    const counted = stepsTouchedBy(event, stream).filter((ref) => isCounted(stateOf(stream, ref), ref.attempt));
    stream = add([event]);
    for (const ref of counted) {
      const completion = isLost(stream, ref) ? completions.get(attemptKey(ref)) : undefined;
      if (completion !== undefined) marks.set(completion, { kind: "voided", by: event.type, at: event.at });
    }
    if (event.type === "completed") completions.set(attemptKey(event), event);
    if (event.type === "adopted") marks.set(event, { kind: event.origin === "edited" ? "edited" : "adopted" });
    if (event.type === "log_adopted") marks.set(event, { kind: "adopted" });
  }
  return marks;
}

/** The steps whose completion an event may undo, as they are before it. */
function stepsTouchedBy(event: Event, stream: StreamSnapshot): readonly StepRef[] {
  switch (event.type) {
    case "started":
    case "went_back":
      return refsIn(stream, event.workflow, [event.step, ...(event.supersedes ?? [])]);
    case "updated":
      return refsIn(stream, event.workflow, event.supersedes);
    case "skipped":
      return refsIn(stream, event.workflow, [event.step]);
    case "adopted":
      return [event.workflow, ...event.vouched.map(({ workflow }) => workflow)].flatMap((name) => allIn(stream, name));
    case "began_anew":
      return [...stream.runs.keys()].flatMap((name) => allIn(stream, name));
    default:
      return [];
  }
}

function allIn(stream: StreamSnapshot, workflow: string): readonly StepRef[] {
  return refsIn(stream, workflow, [...(stream.runs.get(workflow)?.steps.keys() ?? [])]);
}

function refsIn(stream: StreamSnapshot, workflow: string, names: readonly string[]): readonly StepRef[] {
  const run = stream.runs.get(workflow);
  return names.flatMap((step) => {
    const attempt = run?.steps.get(step)?.attempt;
    return run === undefined || attempt === undefined ? [] : [{ workflow, pass: run.pass, step, attempt }];
  });
}

/** A new pass keeps what the previous one proved. */
function isLost(stream: StreamSnapshot, ref: StepRef): boolean {
  const now = stream.runs.get(ref.workflow);
  return (now === undefined || now.pass === ref.pass) && !isCounted(now?.steps.get(ref.step), ref.attempt);
}

function stateOf(stream: StreamSnapshot, { workflow, step }: StepRef): StepState | undefined {
  return stream.runs.get(workflow)?.steps.get(step);
}

function isCounted(state: StepState | undefined, attempt: number): boolean {
  return state?.status === "completed" && state.attempt === attempt;
}
