import { expect, it } from "vitest";
import { canonical } from "../kit/json.ts";
import type { Correction } from "./correction.ts";
import type { Gate } from "./gate.ts";
import { gateMeaning } from "./gate-meaning.ts";
import { readJudgedBy, writeJudgedBy } from "./judged-by.ts";
import type { Rule } from "./rule.ts";
import { rulesMeaning } from "./rules-meaning.ts";

const gate: Gate = {
  requirements: [
    {
      field: "count",
      type: "integer",
      required: true,
      description: "how many",
      rules: [{ kind: "at_least", limit: 3 }],
    },
    { field: "seen", type: "boolean", required: true, description: "", rules: [] },
    { field: "why", type: "string", required: false, description: "", rules: [] },
    { field: "list", type: "list", required: true, description: "", rules: [], mayBeEmpty: false },
  ],
  comparisons: [{ left: { field: "count" }, is: "at_most", right: { value: 9 }, message: "at most nine" }],
  examples: { count: 3 },
  rulesHold: false,
  approval: false,
};

it("the form of a gate is pinned: another form is another version", () => {
  expect(canonical(gateMeaning(gate, true))).toBe(
    '{"comparisons":[{"is":"at_most","left":{"field":"count"},"right":{"value":9}}],"evidence":{"count":{"rules":[{"kind":"at_least","limit":3}],"type":"integer"},"list":{"type":"list"},"seen":{"rules":[{"kind":"equals","value":true}],"type":"boolean"},"why":{"optional":true,"type":"string"}},"person":true}',
  );
  expect(canonical(gateMeaning(undefined, false))).toBe("{}");
});

it("words, places, examples and order say nothing of what a gate asks for", () => {
  const source = { file: "phase.md", line: 7 };
  const other: Gate = {
    ...gate,
    examples: {},
    approvalSource: source,
    requirements: gate.requirements.toReversed().map((one) => ({ ...one, description: "other words", source })),
    comparisons: gate.comparisons.map((one) => ({ ...one, message: "no more", source })),
  };
  expect(canonical(gateMeaning(other, true))).toBe(canonical(gateMeaning(gate, true)));
});

it.each<[string, Partial<Gate>]>([
  ["a field less", { requirements: gate.requirements.slice(1) }],
  ["a comparison less", { comparisons: [] }],
  ["rules that must hold", { rulesHold: true }],
  ["a closed gate", { closed: { code: "gate-yaml", file: "a", message: "b" } }],
])("%s is another gate", (_, change) => {
  expect(canonical(gateMeaning({ ...gate, ...change }, true))).not.toBe(canonical(gateMeaning(gate, true)));
});

it("the form of rules is pinned; what they are called and say besides their checks does not count", () => {
  const check = { kind: "must_not_match", pattern: "TODO", flags: "", severity: "error", message: "no" } as const;
  const rule: Rule = { name: "plain", description: "", file: "a.json", examples: [], checks: [check] };
  const renamed: Rule = { ...rule, name: "other", file: "b.json", checks: [{ ...check, message: "never" }] };
  expect(rulesMeaning([rule])).toBe("a2d4a26fb065dcd1b0b05cf9a7843124");
  expect(rulesMeaning([renamed])).toBe(rulesMeaning([rule]));
  const corrected = { ...rule, checks: [check, { ...check, pattern: "FIXME", message: "FIXME → done" }] };
  expect(rulesMeaning([corrected])).not.toBe(rulesMeaning([rule]));
  const correction = { rule: "plain", dont: "FIXME", do: "done", pattern: "FIXME", place: "plain (a.json)" };
  const without = (change: Partial<Correction>) =>
    rulesMeaning([corrected], [{ correction: { ...correction, ...change }, at: "2026-11-16" }]);
  expect(without({})).toBe(rulesMeaning([rule]));
  for (const other of [{ place: "plainer (a.json)" }, { pattern: "TODO", dont: "no" }, { dont: "FIXME!" }])
    expect(without(other)).toBe(rulesMeaning([corrected]));
});

it("what something was judged by is read back as it was written; another form is told apart, nothing else is read", () => {
  const by = { gate: "a", sequence: "b", rules: "c", settings: "external_edits obey, behaviors any" };
  expect(readJudgedBy(writeJudgedBy(by))).toEqual(by);
  expect(readJudgedBy("v2:gate=a;sequence=b")).toEqual({ form: "v2" });
  for (const text of [undefined, "", "1:abc", "v1:", "v1:gate=a"]) expect(readJudgedBy(text)).toBeUndefined();
});
