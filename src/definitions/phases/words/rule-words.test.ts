import { expect, test } from "vitest";
import { askedIn, readGate } from "../demands/asked.testing.ts";

const about = (field: string, words: string): string => `Must provide \`${field}\`: ${words}`;

test.each([
  ["at most 12", "must not exceed 12", "should not exceed 12", "not exceeding 12", "never exceeding 12"],
  ["at most 12", "does not exceed 12", "doesn't exceed 12", "without exceeding 12", "may not exceed 12"],
  ["at most 12", "may not be more than 12", "can't be more than 12", "not greater than 12", "no higher than 12"],
  ["at most 12", "should not go above 12", "nothing over 12", "more than 12 is not allowed", "12 must not be exceeded"],
  ["at most 12", "must not, under any circumstances, exceed 12", "must never (ever) be more than 12", "not above 12"],
  ["at most 12", "up to 12", "capped at 12", "limited to 12", "max. 12", "at the most 12", "12 is the maximum"],
  ["at least 3", "cannot be less than 3", "not fewer than 3", "no fewer than 3", "not below 3", "never under 3"],
  ["at least 3", "should never fall below 3", "must not drop below 3", "fewer than 3 is not acceptable"],
  ["less than 9", "must stay under 9", "must remain below 9", "must be kept below 9", "must not reach 9"],
  ["more than 9", "must stay above 9", "over 9", "in excess of 9"],
  ["at least 5, at most 10", "must not be less than 5 or more than 10", "neither below 5 nor above 10"],
  ["at least 5, at most 10", "not less than 5 nor more than 10", "no less than 5 and no more than 10"],
])("a negation turns a limit round: %s", (wanted, ...ways) => {
  for (const words of ways)
    expect(askedIn(about("a_count", `integer, ${words}`)), words).toEqual([`a_count integer, ${wanted}`]);
});

test.each([
  "number of files that do not need more than 3 reviewers",
  "integer, cannot be less than 5 and more than 10",
  "integer, not between 1 and 5",
  "integer, more than 5 is fine",
  "integer, must not exceed the budget",
])("where nobody can tell what is turned round, nothing opens: %s", (words) => {
  const { gate, unclear } = readGate(about("a_count", words));
  expect(unclear).toHaveLength(1);
  expect(gate.requirements[0]?.rules.map(({ kind }) => kind)).not.toContain("more_than");
});

test.each([
  ["greater or equal 4", "greater or equal to 4", "greater than or equal to 4", "larger or equal than 4", "≥4", ">= 4"],
  ["equal or greater than 4", "equal to or greater than 4", "equals or exceeds 4", "meets or exceeds 4", "> or = 4"],
  ["4 or more", "4 or higher", "4 and above", "4 and up", "4+", "4 upwards", "4 at least", "4 at a minimum", ">/= 4"],
  [
    "min. 4",
    "min 4",
    "minimum of 4",
    "minimum is 4",
    "minimum value: 4",
    "at the least 4",
    "at a minimum 4",
    "four or more",
  ],
])("at least four has many forms: %s", (...ways) => {
  for (const words of ways)
    expect(askedIn(about("a_count", `integer, ${words}`)), words).toEqual(["a_count integer, at least 4"]);
});

test.each([
  "(0 is allowed)",
  ", 0 allowed",
  ", zero is fine",
  ", may be zero",
  ", can be 0",
  ", including zero",
  ", 0 if none",
])("that a zero may be is no rule: integer%s", (words) => {
  expect(askedIn(about("a_count", `integer ${words}`))).toEqual(["a_count integer"]);
});

test.each([
  ["other than 0", "other than 0"],
  ["not 0", "other than 0"],
  ["must not be zero", "other than 0"],
  ["≠ 0", "other than 0"],
  ["nonzero", "more than 0"],
  ["zero errors allowed", "exactly 0"],
  ["should be 0", "exactly 0"],
  ["in [1, 10]", "at least 1, at most 10"],
  ["in (0, 1]", "more than 0, at most 1"],
  ["from 1 to 10", "at least 1, at most 10"],
  ["1 ≤ n ≤ 10", "at least 1, at most 10"],
  ["must be 0 or 1", "one of: 0, 1"],
  ["must be 30, 60 or 90", "one of: 30, 60, 90"],
  ["at least 1 000", "at least 1000"],
  ["at least 1,000", "at least 1000"],
  ["at least 10k", "at least 10000"],
  ["at least twenty-five", "at least 25"],
  ["a dozen or more", "at least 12"],
])("a number's rule is kept: %s", (words, wanted) => {
  expect(askedIn(about("a_count", `integer, ${words}`))).toEqual([`a_count integer, ${wanted}`]);
});

