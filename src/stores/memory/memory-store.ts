import type { EventLog } from "../../engine/ports/event-log.ts";
import type { PinStore } from "../../engine/ports/pins.ts";
import type { SignedHead, SignedHeads } from "../../engine/ports/signed-heads.ts";
import { sha256 } from "../../kit/sha256.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import { viewsOnRequest } from "../projections/views-on-request.ts";
import type { Store } from "../store.ts";
import { streamKey } from "../stream-key.ts";
import { memoryContent } from "./memory-content.ts";
import { type MemoryStream, memoryStream } from "./memory-stream.ts";

/** A project area in memory; `files` holds saved content by path. */
export function memoryStore(files: Map<string, string> = new Map()): Store {
  const streams = new Map<string, MemoryStream>();
  const followers = new Set<(ids: readonly StreamId[]) => void>();
  const signed = new Map<string, SignedHead[]>();
  const streamOf = (id: StreamId): MemoryStream => {
    const known = streams.get(streamKey(id)) ?? memoryStream(id);
    streams.set(streamKey(id), known);
    return known;
  };
  const log: EventLog = {
    async streams(kind) {
      const begun = [...streams.values()].filter((stream) => stream.seen() > 0).map(({ id }) => id);
      return begun
        .filter((id) => kind === undefined || id.kind === kind)
        .sort((a, b) => (streamKey(a) < streamKey(b) ? -1 : 1));
    },
    has: async (id) => (streams.get(streamKey(id))?.seen() ?? 0) > 0,
    load: async (id) => streamOf(id).look(),
    async append(id, seen, events, how) {
      const appended = streamOf(id).append(seen, events, how);
      if (events.length > 0 && appended.status === "recorded")
        for (const changed of [...followers]) queueMicrotask(() => followers.has(changed) && changed([id]));
      return appended;
    },
    async *records(id, from = 0) {
      yield* streamOf(id).records(from);
    },
    watch: (id, changed) => streamOf(id).follow(changed),
    follow(changed) {
      const mine: typeof changed = (ids) => changed(ids);
      followers.add(mine);
      return () => void followers.delete(mine);
    },
    audit: async (id) => streamOf(id).audit(),
    hasUnwritten: () => false,
    close() {},
  };
  const heads: SignedHeads = {
    read: async (id) => ({ heads: [...(signed.get(streamKey(id)) ?? [])], unreadable: 0 }),
    async keep(id, head) {
      signed.set(streamKey(id), [...(signed.get(streamKey(id)) ?? []), head]);
    },
  };
  return { log, views: viewsOnRequest(log), content: memoryContent(files), heads, close() {} };
}

/** Copies of definitions in memory. */
export function memoryPins(): PinStore {
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
