import { expect, it } from "vitest";
import { completedExample, startedExample } from "../../testing/index.ts";
import { isEvent } from "./event-shape.ts";

const ref = { at: "2026-11-18T07:00:00.000Z", by: "a", workflow: "shape", pass: 1, step: "one", attempt: 1 };
const began = { ...ref, type: "session_began", options: {}, definition: "d", first: 1, total: 2 };

it.each([
  ["a session without a target", began],
  ["a session whose target is no text", { ...began, target: { path: "a" } }],
  ["a no whose reason is no text", { ...ref, type: "declined", reason: { said: "no" } }],
  [
    "a yes whose comment is no text",
    { ...ref, type: "approved", digest: "d", level: "elicited", expires: "", comment: 1 },
  ],
  ["a refusal whose gaps name no field", { ...ref, type: "refused", code: "c", missing: [{ field: {}, text: "" }] }],
  ["a refusal whose code is no text", { ...ref, type: "refused", code: 7 }],
  ["a violation without its rule", { ...completedExample(1), violations: [{ severity: "error" }] }],
  ["a word whose text is no text", { ...completedExample(1), word: { level: "relayed", text: 1 } }],
  ["a word by nobody that can be named", { ...completedExample(1), word: { level: "proven", by: ["dana"] } }],
  ["a next step without a name", { ...completedExample(1), next: { step: 1 } }],
  ["a successor that is no name", { ...startedExample(1), successor: {} }],
  [
    "an edit whose list names no step",
    {
      ...{ ...ref, type: "adopted", origin: "edited", state: "started", timestamp: "", before: [], vouched: [] },
      completed: [{}],
    },
  ],
])("%s is no event: what reads a history never meets it", (_, value) => {
  expect(isEvent(value)).toBe(false);
});

it("what Waymark records is", () => {
  for (const value of [
    startedExample(1),
    completedExample(1),
    { ...began, target: null },
    { ...began, target: "a.ts" },
  ])
    expect(isEvent(value)).toBe(true);
});
