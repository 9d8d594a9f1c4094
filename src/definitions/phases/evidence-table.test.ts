import { expect, test } from "vitest";
import { askedIn, readGate } from "./asked.testing.ts";

const described = (words: string): string =>
  `## Evidence\n\n| Evidence | Description |\n|---|---|\n| \`f\` | ${words} |\n`;
const typed = (type: string, validator: string): string =>
  `| Evidence | Type | Validator |\n|---|---|---|\n| \`f\` | ${type} | ${validator} |\n`;

test.each([
  ["≥ 5", "f integer, at least 5"],
  ["= 0", "f integer, exactly 0"],
  ["float ≥ 99.5", "f number, at least 99.5"],
  ["exactly 3 items", "f list, at least 3 long, at most 3 long"],
  ["at most 2.5", "f number, at most 2.5"],
  ["low, medium or high", "f string, one of: low, medium, high"],
  ["path, must exist", "f string, the path of a file that exists"],
  ["the name of it", "f string"],
])("without type and validator, a description is read by the words of sentences: %s", (words, wanted) => {
  expect(askedIn(described(words))).toEqual([wanted]);
});

test.each([
  "one of fast, slow",
  "one of `fast`, `slow`",
  "one of fast or slow",
  "one of: fast, slow",
  "one_of(fast, slow)",
])("a validator offers each of its values: %s", (validator) => {
  expect(askedIn(typed("string", validator))).toEqual(["f string, one of: fast, slow"]);
});

test.each([
  ["integer", "1-5", "f integer, at least 1, at most 5"],
  ["string", "min_length_1, max_length_5", "f string, not empty, at most 5 long"],
  ["integer", "greater_than_0 and less_than_100", "f integer, more than 0, less than 100"],
  ["enum(fast, slow)", "", "f string, one of: fast, slow"],
])("a validator may say several things: %s %s", (type, validator, wanted) => {
  expect(askedIn(typed(type, validator))).toEqual([wanted]);
});

test.each(["list", "string"])("a percentage cannot be asked of a %s", (type) => {
  expect(readGate(typed(type, "percent_gte_80")).unclear).toHaveLength(1);
});
