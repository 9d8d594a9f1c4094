import { expect, test } from "vitest";
import { describeComparison } from "../../workflow/evidence-words.ts";
import { comparisonsFromExpression, type Fields } from "./comparison.ts";

const fields: Fields = new Map([
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
  const result = comparisonsFromExpression(text, fields);
  return "unusable" in result ? null : result.comparisons.map(describeComparison).join("; ");
}

test.each([
  ["a >= b", "a must be at least b"],
  ["a <= total", "a must be at most total"],
  [`lambda ev: ev['a'] == ev["b"]`, "a must be equal to b"],
  ["lambda e: e.get('a', 0) >= e.get('b', 0)", "a must be at least b"],
  ["evidence.a + evidence.b == evidence.total", "a + b must be equal to total"],
  ["evidence['a'] - evidence['b'] > 0", "a must be more than 0 + b"],
  ["sum([a, b]) == total", "a + b must be equal to total"],
  ["len(items) == n", "the length of items must be equal to n"],
  ["items.length >= n", "the length of items must be at least n"],
  ["e => e.a > e.b", "a must be more than b"],
  ["0 < a <= b", "0 must be less than a; a must be at most b"],
  ["a > b and total >= 5", "a must be more than b; total must be at least 5"],
  ["name != other", "name must be different from other"],
  ["name == 'high'", "name must be equal to high"],
  ["done", "done must be equal to true"],
  ["not done", "done must be equal to false"],
  ["done and a >= 1", "done must be equal to true; a must be at least 1"],
])("%s is read as: %s", (text, words) => {
  expect(read(text)).toBe(words);
});

test.each([
  "a >= nobody",
  "evidence.nobody > 1",
  "a * 2 == b",
  "a / total >= 0.8",
  "not done or a > 0",
  "a if done else b",
  "a == name",
  "name > other",
  "items == items",
  "len(a) > 1",
  "a",
  "1 < 2",
  "name + other == 'x'",
  "a in [1, 2]",
  "a is None",
  "__import__('os')",
  "e.get(name)",
  "a >",
  "if a then b",
  "",
])("%s is not understood", (text) => {
  expect(read(text)).toBeNull();
});
