import { expect, test } from "vitest";
import { asked, askedIn, readGate as read } from "./asked.testing.ts";

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

test.each([
  ["Required: **coverage** number, at least 80", "coverage integer, at least 80"],
  ["Evidence: **Grep Output** from the command", "grep_output string"],
  ["Must provide **All Tests Pass**: boolean", "all_tests_pass boolean"],
  ["Must provide **delta** number", "delta integer"],
  ["Must provide the **zeta** count", "zeta integer"],
  ["Checkpoint: **Logging Strategy** documented", "logging_strategy string"],
  ["- **Xi Count** — required: number", "xi_count integer"],
])("right after the words that ask, a bold text is a field, whatever follows: %s", (line, wanted) => {
  expect(askedIn(line)).toEqual([wanted]);
});

test.each([
  ["Required: `items[]`, at least 3", "items list, at least 3 long"],
  ["Required: `count: 5`", "count integer"],
  ["Required: `total_lines: int`", "total_lines integer"],
  ["Required: `foo()` list", "foo list"],
  ["Required: `report.size` number", "report.size integer"],
  ["Required: `naïve_count` number", "naïve_count integer"],
  ["Required: データ_count number", "データ_count integer"],
])("a name is taken whole, without the code it is dressed in: %s", (line, wanted) => {
  expect(askedIn(line)).toEqual([wanted]);
});

test.each([
  ["Evidence: `lag` decimal number, at most 2", "lag number, at most 2"],
  ["Evidence: `lag_count`, at most 2.5", "lag_count number, at most 2.5"],
  ["Evidence: `lag` number of seconds, below 0.5", "lag number, less than 0.5"],
  ["Evidence: `share` ratio", "share number"],
  ["Evidence: `lag` (integer), at most 2", "lag integer, at most 2"],
])("a fraction makes a number of what is counted: %s", (line, wanted) => {
  expect(askedIn(line)).toEqual([wanted]);
});

test.each([
  ["Required: `lock_path`, must exist", "lock_path string, the path of a file that exists"],
  ["Required: `out_dir` text, must exist", "out_dir string, the path of a folder that exists"],
  ['Required: `ver` string, must start with "v."', "ver string, a match of /^v\\./"],
  ["Required: `link` string starting with https://", "link string, a match of /^https:\\/\\//"],
  ["Required: `page` text ending in .md", "page string, a match of /\\.md$/"],
  ["Required: `state` must equal `done`", "state string, exactly done"],
  ["Required: `state` equals high", "state string, exactly high"],
  ['Required: `state`: "green"', "state string, exactly green"],
  ['Required: `answer` "yes" or "no"', "answer string, one of: yes, no"],
  ["Required: `risk`: low, medium or high", "risk string, one of: low, medium, high"],
  ["Required: `mode`: `fast` or `slow`", "mode string, one of: fast, slow"],
  ["Required: `share`: 80 percent or higher", "share number, at least 80"],
  ["Required: `title`: maximum length 10", "title string, at most 10 long"],
  ["Required: `flaky`: false", "flaky boolean, false"],
  ["Required: `bugs`: integer, none allowed", "bugs integer, exactly 0"],
  ["Required: `lines` (integer 10-200)", "lines integer, at least 10, at most 200"],
  ["Required: `tags`, a list of 1 to 5 names", "tags list, not empty, at most 5 long"],
  ["Required: `call_count` (number > 0)", "call_count integer, more than 0"],
  ["Required: `score`: 10.0/10", "score number, at least 10"],
])("a rule in words is kept: %s", (line, wanted) => {
  expect(askedIn(line)).toEqual([wanted]);
});

test.each([
  "Required: `reviewer`: name or email",
  "Required: `log`: text, must be the real output, not invented",
  "Required: `cmd`: `npm test`",
  "Required: `note` starting with a summary",
])("words that describe are no rule and close nothing: %s", (line) => {
  const { gate, unclear } = read(line);
  expect(gate.requirements.map(({ type, rules }) => [type, rules])).toEqual([["string", []]]);
  expect(unclear).toEqual([]);
});

