import type { Heads, SignedHead } from "../../audit/ports.ts";
import type { DeskId, EventLog, Pins } from "../../engine/ports.ts";
import { sha256 } from "../../evidence/sha256.ts";
import { deskKey } from "../desk-key.ts";
import { viewsOnRequest } from "../projections/views-on-request.ts";
import type { Store } from "../store.ts";
import { memoryContent } from "./memory-content.ts";
import { type MemoryDesk, memoryDesk } from "./memory-desk.ts";

/** A project area in memory, for as long as the process lasts: `files` holds the content that is saved, by path. */
export function memoryStore(files: Map<string, string> = new Map()): Store {
  const desks = new Map<string, MemoryDesk>();
  const signed = new Map<string, SignedHead[]>();
  const deskOf = (id: DeskId): MemoryDesk => {
    const known = desks.get(deskKey(id)) ?? memoryDesk(id);
    desks.set(deskKey(id), known);
    return known;
  };
  const log: EventLog = {
    async desks(kind) {
      const begun = [...desks.values()].filter((desk) => desk.seen() > 0).map(({ id }) => id);
      return begun
        .filter((id) => kind === undefined || id.kind === kind)
        .sort((a, b) => (deskKey(a) < deskKey(b) ? -1 : 1));
    },
    has: async (id) => (desks.get(deskKey(id))?.seen() ?? 0) > 0,
    look: async (id) => deskOf(id).look(),
    append: async (id, seen, events, how) => deskOf(id).append(seen, events, how),
    async *records(id, from = 0) {
      yield* deskOf(id).records(from);
    },
    follow: (id, changed) => deskOf(id).follow(changed),
    audit: async (id) => deskOf(id).audit(),
    owes: () => false,
    close() {},
  };
  const heads: Heads = {
    read: async (id) => ({ heads: [...(signed.get(deskKey(id)) ?? [])], unreadable: 0 }),
    async keep(id, head) {
      signed.set(deskKey(id), [...(signed.get(deskKey(id)) ?? []), head]);
    },
  };
  return { log, views: viewsOnRequest(log), content: memoryContent(files), heads, close() {} };
}

/** Copies of definitions in memory. */
export function memoryPins(): Pins {
  const texts = new Map<string, string>();
  return {
    async keep(text) {
      const pin = sha256(text);
      texts.set(pin, text);
      return pin;
    },
    find: async (pin) => texts.get(pin),
  };
}
