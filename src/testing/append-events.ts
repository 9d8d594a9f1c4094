import type { AppendResult, EventLog, OnWriteFailure } from "../engine/ports/event-log.ts";
import type { Event } from "../workflow/events.ts";
import type { StreamId } from "../workflow/stream-id.ts";

/** Every event of a stream, oldest first. */
export async function eventsOf(log: EventLog, id: StreamId): Promise<readonly Event[]> {
  const events: Event[] = [];
  for await (const record of log.records(id)) events.push(...record.events);
  return events;
}

/** Appends events; by default they are held in memory if they cannot be written. */
export function append(
  log: EventLog,
  id: StreamId,
  seen: number,
  events: readonly Event[],
  onFault: OnWriteFailure = "hold",
): Promise<AppendResult> {
  return log.append(id, seen, events, { onFault });
}
