import { expect, test } from "vitest";
import { describeRule, type Gate } from "../../workflow/gate.ts";
import { blocksOf } from "./blocks.ts";
import { parseMarkdown } from "./markdown.ts";
import { type DocumentGate, documentGate } from "./requirements.ts";

function read(markdown: string): DocumentGate {
  const document = parseMarkdown(markdown);
  if ("unusable" in document) throw new Error(document.unusable);
  return documentGate(blocksOf(document.tree.children), "phase.md");
}

function asked({ requirements }: Gate): string[] {
  return requirements.map(({ field, type, required, rules, mayBeEmpty }) =>
    [
      `${field} ${type}`,
      ...(required ? [] : ["optional"]),
      ...(mayBeEmpty ? ["may be empty"] : []),
      ...rules.map(describeRule),
    ].join(", "),
  );
}

test.each([
  ["Must provide `function_count`", "function_count integer"],
  ["Evidence: **Function Count** greater than 3", "function_count integer, more than 3"],
  ["Required: method_count, non-zero", "method_count integer, more than 0"],
  ["Checkpoint: `functions_list` must contain all names", "functions_list list, not empty"],
  ["Evidence: `ast_command_output`, non-empty", "ast_command_output string, not empty"],
  ["Must provide `passed` (boolean), must be true", "passed boolean, true"],
  ["Must provide `flaky` flag, must be false", "flaky boolean, false"],
  ["Evidence: `remarks`, optional", "remarks string, optional"],
  ["Evidence: `gaps` list, may be empty", "gaps list, may be empty"],
  ["Evidence: `names` (list), at least two", "names list, at least 2 long"],
  ["Evidence: `share` as a percentage, at least 80.5%", "share number, at least 80.5"],
  ["Evidence: `level`, one of low, medium or high", "level string, one of: low, medium, high"],
  ["Evidence: `tries` (integer, no more than 1,000)", "tries integer, at most 1000"],
  ["Evidence: `n` (integer, not less than 2)", "n integer, at least 2"],
  ["Evidence: `rate` (number, fewer than 0.5)", "rate number, less than 0.5"],
  ["Evidence: `page_count`, 3 or more", "page_count integer, at least 3"],
  ["Evidence: `size_count` from 2 to 9", "size_count integer, at least 2, at most 9"],
  ["Evidence: `log` text that must contain `DONE`", "log string, not empty, something that contains DONE"],
  ["Evidence: `account_name` of the owner", "account_name string"],
  ["Evidence: `number_of_tests`", "number_of_tests integer"],
  ["Evidence: `plan` (object)", "plan object"],
])("%s", (line, wanted) => {
  expect(asked(read(line).gate)).toEqual([wanted]);
});

test("an entry of a list that defines one field names no other", () => {
  const text =
    "Evidence required:\n\n- `a_count`: taken from one and `b_file` together\n- `c_list`: every name, `d_count`: how many\n";
  expect(asked(read(text).gate)).toEqual(["a_count integer", "c_list list", "d_count integer"]);
});

test("several fields of one line share what is said of all of them", () => {
  expect(asked(read("Must provide `a_count`, `b_count` and `c_count`, all integers greater than 0.").gate)).toEqual([
    "a_count integer, more than 0",
    "b_count integer, more than 0",
    "c_count integer, more than 0",
  ]);
  expect(asked(read("Required: a list of calls (`call_list`) and their number (`calls`), at least 2").gate)).toEqual([
    "call_list list",
    "calls integer, at least 2",
  ]);
});

test.each([
  "Good evidence is short. Evidence matters.",
  "Collect all evidence: it will be read.",
  "Checkpoint: do not continue before the tests are green.",
  "**Evidence** is **really** needed, and **CRITICAL**: keep it.",
  "Tools required: `ast_grep` and `jq`.",
  "The module must provide `get_user` to its callers.",
  "Time required: 2 hours",
  "```\nMust provide `in_a_fence`\n```",
  "    Must provide `in_indented_code`",
  "<!-- Must provide `in_a_comment` -->",
  "<!--\nRequired: `in_a_long_comment`\n-->",
  "## Tasks\n\n- [ ] `not_at_a_gate`",
  "| Field | Type |\n|---|---|\n| id | integer |",
  "### Example\n\nMust provide `shown_as_example`",
])("names no field: %s", (text) => {
  expect(asked(read(text).gate)).toEqual([]);
});

test("what compares two fields is a comparison, and with a field that nobody asks for it is not understood", () => {
  const { gate, unclear } = read("Evidence: `used` (integer) at most `total_count`\n\nEvidence: `total_count`");
  expect(gate.comparisons.map(({ message }) => message)).toEqual(["used must be at most total_count"]);
  expect(unclear).toEqual([]);
  expect(read("Evidence: `used` (integer) at most `total_count`").unclear).toHaveLength(1);
});

test.each([
  "Evidence: `n` (integer), at least as many as before",
  "Evidence: `n` (integer) [validator: is_prime]",
  "Evidence: `s` (string) matching /(?=a)/",
  "Evidence: `n` (integer)\n\nEvidence: `n` (list)",
  "| Evidence | Type |\n|---|---|\n| `n` | date |",
  "| Evidence | Type | Required |\n|---|---|---|\n| `n` | integer | perhaps |",
])("what cannot be understood is said, with its line: %s", (text) => {
  expect(read(text).unclear.length).toBeGreaterThan(0);
});

test.each([
  ["**Human Approval**: REQUIRED", true],
  ["**Human Approval**: **REQUIRED**", true],
  ["Human approval required: yes", true],
  ["Approval: required", true],
  ["- **Human Approval Required**: Yes (lead)", true],
  ["## Human Approval Required", true],
  ["This phase requires human approval.", true],
  ["**Human Approval**: see the handbook", true],
  ["**Human Approval**: Not required", false],
  ["**Human Approval**: none", false],
  ["**Human Approval**: False", false],
  ["Human approval required: no", false],
  ["No human approval is required.", false],
  ["The approval of the budget is old.", false],
])("approval: %s", (text, wanted) => {
  expect(read(text).gate.approval).toBe(wanted);
});
