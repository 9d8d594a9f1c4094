import { expect, test } from "vitest";
import { asked, askedIn, readGate } from "./asked.testing.ts";

const gate = (...boxes: readonly string[]): string =>
  `## Validation Gate\n\n${boxes.map((box) => `- [ ] ${box}\n`).join("")}`;

test.each([
  ["float ≥ 99.5", "number, at least 99.5"],
  ["decimal number, at most 2.5", "number, at most 2.5"],
  ["score from 0.0 to 1.0", "number, at least 0, at most 1"],
  ["must be 0", "integer, exactly 0"],
  ["== 0", "integer, exactly 0"],
  ["zero errors", "integer, exactly 0"],
  ["minimum of 3", "integer, at least 3"],
  ["min 3", "integer, at least 3"],
  ["3 or more", "integer, at least 3"],
  ["no fewer than 4", "integer, at least 4"],
  ["greater than or equal to 4", "integer, at least 4"],
  ["non-zero", "integer, more than 0"],
  ["no more than 5", "integer, at most 5"],
  ["up to 5", "integer, at most 5"],
  ["1-10", "integer, at least 1, at most 10"],
  ["less than or equal to 2.0", "number, at most 2"],
  ["max 10 characters", "string, at most 10 long"],
  ["80% or more", "number, at least 80"],
  ["80%", "number, at least 80"],
  ["coverage percent, at least 80", "number, at least 80"],
  ["non-empty list", "list, not empty"],
  ["optional list", "list, optional"],
  ["one of low, high", "string, one of: low, high"],
  ["file must exist", "string, the path of a file that exists"],
  ["directory must exist", "string, the path of a folder that exists"],
  ["text", "string"],
  ["number of tests", "integer"],
  ["version string", "string"],
  ["map of name to count", "object"],
  ["how many tests ran", "integer"],
  ["must be false", "boolean, false"],
  ["false", "boolean, false"],
])("a named box is read by the words of sentences, however they are set off: %s", (words, wanted) => {
  const boxes = [`\`f\`: ${words}`, `\`f\` - ${words}`, `\`f\` ${words}`, `\`f\` (${words})`, `**f**: ${words}`];
  for (const box of boxes) expect(askedIn(gate(box)), box).toEqual([`f ${wanted}`]);
  expect(askedIn(`Must provide \`f\`: ${words}`)).toEqual([`f ${wanted}`]);
});

test.each([
  ["Number of tests run (`q_tests`) is at least 10", "q_tests integer, at least 10"],
  ["At least 10 tests in `r_tests`", "r_tests integer, at least 10"],
  ["Run `npm test` and paste its output as `test_output`", "test_output string"],
  ["**files_listed**: list of files, at least 2", "files_listed list, at least 2 long"],
  ["files_seen: list of files, at least 2", "files_seen list, at least 2 long"],
  ["**Files listed**: at least 2", "files_listed_at_least_2 boolean"],
])("a box's name stands first or last, in backticks or as an identifier: %s", (box, wanted) => {
  expect(askedIn(gate(box))).toEqual([wanted]);
});

test.each([
  "`done`",
  "`docs_updated`: README and command list updated",
  "`output_reviewed`: output checked by a person",
  "`load_tested`: load test ran with at least 100 users",
  "`migration_safe`: no more than one lock is taken at a time",
  "`no_todo`: zero TODO comments left",
  "`lint` command passes without warnings",
  "All `public_functions` have at least 1 test",
  "`risk`: accepted by the owner",
])("a box that says that something is so is a yes: %s", (box) => {
  const { gate: read, unclear } = readGate(gate(box));
  expect(read.requirements.map(({ type, rules }) => [type, rules])).toEqual([["boolean", []]]);
  expect(unclear).toEqual([]);
});

test("a box may ask for several fields at once", () => {
  expect(askedIn(gate("`a_count` and `b_count` recorded, at least 1 each"))).toEqual([
    "a_count integer, at least 1",
    "b_count integer, at least 1",
  ]);
});

test("a box that only names a field yields to the place that tells its type", () => {
  const { gate: read, differing } = readGate(`Must provide \`size\` number\n\n${gate("`size`")}`);
  expect(asked(read)).toEqual(["size integer"]);
  expect(differing).toEqual([]);
});

test.each(["Validation", "Verification", "✅ Checklist", "Definition of done", "Exit criteria", "Success criteria"])(
  "boxes under %s are a gate where the phase has no other",
  (heading) => {
    expect(askedIn(`# Phase 1: A\n\n### ${heading}\n\n- [ ] All green\n`)).toEqual(["all_green boolean"]);
  },
);

test("beside a gate, boxes under a lesser heading ask for nothing, and that is reported", () => {
  const { gate: read, differing } = readGate(`### Checklist\n\n- [ ] Tidy up\n\n${gate("All green")}`);
  expect(asked(read)).toEqual(["all_green boolean"]);
  expect(differing.map(({ line }) => line)).toEqual([3]);
});

test("a label counts right after a list, too, without a blank line", () => {
  expect(askedIn("- Read it\n- Do it\n**Validation Gate**\n- [ ] All green\n")).toEqual(["all_green boolean"]);
});

test("the title of a phase is not its gate", () => {
  expect(askedIn("# Validation\n\n- [ ] Read it\n")).toEqual([]);
});

test.each(["☐", "☑", "✅", "- ☐", "[ ]", "[x]", "-[ ]", "- []", "* [ ]", "1. [ ]", "•", "-", "1."])(
  "under a gate's heading an entry is a demand by any mark: %s",
  (mark) => {
    const text = `### Validation Gate\n\n${mark} Build uploaded\n${mark} \`build_number\` recorded (integer)\n`;
    expect(askedIn(text)).toEqual(["build_uploaded boolean", "build_number integer"]);
  },
);

test("under a gate's heading plain entries are demands; remarks, links and details of a box are none", () => {
  const text =
    "### Exit criteria\n\n- All callers were read\n- See [the wiki](x)\n- Note: be nice\n- Security:\n  - no secrets\n- [ ] CI green\n  - run it twice\n- ~~Old one~~\n\n#### Common mistakes\n\n- Forgetting it\n\n**If it fails:**\n\n- Go back\n";
  expect(askedIn(text)).toEqual(["all_callers_were_read boolean", "no_secrets boolean", "ci_green boolean"]);
});

test.each([
  ["**Dependencies listed** — `dependencies` (array, min 1)", ["dependencies list, not empty"]],
  ["Coverage measured → `coverage` ≥ 80", ["coverage integer, at least 80"]],
  ["Dependencies listed (`deps`)", ["deps boolean"]],
  [
    "`tests_run` and `tests_failed` recorded, `tests_failed` = 0",
    ["tests_run boolean", "tests_failed integer, exactly 0"],
  ],
  ["`a_count` (integer) and `b_list` (list, at least 2)", ["a_count integer", "b_list list, at least 2 long"]],
  ["Counts: `m_count` > 0, `n_count` > 1", ["m_count integer, more than 0", "n_count integer, more than 1"]],
  ["Run `jest` until green", ["run_jest_until_green boolean"]],
  ["On branch `main`", ["on_branch_main boolean"]],
  ["State is `green`", ["state_is_green boolean"]],
])(
  "a box's names in backticks are its fields wherever they stand, unless they are a tool, a place or a value: %s",
  (box, wanted) => {
    expect(askedIn(gate(box))).toEqual(wanted);
  },
);

test("two boxes that end in the same word are two demands", () => {
  expect(askedIn(gate("Tests added for `parser_core`", "Docs added for `parser_core`"))).toHaveLength(2);
});
