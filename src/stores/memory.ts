import type { History } from "../engine/ports.ts";
import { emptyDesk } from "../workflow/desk.ts";
import type { Event } from "../workflow/events.ts";
import { replay } from "../workflow/replay.ts";
import { logProjection } from "./projections/activity-log.ts";
import { parseObject, parseObjects } from "./projections/json-text.ts";
import { textOf } from "./projections/pieces.ts";
import { stateProjection } from "./projections/workflow-state.ts";

/** One desk in memory, for as long as the process lasts: every call opens another window on the same history. Nothing is published. */
export function memoryHistories(bot: string): () => History {
  const events: Event[] = [];
  const state = stateProjection(bot);
  const log = logProjection(bot);
  let desk = emptyDesk;
  let seen = 0;
  return () => ({
    look: async () => ({ seen, desk, found: { kind: "current" }, warnings: [] }),
    async append(expected, added) {
      if (expected !== seen) return { status: "behind", warnings: [] };
      if (added.length === 0) return { status: "recorded", warnings: [] };
      const kept = structuredClone(added);
      desk = replay(kept, desk);
      for (const event of kept) {
        events.push(event);
        state.add(event);
        log.add(event);
      }
      seen += 1;
      return { status: "recorded", warnings: [] };
    },
    repair: async () => [],
    events: async () => [...events],
    owes: () => false,
    views: async () => ({
      state: parseObject(textOf(state.pieces(desk))) ?? null,
      log: parseObjects(textOf(log.pieces())) ?? [],
    }),
  });
}
