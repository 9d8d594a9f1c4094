import type { EventLog } from "../../engine/ports/event-log.ts";
import type { Views } from "../../engine/ports/views.ts";
import type { JsonObject } from "../../kit/json.ts";
import type { Event } from "../../workflow/events.ts";
import { replay } from "../../workflow/replay.ts";
import { sessionFileText } from "../../workflow/session-view.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import { emptyStream } from "../../workflow/stream-snapshot.ts";
import { logProjection } from "./activity-log.ts";
import { textOf } from "./file-pieces.ts";
import { parseObject, parseObjects } from "./json-text.ts";
import { stateProjection } from "./workflow-state.ts";

/** Views made on request for any log: nothing is published, so nothing can be edited or out of date. */
export function viewsOnRequest(log: Pick<EventLog, "records">): Views {
  return {
    compare: async () => ({ found: { kind: "current" }, warnings: [] }),
    publish: async () => [],
    repair: async () => [],
    async contents(id) {
      const events: Event[] = [];
      for await (const record of log.records(id)) events.push(...record.events);
      return viewOf(id, events);
    },
    audit: async () => [],
  };
}

function viewOf({ kind, name }: StreamId, events: readonly Event[]): JsonObject {
  const stream = replay(events, emptyStream);
  if (kind === "session") return parseObject(sessionFileText(name, stream) ?? "") ?? {};
  const [state, log] = [stateProjection(name), logProjection(name)];
  for (const event of events) {
    state.add(event);
    log.add(event);
  }
  return {
    state: parseObject(textOf(state.pieces(stream))) ?? null,
    log: parseObjects(textOf(log.pieces())) ?? [],
  };
}
