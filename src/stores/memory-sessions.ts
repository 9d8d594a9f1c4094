import { createHash } from "node:crypto";
import type { Pins, SessionHistory, SessionStore } from "../engine/phased-ports.ts";
import { emptyDesk } from "../workflow/desk.ts";
import type { Event } from "../workflow/events.ts";
import { replay } from "../workflow/replay.ts";

/** Sessions in memory, for as long as the process lasts. */
export function memorySessions(): SessionStore {
  const histories = new Map<string, SessionHistory>();
  const begun = new Set<string>();
  return {
    ids: async () => [...begun].sort(),
    has: async (id) => begun.has(id),
    open(id) {
      const known = histories.get(id) ?? memorySession(() => begun.add(id));
      histories.set(id, known);
      return known;
    },
  };
}

function memorySession(began: () => void): SessionHistory {
  const events: Event[] = [];
  let desk = emptyDesk;
  let seen = 0;
  return {
    look: async () => ({ seen, desk, warnings: [] }),
    async append(expected, added) {
      if (expected !== seen) return { status: "behind", warnings: [] };
      if (added.length === 0) return { status: "recorded", warnings: [] };
      const kept = structuredClone(added);
      events.push(...kept);
      desk = replay(kept, desk);
      seen += 1;
      began();
      return { status: "recorded", warnings: [] };
    },
    events: async () => [...events],
  };
}

/** Copies of definitions in memory. */
export function memoryPins(): Pins {
  const texts = new Map<string, string>();
  return {
    async keep(text) {
      const pin = createHash("sha256").update(text).digest("hex");
      texts.set(pin, text);
      return pin;
    },
    find: async (pin) => texts.get(pin),
  };
}
