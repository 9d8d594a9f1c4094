import type { Waived } from "../gates/waiver.ts";
import { defined } from "../kit/defined.ts";
import type { Event } from "./events.ts";
import { droppedItems, reopenedItems } from "./replay-items.ts";
import type { StepState, Waiver } from "./stream-snapshot.ts";

/** At most this many waivers are remembered for one attempt. */
const maxWaivers = 200;

/** The state of a step that the assistant reported as blocked; a submission no longer waits for approval. */
export function withBlocked(
  { waiting: _, answer: __, ...state }: StepState,
  { at, reason, client, bound, items }: Event & { type: "blocked" },
): StepState {
  return { ...state, blocked: { since: at, reason, ...defined({ client, bound, items }) } };
}

/** The state of a blocked step that a person answered; it is open again. */
export function withAnswer({ blocked: _, ...state }: StepState, event: Event & { type: "answered" }): StepState {
  return {
    ...state,
    answer: { at: event.at, text: event.text, by: responderOf(event), ...defined({ follows: event.follows }) },
    ...reopenedItems(state),
  };
}

/** The state of a step with a person's waiver; what was submitted before must be judged again. */
export function withWaiver(
  { blocked: _, waiting: __, waivers = [], ...state }: StepState,
  event: Event & { type: "waived" },
): StepState {
  const { at, fields, reason, follows, level, person, signed } = event;
  const waiver: Waiver = { at, fields, reason, by: responderOf(event), ...defined({ follows, level, person, signed }) };
  return { ...state, waivers: [...waivers, waiver].slice(-maxWaivers), ...droppedItems(state, fields) };
}

/** The state of a step after a submission: one that passed the gate withdraws the assistant's report. */
export function withoutReport(
  { blocked, ...state }: StepState,
  { digest }: Event & { type: "handed_in" },
): Omit<StepState, "blocked"> & Pick<StepState, "blocked"> {
  return blocked === undefined || digest !== undefined ? state : { ...state, blocked };
}

/** A bound that a person passed, as what was waived. */
export function passedBound(event: Event & { type: "answered" }): Waived {
  return { field: "its bound", reason: event.text, by: responderOf(event) };
}

/** Names the person who answered or waived. */
export function responderOf({ person, name }: Event & { type: "answered" | "waived" }): string {
  return person?.name ?? name ?? "a person at a terminal";
}
