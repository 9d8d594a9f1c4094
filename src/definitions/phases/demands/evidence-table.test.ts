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

const table = (head: string, ...rows: string[]): string =>
  `## Exit Criteria\n\n| ${head} |\n|${"---|".repeat(head.split("|").length)}\n${rows.map((row) => `| ${row} |\n`).join("")}`;

test.each([
  ..."Criteria,Acceptance Criteria,Acceptance rule,Requirement,Expectation,Expected,Check,Accepted,Condition".split(
    ",",
  ),
  ..."Threshold,Target,Constraint,Validation,Rules,Limits,Pass condition,Must be,Passes when,Tolerance".split(","),
])("a rule may stand under %s", (header) => {
  expect(askedIn(table(`Evidence | Type | ${header}`, "`f` | integer | >= 5"))).toEqual(["f integer, at least 5"]);
  expect(askedIn(table(`${header} | Kind | Metric`, ">= 5 | integer | `f`"))).toEqual(["f integer, at least 5"]);
});

test.each(
  "Field,Name,Key,Item,Parameter,Metric,Artifact,Output,Variable,Deliverable,Evidence item,Field name,What".split(","),
)("the field may stand under %s", (header) => {
  expect(askedIn(table(`${header} | Data type`, "`f_one` | integer"))).toEqual(["f_one integer"]);
});

test("limits and values may have columns of their own", () => {
  expect(askedIn(table("Field | Type | Min | Max", "`f` | integer | 5 | 10", "`g` | string | 5 | –"))).toEqual([
    "f integer, at least 5, at most 10",
    "g string, at least 5 long",
  ]);
  expect(askedIn(table("Field | Type | Allowed values", "`f` | string | red, green", "`g` | integer | 1-5"))).toEqual([
    "f string, one of: red, green",
    "g integer, at least 1, at most 5",
  ]);
});

test.each([
  ["Required", "yes", "no"],
  ["Mandatory", "M", "O"],
  ["M/O", "M", "O"],
  ["Required?", "✓", ""],
  ["Must?", "x", "✗"],
  ["Optional", "no", "yes"],
  ["Status", "required", "optional"],
  ["Priority", "mandatory", "nice to have"],
])("whether a field is required may stand under %s: %s or %s", (header, yes, no) => {
  expect(askedIn(table(`Field | Type | ${header}`, `\`f\` | integer | ${yes}`, `\`g\` | integer | ${no}`))).toEqual([
    "f integer",
    "g integer, optional",
  ]);
});

test.each([
  ["file path", "must exist", "f string, the path of a file that exists"],
  ["URL", "", "f string"],
  ["date", "", "f string"],
  ["JSON", "", "f object"],
  ["string list", "at least 2 entries", "f list, at least 2 long"],
  ["yes/no", "All tests pass", "f boolean"],
  ["boolean", "no", "f boolean, false"],
  ["enum", "fast, slow", "f string, one of: fast, slow"],
  ["integer", "0", "f integer, exactly 0"],
  ["list", "may be empty", "f list, may be empty"],
])("type %s and criteria %s are read", (type, rule, wanted) => {
  expect(askedIn(table("Evidence | Type | Criteria", `\`f\` | ${type} | ${rule}`))).toEqual([wanted]);
});

test.each([
  ["Evidence | Type | Quality", "`f` | string | unique and sorted"],
  ["Evidence | Type | Criteria", "`f` | string | well written"],
  ["Evidence | Type | Threshold", "`f` | integer | 80"],
  ["Evidence | Type | Min", "`f` | integer | some"],
  ["Evidence | Type | Description", "`f` | enum | the mode"],
])("a column that nobody understands closes the gate: %s, %s", (head, row) => {
  expect(readGate(table(head, row)).unclear).toHaveLength(1);
});

test("what is said beside a rule or instead of it counts", () => {
  const head = "Evidence | Type | Validator | Description";
  expect(askedIn(table(head, "`f` | integer | | at least 5"))).toEqual(["f integer, at least 5"]);
  expect(askedIn(table(head, "`f` | integer | greater_than_0 | must be at most 50"))).toEqual([
    "f integer, more than 0, at most 50",
  ]);
  expect(askedIn(table("Field | Type", "`f`, `g` | integer", "`h` (optional) | text"))).toEqual([
    "f integer",
    "g integer",
    "h string, optional",
  ]);
});

test("a rule may compare fields of the table, in backticks or not", () => {
  const rows = ["tests_total | integer | > 0", "tests_passed | integer | equal to tests_total"];
  expect(readGate(table("Field | Type | Criteria", ...rows)).gate.comparisons).toMatchObject([
    { left: { field: "tests_passed" }, is: "equal_to", right: { field: "tests_total" } },
  ]);
});

test("every table of a gate counts, and one under Optional is optional", () => {
  const second =
    "### Optional Evidence\n\n| Parameter | Kind | Rule |\n|---|---|---|\n| `g` | text | max 500 characters |\n";
  const third = "### Metrics\n\n| Metric | Target |\n|---|---|\n| `cov_pct` | at least 80 |\n";
  expect(askedIn(`${table("Name | Type", "`f` | integer")}\n${second}\n${third}`)).toEqual([
    "f integer",
    "g string, optional, at most 500 long",
    "cov_pct number, at least 80",
  ]);
});

test("a table of checks asks for a yes to each, and one that names nothing is reported", () => {
  expect(askedIn(table("# | Criterion | Met?", "1 | All tests pass | ⬜"))).toEqual(["all_tests_pass boolean"]);
  expect(readGate(table("Squad | Mood", "a | b")).nameless).toHaveLength(1);
  expect(askedIn(table("Field | Type", "`f` | integer").replace("Exit Criteria", "Request body"))).toEqual([]);
});
