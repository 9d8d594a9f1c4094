import { expect, test } from "vitest";
import { describeComparison } from "../../gates/describe-rules.ts";
import { type FieldTypes, parseComparison } from "./comparison.ts";

const fields: FieldTypes = new Map([
  ["a", "integer"],
  ["b", "number"],
  ["total", "integer"],
  ["name", "string"],
  ["other", "string"],
  ["items", "list"],
  ["done", "boolean"],
  ["n", "integer"],
]);

function read(text: string): string | null {
  const result = parseComparison(text, fields);
  return "unusable" in result ? null : describeComparison(result.comparison);
}

test.each([
  ["a >= b", "a must be at least b"],
  ["a<=total", "a must be at most total"],
  ["a + b == total", "a + b must be equal to total"],
  ["length(items) == n", "the length of items must be equal to n"],
  ["len(items) >= n", "the length of items must be at least n"],
  ["total >= 5", "total must be at least 5"],
  ["name != other", "name must be different from other"],
  ["name == 'high'", "name must be equal to high"],
  ["done == true", "done must be equal to true"],
  ["a == phase_4.planned_count", "a must be equal to planned_count of phase 4"],
  [
    "length(items) <= length(phase_2.cases) + 1",
    "the length of items must be at most the length of cases of phase 2 + 1",
  ],
])("%s is read as: %s", (text, words) => {
  expect(read(text)).toBe(words);
});

test.each([
  "a >= nobody",
  "a * 2 == b",
  "a / total >= 0.8",
  "a - b > 0",
  "0 < a <= b",
  "a == name",
  "name > other",
  "items == items",
  "len(a) > 1",
  "a",
  "done",
  "1 < 2",
  "name + other == 'x'",
  "a in [1, 2]",
  "__import__('os')",
  "lambda e: e['a'] == e['b']",
  "a >",
  "phase_x.a == a",
  "len(items == n",
  "",
])("%s is not understood", (text) => {
  expect(read(text)).toBeNull();
});
