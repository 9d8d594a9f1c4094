import { expect, test } from "vitest";
import { drawPicture } from "./picture.ts";

test("the marks above a run of half a minute say seconds, each another time", () => {
  const start = Date.parse("2026-01-31T10:00:02Z");
  const at = (seconds: number): string => new Date(start + seconds * 1000).toISOString();
  const attempt = { startedAt: at(0), endedAt: at(31), state: "completed", handIns: [], waits: [] } as const;
  const run = {
    title: "tea",
    evidence: "no evidence",
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
