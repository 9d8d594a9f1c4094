import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { JsonObject } from "../../src/kit/json.ts";
import { auditJournal } from "../../src/stores/file/audit-journal.ts";
import { openWindow, windowOn } from "../../src/stores/file/window.testing.ts";
import { memoryStore } from "../../src/stores/memory/memory-store.ts";
import { startedExample } from "../../src/testing/index.ts";
import { script } from "./script.ts";

/** What a window said before it ended. */
export type Said = {
  readonly k?: number;
  readonly status?: string;
  readonly warnings?: readonly string[];
  readonly mistaken?: string;
  readonly end?: true;
};

/** Checks every promise on the project area of a window that ended well or badly. */
export async function checkPromises(area: string, said: readonly Said[]): Promise<void> {
  const ended = said.some(({ end }) => end);
  const recorded = said.filter(({ status }) => status === "recorded").length;
  expect(said.filter(({ mistaken }) => mistaken !== undefined)).toEqual([]);
  for (const { status, warnings = [] } of said) if (status === "held") expect(warnings).toEqual(both);
  if (ended)
    expect(said.filter(({ status }) => status === "recorded" || status === "held")).toHaveLength(script.length);

  const published = { state: read(join(area, "workflow_state.json")), log: read(join(area, "activity_log.json")) };
  const window = openWindow(area);
  const events = await window.events();
  const count = events.length;
  expect(events).toEqual(script.slice(0, count));
  const held = said.findIndex(({ status }) => status === "held");
  expect(count).toBeGreaterThanOrEqual(ended ? script.length : held < 0 ? recorded : 0);
  await expectAtMostOneBehind(published, count, ended);

  const { found, warnings } = await window.look();
  expect([["current", "behind"].includes(found.kind), warnings]).toEqual([true, []]);
  if (found.kind === "behind") expect(await window.repair({ keepAside: false })).toEqual([]);
  const seen = (await window.look()).seen;
  expect(await window.append(seen, [startedExample(99)])).toEqual({ status: "recorded", warnings: [] });
  expect(read(join(area, "workflow_state.json"))).toEqual((await window.views()).state);
  expect(read(join(area, "activity_log.json"))).toEqual((await window.views()).log);
  window.close();
  expect(auditJournal(area, { kind: "bot", name: "story_bot" }).breaks).toEqual([]);
  expect(existsSync(join(area, ".waymark/kept"))).toBe(false);
}

const both = [
  "Unable to save workflow state. Progress may not be preserved.",
  "Unable to log activity. Audit trail may be incomplete.",
];

async function expectAtMostOneBehind(
  published: { state: unknown; log: unknown },
  count: number,
  ended: boolean,
): Promise<void> {
  const views = [await viewsAt(count), ...(ended || count === 0 ? [] : [await viewsAt(count - 1)])];
  expect(views.map(({ state }) => state)).toContainEqual(published.state);
  expect(views.map(({ log }) => log)).toContainEqual(published.log ?? []);
}

async function viewsAt(count: number): Promise<JsonObject> {
  const history = windowOn(memoryStore(), { kind: "bot", name: "story_bot" }, "hold");
  for (const [seen, event] of script.slice(0, count).entries()) await history.append(seen, [event]);
  return history.views();
}

/** What a file says; null where there is none. One that does not parse breaks the promise. */
function read(path: string): unknown {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : null;
}