test("an entry under words that ask is a field by its text, where it names none and does not just talk", () => {
  const text =
    "You must provide the following:\n\n- Docs are written\n  - in English\n- Function count\n- See the wiki\n- If in doubt, ask.\n";
  const { gate, nameless } = read(text);
  expect(asked(gate)).toEqual(["docs_are_written boolean", "function_count integer"]);
  expect(nameless.map(({ line }) => line)).toEqual([7]);
});

test.each([
  "Evidence: a screenshot",
  "You must provide evidence",
  "Required: read the **whole** file",
  "Checkpoint: **Do not** go on",
])("a line that asks and names nothing is reported: %s", (line) => {
  expect(read(line)).toMatchObject({ gate: { requirements: [] }, nameless: [{ line: 1 }] });
});

test.each(["Evidence: see the table below", "Required: yes", "Checkpoint: end of phase 1"])(
  "a remark asks for nothing: %s",
  (line) => {
    expect(read(line)).toMatchObject({ gate: { requirements: [] }, nameless: [] });
  },
);

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
  "Evidence: `n` (integer), must be divisible by 3",
  "Evidence: `names` list, must be unique",
  "Evidence: `coverage`: 80",
  "| Evidence | Type |\n|---|---|\n| `n` | colour |",
  "| Evidence | Type | Required |\n|---|---|---|\n| `n` | integer | perhaps |",
])("what cannot be understood is said, with its line: %s", (text) => {
  expect(read(text).unclear.length).toBeGreaterThan(0);
});

