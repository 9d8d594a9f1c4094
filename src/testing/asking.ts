import type { Appended, DeskId, EventLog, OnFault } from "../engine/ports.ts";
import type { Event } from "../workflow/events.ts";

/** Every event of a desk, oldest first. */
export async function eventsOf(log: EventLog, id: DeskId): Promise<readonly Event[]> {
  const events: Event[] = [];
  for await (const record of log.records(id)) events.push(...record.events);
  return events;
}

/** Records events, held where they cannot be written unless that is to be refused. */
export function append(
  log: EventLog,
  id: DeskId,
  seen: number,
  events: readonly Event[],
  onFault: OnFault = "hold",
): Promise<Appended> {
  return log.append(id, seen, events, { onFault });
}
