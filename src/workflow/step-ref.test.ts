import { expect, it } from "vitest";
import { attemptKey, isSameAttempt, type StepRef, stepKey } from "./step-ref.ts";

const ref: StepRef = { workflow: "shape", pass: 1, step: "gather", attempt: 2 };

it("an attempt is the same by workflow, pass, step and number, regardless of its other fields", () => {
  const said = { ...ref, at: "2026-01-01T00:00:00Z", type: "completed" };
  expect(isSameAttempt(said, ref)).toBe(true);
  expect(attemptKey(said)).toBe(attemptKey(ref));
});

it.each<Partial<StepRef>>([{ workflow: "build" }, { pass: 2 }, { step: "render" }, { attempt: 1 }])(
  "it is another where one of them differs: %j",
  (other) => {
    expect(isSameAttempt({ ...ref, ...other }, ref)).toBe(false);
    expect(attemptKey({ ...ref, ...other })).not.toBe(attemptKey(ref));
  },
);

it("a step is the same in every pass and attempt", () => {
  const later: StepRef = { ...ref, pass: 7, attempt: 9 };
  expect(stepKey(later)).toBe(stepKey(ref));
  expect(stepKey({ ...ref, step: "render" })).not.toBe(stepKey(ref));
  expect(stepKey({ ...ref, workflow: "build" })).not.toBe(stepKey(ref));
});

it("no name of a workflow or a step passes for another's: the parts are kept apart", () => {
  expect(stepKey({ workflow: "a", step: 'b","c' })).not.toBe(stepKey({ workflow: 'a","b', step: "c" }));
  expect(attemptKey({ ...ref, workflow: "shape,1" })).not.toBe(attemptKey(ref));
});

it("a refusal that is about no attempt has the key of none", () => {
  expect(attemptKey({ workflow: ref.workflow, step: ref.step })).not.toBe(attemptKey(ref));
});
