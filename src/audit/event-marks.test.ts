import { describe, expect, it } from "vitest";
import type { Event } from "../workflow/events.ts";
import { markEvents } from "./event-marks.ts";

const stamp = { at: "2026-01-01T00:00:00.000Z", by: "a" };
const ref = (step: string, attempt = 1, pass = 1) => ({ workflow: "shape", pass, step, attempt });
const start = (step: string, more: object = {}): Event => ({
  type: "started",
  ...stamp,
  ...ref(step),
  successor: null,
  ...more,
});
const complete = (step: string, more: object = {}): Event => ({
  type: "completed",
  ...stamp,
  ...ref(step),
  duration: 1,
  word: { level: "auto" },
  fingerprint: "",
  successor: null,
  next: null,
  finished: false,
  ...more,
});

describe("what is to be said of an event", () => {
  it("nothing, of what was done in order", () => {
    expect(markEvents([start("one"), complete("one"), start("two"), complete("two")]).size).toBe(0);
  });

  it("a step that is done again voids its completion and those after it", () => {
    const [one, two] = [complete("one"), complete("two")];
    const again = start("one", { attempt: 2, supersedes: ["two"] });
    const marks = markEvents([start("one"), one, start("two"), two, again, complete("one", { attempt: 2 })]);
    expect([...marks]).toEqual([
      [one, { kind: "voided", by: "started", at: stamp.at }],
      [two, { kind: "voided", by: "started", at: stamp.at }],
    ]);
  });

  it("a new beginning voids what was done; a new pass does not", () => {
    const one = complete("one", { finished: true });
    expect(markEvents([start("one"), one, { type: "began_anew", ...stamp, reason: "deleted" }]).get(one)?.kind).toBe(
      "voided",
    );
    expect(markEvents([start("one"), one, start("one", { pass: 2 })]).size).toBe(0);
  });

  it("what a person wrote is marked as adopted or edited", () => {
    const adoption = {
      workflow: "shape",
      state: "started",
      timestamp: "",
      completed: [],
      before: [],
      vouched: [],
    } as const;
    const found: Event = { type: "adopted", ...stamp, origin: "found", ...adoption };
    const edited: Event = { type: "adopted", ...stamp, origin: "edited", ...adoption };
    const marks = markEvents([found, edited]);
    expect([marks.get(found)?.kind, marks.get(edited)?.kind]).toEqual(["adopted", "edited"]);
  });
});
