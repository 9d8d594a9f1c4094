import type { Appended, DeskId, OnFault, Snapshot, Viewed } from "../../engine/ports.ts";
import type { JsonObject } from "../../evidence/json.ts";
import type { Event } from "../../workflow/events.ts";
import type { Repair } from "../../workflow/reconcile.ts";
import type { Store } from "../store.ts";
import { fileStore } from "./file-store.ts";

/** A window on one desk, used as the engine uses it. */
export type Window = {
  look(): Promise<Snapshot & Viewed>;
  append(seen: number, events: readonly Event[]): Promise<Appended>;
  repair(repair: Repair): Promise<readonly string[]>;
  events(): Promise<readonly Event[]>;
  views(): Promise<JsonObject>;
  close(): void;
};

/** Opens a window on the desk of a bot in a project area, with a store of its own. */
export function openWindow(projectArea: string, bot = "story_bot", onFault: OnFault = "hold"): Window {
  return windowOn(fileStore(projectArea, { clock: () => new Date() }), { kind: "bot", name: bot }, onFault);
}

/** The same for a session. */
export function openSession(projectArea: string, name: string): Window {
  return windowOn(fileStore(projectArea, { clock: () => new Date() }), { kind: "session", name }, "refuse");
}

/** Opens a window on a desk of a store. */
export function windowOn({ log, views, close }: Store, id: DeskId, onFault: OnFault): Window {
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
