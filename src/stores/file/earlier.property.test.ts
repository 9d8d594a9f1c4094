import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { array, asyncProperty, assert as check, constantFrom, integer, record } from "fast-check";
import { expect, it } from "vitest";
import { wholeOr } from "../../../test/whole.ts";
import { completedExample, startedExample } from "../../testing/index.ts";
import type { Event } from "../../workflow/events.ts";
import { openWindow } from "./window.testing.ts";

const stamp = { at: "2025-12-03T10:30:00.000Z", by: "window" };

function eventOf(kind: "started" | "completed" | "refused" | "adopted" | "began_anew", number: number): Event {
  switch (kind) {
    case "started":
      return startedExample(number);
    case "completed":
      return { ...completedExample(number), ...(number % 3 === 0 ? { finished: true } : {}) };
    case "refused":
      return { type: "refused", ...stamp, workflow: "discovery", step: `step_${number}`, code: "conflict" };
    case "began_anew":
      return { type: "began_anew", ...stamp, reason: "deleted" };
    case "adopted":
      return {
        type: "adopted",
        ...stamp,
        origin: "edited",
        workflow: "discovery",
        ...(number % 2 === 0 ? {} : { step: `step_${number}` }),
        state: "started",
        timestamp: stamp.at,
        completed: [{ workflow: "shape", step: `step_${number}`, timestamp: "" }],
        before: [],
        vouched: [],
      };
  }
}

const kinds = constantFrom("started", "completed", "refused", "adopted", "began_anew");
const transition = array(record({ kind: kinds, number: integer({ min: 0, max: 4 }) }), { minLength: 1, maxLength: 3 });

it("a file that we published at any point of the history is never taken for an edit", async () => {
  const property = asyncProperty(array(transition, { minLength: 1, maxLength: 8 }), async (transitions) => {
    const projectArea = mkdtempSync(join(tmpdir(), "waymark-earlier-"));
    const state = join(projectArea, "workflow_state.json");
    const open = () => openWindow(projectArea);
    const history = open();
    const published = new Set<string>();
    for (const [seen, events] of transitions.entries()) {
      await history.append(
        seen,
        events.map(({ kind, number }) => eventOf(kind, number)),
      );
      await history.repair({ keepAside: false });
      const { state: shown } = await history.views();
      if (shown !== null) published.add(readFileSync(state, "utf8"));
    }
    const head = (await history.views()).state;
    const reader = open();
    for (const text of published) {
      const file = JSON.parse(text);
      writeFileSync(state, JSON.stringify(Object.fromEntries(Object.entries(file).toReversed())));
      const { found } = await reader.look();
      const isCurrent = JSON.stringify(file) === JSON.stringify(head);
      expect(found.kind).toBe(isCurrent ? "current" : "behind");
      writeFileSync(state, JSON.stringify({ ...file, timestamp: "edited" }));
      expect((await reader.look()).found.kind).toBe("foreign");
    }
    for (const window of [history, reader]) window.close();
    rmSync(projectArea, { recursive: true });
  });
  await check(property, { numRuns: wholeOr(60, 20) });
});
