import fc from "fast-check";
import { expect, test } from "vitest";
import { wholeOr } from "../../../test/whole.ts";
import { compilePattern } from "./pattern.ts";

function lines(pattern: string, flags: string, text: string): unknown {
  const compiled = compilePattern(pattern, flags);
  return "unusable" in compiled ? "unusable" : compiled.findLines(text).map(({ line }) => line);
}

test("searching line by line finds the lines that searching the whole text finds", () => {
  const part = fc.constantFrom(
    "a",
    "b",
    ".",
    "\\b",
    "\\w+",
    "[ab]",
    "[^a]",
    "\\s",
    "^",
    "$",
    "(?:a|b)",
    "a*",
    "\\d",
    "(?i)A",
    " ",
  );
  const pattern = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(""));
  const text = fc.array(fc.constantFrom("a", "b", " ", "\n", "1"), { maxLength: 20 }).map((chars) => chars.join(""));
  fc.assert(
    fc.property(pattern, fc.constantFrom("", "i", "m"), text, (some, flags, input) => {
      // The empty group with flags changes no match, and keeps the pattern from being searched by line.
      expect(lines(some, flags, input)).toEqual(lines(`(?:${some})(?s:)`, flags, input));
    }),
    { numRuns: wholeOr(2_000, 400) },
  );
});

test("what JavaScript writes differently is understood: named groups and Unicode escapes", () => {
  expect(lines("(?<year>\\d{4})", "", "in 2026")).toEqual([1]);
  expect(lines("caf\\u00e9", "", "a\ncafé")).toEqual([2]);
});
