import { expect, test } from "vitest";
import type { CheckStatus } from "./check.ts";
import type { Gate } from "./gate.ts";
import { isFullyVerified } from "./proved.ts";
import { rulesMeaning } from "./rules-meaning.ts";

const open: Gate = { requirements: [], comparisons: [], examples: {}, rulesHold: false, approval: false };
const ruled: Gate = { ...open, rulesHold: true };
const checked: Gate = { ...open, checks: [{ kind: "git", name: "clean", clean: true }] };
const clean = (status: "passed" | "failed" | "stale"): CheckStatus => ({
  ...{ name: "clean", status, definition: "d", reads: "", summary: "" },
});
const rules = "some rules";

test.each([
  ["a check that passed", true, checked, { checks: [clean("passed")] }],
  ["rules that hold", true, ruled, { rules, violations: [] }],
  ["no gate", false, undefined, {}],
  ["a gate that has nothing found out", false, open, { rules, violations: [] }],
  ["a check that failed", false, checked, { checks: [clean("failed")] }],
  ["a check that nobody looked at", false, checked, {}],
  ["a rule that is broken, be it a warning", false, ruled, { rules, violations: ["a warning"] }],
  ["a check that passed beside a rule that is broken", false, checked, { checks: [clean("passed")], violations: [0] }],
  ["rules of which no machine checks any", false, ruled, { rules: rulesMeaning([]), violations: [] }],
  ["rules that were not run", false, ruled, {}],
])("%s: proved is %s", (_, proved, gate, found) => {
  expect(isFullyVerified(gate, found)).toBe(proved);
});
