import type { StoredRecord } from "../engine/ports/event-log.ts";
import { type NoticedEvent, type NoticeEvent, noticedTypes } from "../engine/ports/notice-queue.ts";
import type { Event } from "../workflow/events.ts";
import { isGateRefusal } from "../workflow/replay-refusal.ts";
import type { StreamSnapshot } from "../workflow/stream-snapshot.ts";

/** A notice found in a record; it names the step and nothing that was written about it. */
export type Notice = {
  readonly event: NoticeEvent;
  /** The hash of the record and the event: the same notice sent twice has the same id. */
  readonly id: string;
  readonly at: string;
  readonly workflow?: string;
  readonly step?: string;
};

/** The number of refusals in a row from which a step is stuck. */
const stuckAt = 2;

/** Finds the notices of a record; `after` computes the state it led to, needed for refusals only. */
export async function findNotices(
  { hash, events }: Pick<StoredRecord, "hash" | "events">,
  after: () => Promise<StreamSnapshot>,
): Promise<readonly Notice[]> {
  const found = new Map<NoticeEvent, Notice>();
  for (const event of events.filter(isNoticed)) {
    const kind = eventOf(event);
    if (kind === undefined || (event.type === "refused" && !isNowStuck(event, await after()))) continue;
    const { at, workflow, step } = event;
    if (!found.has(kind)) found.set(kind, { event: kind, id: `${hash}.${kind}`, at, workflow, step });
  }
  return [...found.values()];
}

function isNoticed(event: Event): event is NoticedEvent {
  return noticedTypes.some((type) => type === event.type);
}

function eventOf(event: NoticedEvent): NoticeEvent | undefined {
  switch (event.type) {
    case "handed_in":
      return event.digest === undefined ? undefined : "waiting";
    case "blocked":
      return "blocked";
    case "declined":
      return "rejected";
    case "refused":
      return isGateRefusal(event.code) ? "stuck" : undefined;
    case "finished":
      return "finished";
    case "completed":
      return event.finished ? "finished" : undefined;
  }
}

/** Tells if this refusal, and not an earlier one, made the step stuck. */
function isNowStuck({ workflow, step }: Event & { type: "refused" }, { runs }: StreamSnapshot): boolean {
  return runs.get(workflow)?.steps.get(step)?.gateRefusals?.inARow === stuckAt;
}
