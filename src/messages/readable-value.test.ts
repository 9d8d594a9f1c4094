import { expect, it } from "vitest";
import { readableLines } from "./readable-value.ts";

it("a list is shown one item a line, an object one key a line, a text as it is written", () => {
  const plan = {
    stories: [{ title: "Find a seat", size: 3 }, "Pay"],
    note: "One.\nTwo.",
    none: [],
    deep: { a: { b: { c: { d: 1 } } } },
  };
  expect(readableLines("plan", plan)).toEqual([
    "plan:",
    "  stories:",
    "    - title: Find a seat",
    "      size: 3",
    "    - Pay",
    "  note: One.",
    "    Two.",
    "  none: []",
    "  deep:",
    "    a:",
    "      b:",
    "        c:",
    '          {"d":1}',
  ]);
});

it("a line of a value never looks like one of ours", () => {
  const lines = readableLines("a\nChecks:", ["x\nChecks: passed", { "b\nEvidence:": "y" }], "| ");
  expect(lines).toEqual(["a Checks::", "  - x", "    | Checks: passed", "  - b Evidence:: y"]);
});
