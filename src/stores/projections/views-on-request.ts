import type { DeskId, EventLog, Views } from "../../engine/ports.ts";
import type { JsonObject } from "../../evidence/json.ts";
import { emptyDesk } from "../../workflow/desk.ts";
import type { Event } from "../../workflow/events.ts";
import { replay } from "../../workflow/replay.ts";
import { logProjection } from "./activity-log.ts";
import { parseObject, parseObjects } from "./json-text.ts";
import { textOf } from "./pieces.ts";
import { sessionFileText } from "./session-file.ts";
import { stateProjection } from "./workflow-state.ts";

/** Views for any log that stand nowhere and are made when somebody asks: nothing is published, so that there is nothing to find, to put right or to doubt. */
export function viewsOnRequest(log: Pick<EventLog, "records">): Views {
  return {
    look: async () => ({ found: { kind: "current" }, warnings: [] }),
    publish: async () => [],
    repair: async () => [],
    async shown(id) {
      const events: Event[] = [];
      for await (const record of log.records(id)) events.push(...record.events);
      return shownBy(id, events);
    },
    audit: async () => [],
  };
}

function shownBy({ kind, name }: DeskId, events: readonly Event[]): JsonObject {
  const desk = replay(events, emptyDesk);
  if (kind === "session") return parseObject(sessionFileText(name, desk) ?? "") ?? {};
  const [state, log] = [stateProjection(name), logProjection(name)];
  for (const event of events) {
    state.add(event);
    log.add(event);
  }
  return {
    state: parseObject(textOf(state.pieces(desk))) ?? null,
    log: parseObjects(textOf(log.pieces())) ?? [],
  };
}
