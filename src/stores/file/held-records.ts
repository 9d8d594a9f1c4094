import { isDeepStrictEqual } from "node:util";
import { timeAfter } from "../../workflow/command.ts";
import type { Event } from "../../workflow/events.ts";
import type { StreamSnapshot } from "../../workflow/stream-snapshot.ts";
import { type JournalLine, toLine } from "../chain/journal-record.ts";

/** A record waiting to be written, and the state it was decided on. */
export type HeldRecord = { readonly line: JournalLine; readonly basis: StreamSnapshot };

/** Rebases a held record onto what was recorded meanwhile; undefined if its basis has changed. */
export function rebaseHeld(
  { line, basis }: HeldRecord,
  now: StreamSnapshot,
  head: { seq: number; head: string },
): HeldRecord | undefined {
  const { saw: _, ...record } = line.record;
  if (!record.events.every((event) => isUntouched(event, basis, now))) return undefined;
  const events = record.events.map((event) => ({ ...event, at: timeAfter(now, event.at) }));
  return { line: toLine({ ...record, seq: head.seq + 1, prev: head.head, events }), basis: now };
}

/** Says which held records conflict with what another window recorded. */
export function conflictMessage(held: readonly HeldRecord[]): string {
  const lost = held.flatMap(({ line }) => line.record.events.map(eventName));
  return `Conflict: another window continued while the history could not be written. Not recorded: ${lost.join(", ")}.`;
}

/** Tells if the run or independent step of an event is unchanged. */
function isUntouched(event: Event, then: StreamSnapshot, now: StreamSnapshot): boolean {
  if (!("workflow" in event) || event.type === "adopted") return false; // about the whole stream
  if (event.type === "aside_started" || event.type === "aside_completed")
    return isDeepStrictEqual(then.independentSteps.get(event.step), now.independentSteps.get(event.step));
  return isDeepStrictEqual(then.runs.get(event.workflow), now.runs.get(event.workflow));
}

function eventName(event: Event): string {
  const step = "step" in event && event.step !== undefined ? `.${event.step}` : "";
  return "workflow" in event ? `${event.type} ${event.workflow}${step}` : event.type;
}
