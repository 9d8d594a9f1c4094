import { dirname } from "node:path";
import { expect, test } from "vitest";
import type { Gate } from "../../../gates/gate.ts";
import { describeRule } from "../../../gates/rule-vocabulary.ts";
import { writeDefinitions } from "../../bots/write-definitions.testing.ts";
import { tasksByPhase } from "../../items/tasks-by-phase.ts";
import { phasedFiles } from "../phased-files.testing.ts";

/** The items and requirements of the phases of a task list. */
async function askedBy(tasks: string): Promise<readonly (readonly string[])[]> {
  const definitions = writeDefinitions({ "workflows/w/metadata.json": { dynamic: true }, "../tasks.md": tasks });
  const reading = await phasedFiles({ definitions, projectArea: dirname(definitions) }).read("w", {
    tasks: "tasks.md",
  });
  if (!("workflow" in reading)) throw new Error(JSON.stringify(reading));
  return reading.workflow.phases.map(({ number, gate }) => {
    const read = gate.routing?.calls === undefined ? undefined : tasksByPhase(tasks).get(number);
    const items = read?.tasks.map(({ id }) => `item ${id}`) ?? [];
    return [...items, ...rulesOf(gate)];
  });
}

test("a task without criteria asks to be done, task 0 of phase 0 too, also beside tasks that have criteria", async () => {
  const text =
    "## Phase 0: A\n\n### Task 0.0: Zero\n\nDo it.\n\n### Task 0.1: One\n\n**Acceptance Criteria:**\n- [ ] it works\n";
  expect(await askedBy(text)).toEqual([["it_works", "task_0_0_completed"]]);
});

test.each(["**Acceptance Criteria**", "Acceptance criteria", "Acceptance Criteria:", "#### Acceptance criteria"])(
  "criteria are under %s, as boxes or as a plain list",
  async (label) => {
    for (const mark of ["- [ ]", "-"]) {
      const text = `## Phase 1: A\n\n### Task 1.1: Do it\n\n${label}\n\n${mark} it works\n${mark} \`hits\`: at least 3\n`;
      expect(await askedBy(text), mark).toEqual([["it_works", "hits at least 3"]]);
    }
  },
);

test("boxes below a task are its criteria without any label", async () => {
  const text = "## Phase 1: A\n\n- **Task 1.1** — Do it\n  - [ ] one\n  - [ ] two\n- **Task 1.2** — Do more\n";
  expect(await askedBy(text)).toEqual([["one", "two", "task_1_2_completed"]]);
});

test("what one task proves does not prove another that says the same", async () => {
  const task = (number: string): string => `### Task ${number}: X\n\n**Acceptance Criteria:**\n- [ ] it works\n`;
  expect(await askedBy(`## Phase 1: A\n\n${task("1.1")}\n${task("1.2")}`)).toEqual([["it_works", "it_works_2"]]);
});

test("why a task list is not taken is said as a clause, without a full stop", async () => {
  const definitions = writeDefinitions({ "workflows/w/metadata.json": { dynamic: true } });
  const reading = await phasedFiles({ definitions, projectArea: dirname(definitions) }).read("w", {});
  expect(reading).toMatchObject({ invalidOptions: expect.stringMatching(/^the workflow takes .*[^.]$/) });
});

test("phases are headings of one level: what other sections say of phases begins none", async () => {
  const text =
    "# Tasks\n\n## Overview\n\n### Phase 1: A\n\n## Phase 1: A\n\n- [ ] 1.1 One\n\n## Phase 2: B\n\n- [ ] 2.1 Two\n\n" +
    "## Dependencies\n\n### Phase 1 → Phase 2\n\nFirst.\n";
  expect(await askedBy(text)).toEqual([["item 1.1"], ["item 2.1"]]);
});

test("every box of a phase is an item, numbered as spec-kit does or not at all", async () => {
  const text =
    "## Phase 1: Setup\n\n- [ ] T001 Create it\n- [ ] T002 [P] [US1] Configure linting\n- Group\n  - [ ] T003 Ship it\n";
  expect(await askedBy(text)).toEqual([["item T001", "item T002", "item T003"]]);
});

test("a phase asks for what is not a task beside its items", async () => {
  const text = "## Phase 1: A\n\n- [ ] T001 One\n- [ ] T002 Two\n\n**Checkpoint**: the shop opens\n";
  expect(await askedBy(text)).toEqual([["item T001", "item T002", "the_shop_opens"]]);
  expect(await askedBy("## Phase 1: A\n\n- [ ] T001 One\n\n## Phase 2: B\n\nLook.\n")).toEqual([
    ["item T001"],
    ["summary"],
  ]);
});