test.each([
  ["must match the pattern `[A-Z]+-[0-9]+`", "[A-Z]+-[0-9]+"],
  ["matches [A-Z]{2,5}-[0-9]+", "[A-Z]{2,5}-[0-9]+"],
  ["string (pattern: [A-Z]+-[0-9]+)", "[A-Z]+-[0-9]+"],
  ["of the format `[1-9]-[0-9]`", "[1-9]-[0-9]"],
  ["matches ^v\\d+\\.\\d+$", "^v\\d+\\.\\d+$"],
  ["string, ^v\\d+\\.\\d+$.", "^v\\d+\\.\\d+$"],
  ["regex: ^a*b*\\.c$", "^a*b*\\.c$"],
  ["40 hex characters", "^[0-9a-fA-F]{40}$"],
  ["date, YYYY-MM-DD", "^\\d{4}-\\d{2}-\\d{2}$"],
])("a pattern is all that is asked for, whole: %s", (words, pattern) => {
  const [asked] = readGate(about("key", words)).gate.requirements;
  expect(asked).toMatchObject({ type: "string", rules: [{ kind: "matches", pattern }] });
});

test.each([
  ["allowed values are green, amber and red", "x string, one of: green, amber, red"],
  ["(choices: green, amber)", "x string, one of: green, amber"],
  ["∈ {green, amber}", "x string, one of: green, amber"],
  ["chosen from green, amber", "x string, one of: green, amber"],
  ["exactly 64 characters", "x string, at least 64 long, at most 64 long"],
  ["string of 64 characters", "x string, at least 64 long, at most 64 long"],
  ["text, must not be empty or longer than 300 characters", "x string, at most 300 long, not empty"],
  ["string[], at least 1", "x list, not empty"],
  ["an array of strings", "x list"],
  ["a real number", "x number"],
  ["number with two decimals", "x number"],
  ["number, e.g. 0.75", "x number"],
  ["number, greater than 0", "x number, more than 0"],
  ["names of at least two people", "x list, at least 2 long"],
  ["the file exists on disk", "x string, the path of a file that exists"],
  ["path of the report (exists)", "x string, the path of a file that exists"],
  ["the file must be present", "x string, the path of a file that exists"],
])("words tell type and rule: %s", (words, wanted) => {
  expect(askedIn(about("x", words))).toEqual([wanted]);
});

test("what is asked for by its number is a list, unless the name counts or measures", () => {
  expect(askedIn(about("screenshots", "at least 3 screenshots"))).toEqual(["screenshots list, at least 3 long"]);
  expect(askedIn(about("screenshot_count", "at least 3 screenshots"))).toEqual([
    "screenshot_count integer, at least 3",
  ]);
  expect(askedIn(about("minutes", "at least 3 minutes"))).toEqual(["minutes integer, at least 3"]);
});

test.each(["must be a valid license header", "must be valid JSON", "must not exist yet", 'must not contain "FAIL"'])(
  "a demand for which there is no rule closes the gate: %s",
  (words) => {
    expect(readGate(about("x", words)).unclear).toHaveLength(1);
  },
);

test.each([
  ["string", "exactly 64 characters", "f string, at least 64 long, at most 64 long"],
  ["string", "matches ^v\\d+\\.\\d+$", "f string, a match of /^v\\d+\\.\\d+$/"],
  ["string", "`[A-Z]+-[0-9]+`", "f string, a match of /[A-Z]+-[0-9]+/"],
  ["string", "exists", "f string, the path of a file that exists"],
  ["integer", "not exceeding 8000", "f integer, at most 8000"],
  ["integer", "greater or equal 4", "f integer, at least 4"],
  ["integer", "0 is allowed", "f integer"],
  ["integer", "in [1, 10]", "f integer, at least 1, at most 10"],
])("the rule of a table is read by the same words: %s %s", (type, rule, wanted) => {
  const { gate, unclear } = readGate(`| Evidence | Type | Rule |\n|---|---|---|\n| \`f\` | ${type} | ${rule} |\n`);
  expect(unclear).toEqual([]);
  expect(gate.requirements).toHaveLength(1);
  expect(askedIn(`| Evidence | Type | Rule |\n|---|---|---|\n| \`f\` | ${type} | ${rule} |\n`)).toEqual([wanted]);
});
