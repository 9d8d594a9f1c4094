import { expect, test } from "vitest";
import { attemptId } from "./named-attempts.ts";
import { replay } from "./replay.ts";
import { emptyStream } from "./stream-snapshot.ts";

test("a new attempt never gets the id of one that is known", () => {
  const stamp = { at: "2026-01-01T00:00:00.000Z", by: "window" };
  const ref = { workflow: "shape", pass: 1, step: "gather_context", attempt: 1 };
  const usual = attemptId(stamp, ref, emptyStream);
  const known = replay([
    { type: "started", ...stamp, ...ref, step: "build_knowledge", successor: null, attemptId: usual },
  ]);
  expect(attemptId(stamp, ref, known)).toMatch(/^a\d{6}$/);
  expect(attemptId(stamp, ref, known)).not.toBe(usual);
});