test("one field that is asked for as two kinds of thing is reported", () => {
  const { gate, differing, unclear } = read("Must provide `dup` number\n\nMust provide `dup` collection");
  expect(asked(gate)).toEqual(["dup integer"]);
  expect(unclear).toEqual([]);
  expect(differing).toEqual([{ line: 3, message: "dup is asked for as list here and as integer on line 1" }]);
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

test.each([
  "`alpha_text` (string), along with `beta_list` (list, at least 3).",
  "`alpha_text` together with `beta_list` (list, at least 3).",
  "`alpha_text` as well as `beta_list` (list, at least 3).",
  "`alpha_text` (string) plus `beta_list` (list, at least 3).",
  "`alpha_text` in addition to a `beta_list` (list, at least 3).",
  "`alpha_text`: a text. It is accompanied by `beta_list` (list, at least 3).",
  "the words `alpha_text` (string); their names `beta_list` (list, at least 3)",
  "`alpha_text`, a text, together with\n`beta_list`, a list of at least three entries.",
])("a second field has its own words, however it is joined: %s", (said) => {
  expect(askedIn(`Must provide ${said}`)).toEqual(["alpha_text string", "beta_list list, at least 3 long"]);
});

test("a field that comes up again is told more of", () => {
  expect(askedIn("Must provide `a_count` and `b_count`; `b_count` must be at least 3.")).toEqual([
    "a_count integer",
    "b_count integer, at least 3",
  ]);
});

test("what is inside of a field is no field, and a name that stays unread is reported", () => {
  expect(askedIn("Must provide `findings` (list), each with `id` (integer) and `name` (string).")).toEqual([
    "findings list",
  ]);
  const { gate, nameless } = read("Must provide `a_count`. The `b_module` comes next.");
  expect(asked(gate)).toEqual(["a_count integer"]);
  expect(nameless).toHaveLength(1);
});

test.each([
  "Evidence:\n\n`alpha_count`\n: number\n\n`beta`\n: list\n",
  "Evidence:\n\nalpha_count\n: number\nbeta\n: list\n",
  "Required:\nalpha_count: int\nbeta: list\n",
  "Required:\n    alpha_count: int\n    beta: list\n",
  "Required:\n\n    alpha_count: int\n    beta: list\n",
  "### Evidence required\n\n```yaml\nalpha_count: integer\nbeta: list\n```\n",
  "### Evidence required\n\n- alpha_count: integer\n- beta: list\n",
  "### Evidence required\n\n#### `alpha_count`\n\n- Type: integer\n\n#### `beta`\n\nType: list\n",
])("names with their types are entries, however they are laid out: %s", (text) => {
  expect(askedIn(text)).toEqual(["alpha_count integer", "beta list"]);
});

test("what stands below a field is said of it", () => {
  const text = [
    "### Evidence required\n",
    "- `severity`\n  - type: string\n  - allowed values: SEV1, SEV2\n  - description: how bad it is",
    "- `services`\n  - Type: list\n  - min items: 1",
    "- `notes`\n  - type: string\n  - required: no",
    "- `size`\n  - **Type**: integer\n  - **Validation**: must be > 0",
    "- `version`\n  - type: string\n  - pattern: `^v\\d+$`\n  - example: v1",
    "- `level`\n  - allowed values:\n    - low\n    - high",
  ].join("\n");
  const { gate, unclear } = read(text);
  expect(asked(gate)).toEqual([
    "severity string, one of: SEV1, SEV2",
    "services list, not empty",
    "notes string, optional",
    "size integer, more than 0",
    "version string, a match of /^v\\d+$/",
    "level string, one of: low, high",
  ]);
  expect(unclear).toEqual([]);
});

test.each(["type: banana", "frobnicate: high", "min items: some", "must be prime"])(
  "what stands below a field and is not understood closes: %s",
  (said) => {
    expect(read(`Must provide:\n\n- \`a_list\`\n  - ${said}\n`).unclear).toHaveLength(1);
  },
);

test("a list under Optional is optional, and not left out", () => {
  const text = "Must provide:\n\n- `a_count`: integer\n\nOptional:\n\n- `b_text`: string\n";
  expect(askedIn(text)).toEqual(["a_count integer", "b_text string, optional"]);
});

test("in a gate data that is not read is reported, and HTML closes", () => {
  const json = '### Evidence required\n\n```json\n{ "a_count": 1, "b_text": "x" }\n```\n\n- `a_count`: integer\n';
  expect(read(json).differing).toEqual([{ line: 3, message: "b_text is shown as evidence and not asked for" }]);
  expect(read("### Gate\n\n```yaml\na:\n  type: integer\n```\n\n- [ ] Done\n").unclear).toHaveLength(1);
  expect(read("### Gate\n\n<ul><li>Alpha done</li></ul>\n\n- [ ] Done\n").unclear).toHaveLength(1);
  const folded =
    "<details>\n<summary>Validation Gate</summary>\n\n- [ ] Alpha done\n\n</details>\n\n- [ ] Not at a gate\n";
  expect(askedIn(folded)).toEqual(["alpha_done boolean"]);
});

test("beside an entry that asks, one that states a name and its type asks as well", () => {
  const text =
    "- Must provide `a_count`: integer\n- Submit `b_list` (list)\n- `c_text` (string) — mandatory\n- `d_flag` must be provided (boolean)\n- Also provide `e_text`\n- Read `f_file`\n- `git_diff`: shows what changed\n";
  expect(askedIn(text)).toEqual(["a_count integer", "b_list list", "c_text string", "d_flag boolean", "e_text string"]);
});

test.each([
  ["`confidence`: number between 0 and 1", "confidence number, at least 0, at most 1"],
  ["`score` (a number from 0 to 1)", "score number, at least 0, at most 1"],
  ["`retry_count`: number between 0 and 1", "retry_count integer, at least 0, at most 1"],
  ["**steps**: list of steps to reproduce", "steps list"],
  ["**notes**: text", "notes string"],
])("between 0 and 1 is a fraction unless it counts; a label is a name where it is asked for: %s", (said, wanted) => {
  expect(askedIn(`Must provide ${said}`)).toEqual([wanted]);
});

test("a name in brackets after a bold label is the name", () => {
  const entries = ["**Duration** (`duration_min`): minutes, not more than 60", "**Owner** (`owner_name`): who"];
  expect(askedIn(`Evidence required to pass:\n\n${entries.map((entry) => `* ${entry}`).join("\n")}`)).toEqual([
    "duration_min integer, at most 60",
    "owner_name string",
  ]);
});
