import { dirname } from "node:path";
import { expect, test } from "vitest";
import { writeDefinitions } from "../../bots/write-definitions.testing.ts";
import { asked } from "../demands/asked.testing.ts";
import { phasedFiles } from "../phased-files.testing.ts";

/** The requirements of the phases of a task list. */
async function askedBy(tasks: string): Promise<readonly (readonly string[])[]> {
  const definitions = writeDefinitions({ "workflows/w/metadata.json": { dynamic: true }, "../tasks.md": tasks });
  const reading = await phasedFiles({ definitions, projectArea: dirname(definitions) }).read("w", {
    tasks: "tasks.md",
  });
  if (!("workflow" in reading)) throw new Error(JSON.stringify(reading));
  return reading.workflow.phases.map(({ gate }) => asked(gate));
}

test("a task without criteria asks to be done, task 0 of phase 0 too, also beside tasks that have criteria", async () => {
  const text =
    "## Phase 0: A\n\n### Task 0.0: Zero\n\nDo it.\n\n### Task 0.1: One\n\n**Acceptance Criteria:**\n- [ ] it works\n";
  expect(await askedBy(text)).toEqual([["task_0_0_completed boolean", "it_works boolean"]]);
});

test.each(["**Acceptance Criteria**", "Acceptance criteria", "Acceptance Criteria:", "#### Acceptance criteria"])(
  "criteria stand under %s, as boxes or as a plain list",
  async (label) => {
    for (const mark of ["- [ ]", "-"]) {
      const text = `## Phase 1: A\n\n### Task 1.1: Do it\n\n${label}\n\n${mark} it works\n${mark} \`hits\`: at least 3\n`;
      expect(await askedBy(text), mark).toEqual([["it_works boolean", "hits number, at least 3"]]);
    }
  },
);

test("boxes below a task are its criteria without any label", async () => {
  const text = "## Phase 1: A\n\n- **Task 1.1** — Do it\n  - [ ] one\n  - [ ] two\n- **Task 1.2** — Do more\n";
  expect(await askedBy(text)).toEqual([["one boolean", "two boolean", "task_1_2_completed boolean"]]);
});

test("a phase's own gate comes on top of its tasks", async () => {
  const text =
    "## Phase 1: A\n\n- [ ] **Task 1.1**: Write queries\n- [ ] 1.2 Run them (`runs_done`)\n\n### Validation Gate\n\n- [ ] All green\n";
  expect(await askedBy(text)).toEqual([["task_1_1_completed boolean", "runs_done boolean", "all_green boolean"]]);
});

test("what one task proves does not prove another that says the same", async () => {
  const task = (number: string): string => `### Task ${number}: X\n\n**Acceptance Criteria:**\n- [ ] it works\n`;
  expect(await askedBy(`## Phase 1: A\n\n${task("1.1")}\n${task("1.2")}`)).toEqual([
    ["it_works boolean", "task_1_2_it_works boolean"],
  ]);
});

test("a task's own sentence proves it", async () => {
  expect(await askedBy("## Phase 1: A\n\n### Task 1.1: X\n\nMust provide `rows` number\n")).toEqual([["rows number"]]);
});

test("why a task list is not taken is said as a clause, without a full stop", async () => {
  const definitions = writeDefinitions({ "workflows/w/metadata.json": { dynamic: true } });
  const reading = await phasedFiles({ definitions, projectArea: dirname(definitions) }).read("w", {});
  expect(reading).toMatchObject({ invalidOptions: expect.stringMatching(/^the workflow takes .*[^.]$/) });
});

test("phases are headings of one level: what other sections say of phases begins none", async () => {
  const text =
    "# Tasks\n\n## Overview\n\n### Phase 1: A\n\n## Phase 1: A\n\n- [ ] 1.1 One\n\n## Phase 2: B\n\n- [ ] 2.1 Two\n\n" +
    "## Dependencies\n\n### Phase 1 → Phase 2\n\nFirst.\n\n## Acceptance Criteria Summary\n\n### Phase 1\n\n- [ ] again\n";
  expect(await askedBy(text)).toEqual([["1_1_one boolean"], ["2_1_two boolean"]]);
});

test("every box of a phase is a task, numbered as spec-kit does or not at all", async () => {
  const text =
    "## Phase 1: Setup\n\n- [ ] T001 Create it\n- [ ] T002 [P] [US1] Configure linting\n\n### Notes\n\n- [ ] a thought\n\n" +
    "## Phase 2: More\n\n- [ ] Write docs\n- Group\n  - [ ] T003 Ship it\n";
  expect(await askedBy(text)).toEqual([
    ["t001_create_it boolean", "t002_configure_linting boolean"],
    ["write_docs boolean", "t003_ship_it boolean"],
  ]);
});

test("a box with boxes below it is asked for with them, and a criterion needs no list", async () => {
  const text = "## Phase 1: A\n\n- [ ] 1.1 Print\n  - [ ] 1.1.1 Loops\n\n## Phase 2: B\n\n### 2.1 Go\n\n";
  expect(await askedBy(`${text}Acceptance criteria: all endpoints answer\n`)).toEqual([
    ["1_1_print boolean", "1_1_1_loops boolean"],
    ["all_endpoints_answer boolean"],
  ]);
});

test("a box about an approval asks a person, inside a task or outside", async () => {
  for (const place of ["", "### Task 1.1: Do it\n\n", "### Task 1.1: Do it\n\n**Acceptance Criteria:**\n\n"]) {
    const tasks = `## Phase 1: A\n\n${place}- [ ] it works\n- [ ] Dana approved the list\n`;
    const definitions = writeDefinitions({ "workflows/w/metadata.json": { dynamic: true }, "../tasks.md": tasks });
    const reading = await phasedFiles({ definitions, projectArea: dirname(definitions) }).read("w", {
      tasks: "tasks.md",
    });
    if (!("workflow" in reading)) throw new Error(JSON.stringify(reading));
    expect(reading.workflow.phases.map(({ gate }) => [gate.approval, asked(gate)])).toEqual([
      [true, ["it_works boolean"]],
    ]);
  }
});