test("a phase with a box that is a field, or with a task that is not read, keeps its gate", async () => {
  const field = "## Phase 1: A\n\n- [ ] One\n- [ ] `hits`: at least 3\n";
  expect(await askedBy(field)).toEqual([["one", "hits at least 3"]]);
  const unread = "## Phase 1: A\n\n- [ ] 1.1 One\n- 1.2 Two\n";
  expect((await askedBy(unread))[0]).toContain("1_1_one");
});

test.each(["### Validation gate\n\n", "**Validation gate:**\n\n", "---\n\n**Success criteria**\n\n"])(
  "boxes of a gate are no tasks: %j",
  async (head) => {
    const gate = `${head}- [ ] all is green\n- [ ] \`errors\`: exactly 0\n`;
    const asked = ["all_is_green", "errors exactly 0"];
    for (const [tasks, items] of [
      ["- [ ] 1.1 One\n- [ ] 1.2 Two", ["item 1.1", "item 1.2"]],
      ["- [ ] Build it\n- [ ] Paint it", ["item build-it", "item paint-it"]],
    ] as const)
      expect(await askedBy(`## Phase 1: A\n\n${tasks}\n\n${gate}`)).toEqual([[...items, ...asked]]);
    const far = `## Phase 1: A\n\n- [ ] 1.1 One\n\n## Phase 2: B\n\n- [ ] Two\n\n## Gates\n\n### Phase 1 Validation Gate\n\n- [ ] ok\n`;
    expect(await askedBy(far)).toEqual([["item 1.1", "ok"], ["item two"]]);
  },
);

test("a task shows nothing of another phase's gate inside it", async () => {
  const text =
    "## Phase 1: A\n\n### Task 1.1: One\n\nDo it.\n\n#### Phase 2 Validation Gate\n\n- [ ] secret\n\n## Phase 2: B\n\n### Task 2.1: Two\n";
  expect(await askedBy(text)).toEqual([["item 1.1"], ["item 2.1", "secret"]]);
  expect(
    tasksByPhase(text)
      .get(1)
      ?.tasks.map((task) => task.text),
  ).toEqual(["### Task 1.1: One\n\nDo it."]);
});

test("boxes of a gate are asked for once, and no task waits for them", () => {
  const text = "## Phase 1: A\n\n- [ ] 1.1 One\n- [ ] it stands\n- [ ] 1.2 Two\n";
  const tasks = tasksByPhase(text).get(1)?.tasks ?? [];
  expect(tasks.map(({ id, dependsOn }) => [id, dependsOn])).toEqual([
    ["1.1", []],
    ["1.2", ["1.1"]],
  ]);
});

test.each([
  ["- [ ] T001 Build it\n  - acceptance: `height`: at least 3", "height"],
  ["- [ ] T001 Build it\n  - Acceptance criteria: it is red", "it_is_red"],
  ["- [ ] 1.1 Must provide `log`: file", "log"],
  ["- [ ] 1.1 `coverage`: at least 80", "coverage"],
])("what a task asks for in its own words stays asked for: %j", async (task, field) => {
  const [asked = []] = await askedBy(`## Phase 1: A\n\n${task}\n- [ ] 1.2 Rest\n`);
  expect(asked.map((one) => one.split(" ")[0])).toContain(field);
});

test("a name in the words of a task is no field, and a parent is settled by its children", async () => {
  const text = "## Phase 1: A\n\n- [ ] 1. Base\n  - [ ] 1.1 Create `user_table` in `src/db.ts`\n  - [ ] 1.2 Rest\n";
  expect(await askedBy(text)).toEqual([["item 1.1", "item 1.2"]]);
});

test("a summary that the author asks for is asked for beside tasks and items", async () => {
  const asked = "Must provide `summary`: text, at least 40 characters\n";
  expect(await askedBy(`## Phase 1: A\n\n- [ ] 1.1 One\n\n${asked}`)).toEqual([
    ["item 1.1", "summary at least 40 long"],
  ]);
  const gate = "```yaml gate\nevidence_schema:\n  summary: { type: string }\n```\n";
  expect(await askedBy(`## Phase 1: A\n\n- [ ] 1.1 One\n\n${gate}`)).toEqual([["item 1.1", "summary"]]);
  expect(await askedBy(`## Phase 1: A\n\n### Task 1.1: One\n\n### Task 1.2: Two\n\n- [ ] ok\n\n${asked}`)).toEqual([
    ["ok", "summary at least 40 long", "task_1_1_completed"],
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
    expect(reading.workflow.phases.map(({ gate }) => [gate.approval, rulesOf(gate)])).toEqual([[true, ["it_works"]]]);
  }
});

/** The fields of a gate with their rules. */
function rulesOf({ requirements }: Gate): string[] {
  return requirements.map(({ field, rules }) => [field, ...rules.map(describeRule)].join(" "));
}
