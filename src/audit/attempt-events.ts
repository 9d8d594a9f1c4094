import type { Event, StepRef } from "../workflow/events.ts";
import { attemptKey } from "../workflow/step-ref.ts";
import type { StreamId } from "../workflow/stream-id.ts";
import type { AuditedArea } from "./audit-streams.ts";

/** The events of some attempts of one stream, oldest first, by `attemptKey`. */
export async function eventsByAttempt(
  areas: readonly Pick<AuditedArea, "log">[],
  id: StreamId,
  refs: readonly StepRef[],
): Promise<ReadonlyMap<string, readonly Event[]>> {
  const found = new Map(refs.map((ref): [string, Event[]] => [attemptKey(ref), []]));
  for (const { log } of refs.length === 0 ? [] : areas) {
    if (!(await log.has(id))) continue;
    for await (const { events } of log.records(id))
      for (const event of events) if ("attempt" in event) found.get(attemptKey(event))?.push(event);
  }
  return found;
}
