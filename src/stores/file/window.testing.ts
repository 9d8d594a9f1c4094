import type { AppendResult, LoadedStream, OnWriteFailure } from "../../engine/ports/event-log.ts";
import type { FoundView } from "../../engine/ports/views.ts";
import type { JsonObject } from "../../kit/json.ts";
import type { Event } from "../../workflow/events.ts";
import type { Repair } from "../../workflow/reconcile.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import type { Store } from "../store.ts";
import { fileStore } from "./file-store.ts";

/** A window on one stream, used as the engine uses it. */
export type Window = {
  look(): Promise<LoadedStream & FoundView>;
  append(seen: number, events: readonly Event[]): Promise<AppendResult>;
  repair(repair: Repair): Promise<readonly string[]>;
  events(): Promise<readonly Event[]>;
  views(): Promise<JsonObject>;
  close(): void;
};

/** Opens a window on a bot's stream in a project area, with its own store. */
export function openWindow(projectArea: string, bot = "story_bot", onFault: OnWriteFailure = "hold"): Window {
  return windowOn(fileStore(projectArea, { clock: () => new Date() }), { kind: "bot", name: bot }, onFault);
}

/** Opens a window on a session. */
export function openSession(projectArea: string, name: string): Window {
  return windowOn(fileStore(projectArea, { clock: () => new Date() }), { kind: "session", name }, "refuse");
}

/** Opens a window on a stream of a store. */
export function windowOn({ log, views, close }: Store, id: StreamId, onFault: OnWriteFailure): Window {
  let answers: string | undefined;
  return {
    async look() {
      const snapshot = await log.load(id);
      const viewed = await views.compare(id);
      answers = viewed.answers;
      return { ...snapshot, ...viewed, warnings: [...snapshot.warnings, ...viewed.warnings] };
    },
    async append(seen, events) {
      const { status, warnings } = await log.append(id, seen, events, { onFault, answers });
      answers = undefined;
      return { status, warnings: status === "recorded" ? [...warnings, ...(await views.publish(id))] : warnings };
    },
    repair: (repair) => views.repair(id, repair),
    async events() {
      const all: Event[] = [];
      for await (const { events } of log.records(id)) all.push(...events);
      return all;
    },
    views: () => views.contents(id),
    close,
  };
}
