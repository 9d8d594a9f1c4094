import type { Appended, OnFault, Snapshot, Viewed } from "../../engine/ports.ts";
import type { Event } from "../../workflow/events.ts";
import type { JsonObject } from "../../workflow/json.ts";
import type { Repair } from "../../workflow/reconcile.ts";
import { fileStore } from "./file-store.ts";

/** A window on the desk of one bot: a store of its own, used as the engine uses it. */
export type Window = {
  look(): Promise<Snapshot & Viewed>;
  append(seen: number, events: readonly Event[]): Promise<Appended>;
  repair(repair: Repair): Promise<readonly string[]>;
  events(): Promise<readonly Event[]>;
  views(): Promise<JsonObject>;
  close(): void;
};

/** Opens a window on a project area. */
export function openWindow(projectArea: string, bot = "story_bot", onFault: OnFault = "hold"): Window {
  const { log, views, close } = fileStore(projectArea, { clock: () => new Date() });
  const id = { kind: "bot", name: bot } as const;
  let answers: string | undefined;
  return {
    async look() {
      const snapshot = await log.look(id);
      const viewed = await views.look(id);
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
    views: () => views.shown(id),
    close,
  };
}
