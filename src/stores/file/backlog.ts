import { isDeepStrictEqual } from "node:util";
import type { Desk } from "../../workflow/desk.ts";
import type { Event } from "../../workflow/events.ts";
import { type Line, toLine } from "../chain/record.ts";

/** A record that waits to be written, and the desk that it was decided on. */
export type Held = { readonly line: Line; readonly basis: Desk };

/** Ties a held record to what has been recorded meanwhile; undefined where what it was decided on is no longer so. */
export function decideAnew({ line, basis }: Held, now: Desk, head: { seq: number; head: string }): Held | undefined {
  const { saw: _, ...record } = line.record;
  if (!record.events.every((event) => isUntouched(event, basis, now))) return undefined;
  return { line: toLine({ ...record, seq: head.seq + 1, prev: head.head }), basis: now };
}

/** Says which held records no longer fit what another window recorded meanwhile. */
export function conflictOf(held: readonly Held[]): string {
  const lost = held.flatMap(({ line }) => line.record.events.map(nameOf));
  return `Conflict: another window went on while the history could not be written. Not recorded: ${lost.join(", ")}.`;
}

/** Whether nobody has changed the run, or the work outside the sequence, that an event is about. */
function isUntouched(event: Event, then: Desk, now: Desk): boolean {
  if (!("workflow" in event) || event.type === "adopted") return false; // about the desk as a whole
  if (event.type === "aside_started" || event.type === "aside_completed")
    return isDeepStrictEqual(then.asides.get(event.step), now.asides.get(event.step));
  return isDeepStrictEqual(then.runs.get(event.workflow), now.runs.get(event.workflow));
}

function nameOf(event: Event): string {
  const step = "step" in event && event.step !== undefined ? `.${event.step}` : "";
  return "workflow" in event ? `${event.type} ${event.workflow}${step}` : event.type;
}
