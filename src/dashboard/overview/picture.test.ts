import { expect, test } from "vitest";
import { drawPicture } from "./picture.ts";

test("the marks above a run of half a minute say seconds, each another time", () => {
  const start = Date.parse("2026-01-31T10:00:02Z");
  const at = (seconds: number): string => new Date(start + seconds * 1000).toISOString();
  const attempt = { startedAt: at(0), endedAt: at(31), state: "completed", handIns: [], waits: [] } as const;
  const run = {
    title: "tea",
    evidence: { found: 0, agrees: 0, differs: 0, word: 0 },
    sentence: "",
    map: [],
    lanes: [{ name: "1", attempts: [attempt] }],
    records: 2,
    head: "",
  };
  const times = drawPicture(run, start).match(/(?<=[> ])\d\d:\d\d(:\d\d)?(?=<)/g) ?? [];
  expect(times.length).toBeGreaterThan(2);
  expect(new Set(times).size).toBe(times.length);
  expect(times[0]).toMatch(/^10:00:\d\d$/);
});

test("a bar shows how much is claimed and verified, and each level of approval looks different", () => {
  const at = "2026-01-31T10:00:00.000Z";
  const attempt = (level: "relayed" | "elicited" | "proven") =>
    ({ startedAt: at, endedAt: at, state: "completed", handIns: [], waits: [], word: { level } }) as const;
  const levels = ["relayed", "elicited", "proven"] as const;
  const drawn = drawPicture(
    {
      ...{ title: "tea", sentence: "", map: [], records: 2, head: "" },
      evidence: { found: 1, agrees: 0, differs: 0, word: 3 },
      lanes: levels.map((level) => ({ name: level, attempts: [attempt(level)] })),
    },
    Date.parse(at),
  );
  expect(drawn).toMatch(/class="verified" x="24" y="75" width="30"/);
  expect(drawn).toMatch(/class="claimed" x="54" y="75" width="90"/);
  expect(drawn).toContain("3 claimed · 1 verified");
  for (const level of levels) expect(drawn.split(`<circle class="${level}"`).length).toBe(3); // in its row and in the legend
});
