import { expect, test } from "vitest";
import type { Event } from "../workflow/events.ts";
import { auditApprovals } from "./audit-approvals.ts";

const stamp = { at: "2026-01-31T10:00:00.000Z", by: "a window" };
const person = { name: "dana", key: "k" };

function attemptOf(attempt: number): readonly [Event, Event] {
  const ref = { workflow: "shape", pass: 1, step: "gather", attempt };
  const expires = "2026-02-28T10:00:00.000Z";
  return [
    { type: "approved", ...stamp, ...ref, digest: "d", level: "proven", expires, person },
    {
      ...{ type: "completed", ...stamp, ...ref, duration: 1, fingerprint: "f", successor: null, next: null },
      ...{ finished: true, word: { level: "proven", by: [person] }, digest: "d" },
    },
  ];
}

/** The same event, and how often it is asked which attempt it is of. */
function counted(event: Event & { readonly type: "completed" }): { readonly event: Event; asked(): number } {
  let asked = 0;
  const { attempt } = event;
  const counting = Object.defineProperty({ ...event }, "attempt", {
    get: () => {
      asked += 1;
      return attempt;
    },
  });
  return { event: counting, asked: () => asked };
}

test("a completion is held against the answers of its own attempt, however many others there are", () => {
  const asked = [10, 1000].map((attempts) => {
    const events = Array.from({ length: attempts }, (_, at) => attemptOf(at + 1)).flat();
    const last = events.pop();
    if (last?.type !== "completed") throw new Error("no completion");
    const looked = counted(last);
    const { approvals, problems } = auditApprovals([...events, looked.event], { name: "bot", first: "p" }, []);
    expect([approvals.length, problems.length]).toEqual([attempts, 2 * attempts]);
    return looked.asked();
  });
  expect(asked[1]).toBe(asked[0]);
});
