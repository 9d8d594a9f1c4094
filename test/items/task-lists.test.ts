import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readTaskList } from "../../src/definitions/items/read-task-list.ts";
import { callPhase, emptyProject, type PhaseResult } from "../phased.ts";
import { wholeOr } from "../whole.ts";
import { openWindow } from "../window.ts";

const dialects = ["spec-kit", "openspec", "kiro", "superpowers", "ccpm"];

type Counted = {
  readonly ids: readonly string[];
  readonly files: readonly { readonly name: string; readonly text: string }[];
};

/** The lists of one dialect, each with the ids that its author counted. */
function listsOf(dialect: string): readonly Counted[] {
  const text = readFileSync(join(import.meta.dirname, "../task-lists", `${dialect}.txt`), "utf8");
  const parts = text.split(/^======== (\d+): (.*)\n/m).slice(1);
  return Array.from({ length: parts.length / 3 }, (_, at) => {
    const [count, named = "", list = ""] = parts.slice(at * 3, at * 3 + 3);
    const ids = named.split(" ");
    expect(ids.length).toBe(Number(count));
    const pieces = list.split(/^-------- (.*)\n/m).slice(1);
    const files = Array.from({ length: pieces.length / 2 }, (_, one) => ({
      name: pieces[one * 2] ?? "",
      text: pieces[one * 2 + 1] ?? "",
    }));
    return { ids, files: files.length === 0 ? [{ name: "", text: list }] : files };
  });
}

describe.each(dialects)("the task lists of %s", (dialect) => {
  const lists = listsOf(dialect);

  test("are 24, and the reader finds the tasks that were counted by hand, in order", () => {
    expect(lists.length).toBe(24);
    for (const [at, { ids, files }] of lists.entries()) {
      const read = readTaskList(files);
      expect("tasks" in read ? read.tasks.map(({ id }) => id) : read, `list ${at + 1}`).toEqual(ids);
      // a task in a comment of the template, or in an example, is not read, but named
      const outside = files
        .map(({ text }) => text.replaceAll(/<!--[\s\S]*?-->|^(```|~~~)[\s\S]*?^\1/gm, ""))
        .join("\n");
      const named = "unread" in read ? read.unread.filter(({ text }) => outside.includes(text)) : undefined;
      expect(named, `list ${at + 1}`).toEqual([]);
      const { tasks } = read as Extract<typeof read, { tasks: unknown }>;
      for (const { id, dependsOn } of tasks)
        expect(
          dependsOn.every((one) => ids.includes(one)),
          `list ${at + 1}, ${id}: ${dependsOn}`,
        ).toBe(true);
    }
  });

  test("all start a workflow that takes its phases from a task list", async () => {
    for (const [at, { files }] of lists.entries()) {
      if (at % wholeOr(1, 4) !== 0) continue;
      const project = emptyProject();
      project.write(".waymark/workflows/w/metadata.json", { title: "W", dynamic: true });
      for (const { name, text } of files) project.write(name === "" ? "list/tasks.md" : `list/${name}`, text);
      const window = await openWindow(project.root);
      const args = { workflow_type: "w", options: { tasks: "list" } };
      const started = (await callPhase(window, "start_workflow", args)) as PhaseResult & { items?: { total: number } };
      expect([started.error, started.message], `list ${at + 1}`).toEqual([undefined, undefined]);
      if (started.items !== undefined) expect(started.items.total, `list ${at + 1}`).toBe(lists[at]?.ids.length);
      await window.close();
    }
  });
});

test.each([
  ["a commented-out task", "- [ ] 1. One\n<!-- - [ ] 2. Two -->\n", ["1"], 0],
  ["a task without a box", "- [ ] T001 One\n- T002 Two\n", ["T001"], 1],
  ["boxes without numbers", "- [ ] Write docs\n- [ ] Add tests\n", ["write-docs", "add-tests"], 0],
  ["steps below a numbered task", "- [ ] 1. One\n  - [ ] a step\n", ["1"], 0],
  ["one number twice", "- [ ] 1.1 One\n- [ ] 1.1 Two\n", ["1.1", "1.1~2"], 0],
  ["a list in a quote", "> - [ ] T001 One\n", ["T001"], 0],
  ["windows line ends", "- [ ] T001 One\r\n- [ ] T002 Two\r\n", ["T001", "T002"], 0],
  [
    "a box outside the tasks of a plan",
    "### Task 1: One\n\n- [ ] **Step 1: x**\n\n## Checklist\n\n- [ ] all pass\n",
    ["1"],
    1,
  ],
  ["a box without a space", "- [ ] 1.1 One\n- [ ]1.2 Two\n", ["1.1"], 1],
  [
    "a row of a table",
    "- [ ] T001 One\n\n| Task | Title |\n|---|---|\n| T002 | Two |\n| [ ] T003 | Three |\n",
    ["T001"],
    2,
  ],
  ["a drawn box", "- [ ] T001 One\n- ☐ Two\n☐ T003 Three\n", ["T001"], 2],
  ["a box in HTML", '- [ ] 1. One\n<li><input type="checkbox"> 2. Two</li>\n', ["1"], 1],
  ["a box with a long dash", "– [ ] T001 One\n- [ ] T003 Three\n", ["T003"], 1],
  ["a box in a heading", "- [ ] 1. One\n\n## [ ] 2. Two\n", ["1"], 1],
  ["a numbered heading without boxes", "## 1. Build\n\n- [ ] 1.1 One\n\n### 1.2 Two\n", ["1.1"], 1],
  ["a task of a plan in bold", "### Task 1: One\n\n**Task 2: Two**\n\n- [ ] **Step 1: y**\n", ["1"], 1],
  ["a task of a plan in a list", "### Task 1: One\n\n- Task 2: Two\nTask 3 - Three\n", ["1"], 2],
  ["a task of a plan without a number", "### Task: One\n\n### Task 2: Two\n\n### Task B: Three\n", ["2"], 2],
  ["a numbered box after the tasks of a plan", "### Task 1: One\n\nDo.\n\n## After\n\n- [ ] 1. Ship\n", ["1"], 1],
  ["what a task says of another one", "### Task 1: One\n\nTask 2: waits for it.\n\n### Task 2: Two\n", ["1", "2"], 0],
])("%s is read or named", (_, text, ids, unread) => {
  const read = readTaskList([{ name: "", text }]);
  expect("tasks" in read ? [read.tasks.map(({ id }) => id), read.unread.length] : read).toEqual([ids, unread]);
});

test("[P] does not wait for its neighbours, other tasks wait for the one before, Kiro's names count", () => {
  const after = (text: string): Record<string, readonly string[]> => {
    const read = readTaskList([{ name: "", text }]);
    return "tasks" in read ? Object.fromEntries(read.tasks.map(({ id, dependsOn }) => [id, dependsOn])) : {};
  };
  expect(after("- [ ] T001 a\n- [ ] T002 [P] b\n- [ ] T003 [P] c\n- [ ] T004 d\n")).toEqual({
    T001: [],
    T002: ["T001"],
    T003: ["T001"],
    T004: ["T002", "T003"],
  });
  expect(
    after("- [ ] 1. a\n- [ ] 1.1 b\n- [ ] 1.2 c\n- [ ] 2. d\n  - _Depends: 1_\n- [ ] 3. e\n  - _Depends: 2_\n"),
  ).toEqual({
    "1.1": [],
    "1.2": ["1.1"],
    "2": ["1.1", "1.2"],
    "3": ["2"],
  });
});

test("phase_number 1-N beside dynamic_phases names the phases of the list", async () => {
  const project = emptyProject();
  const phases = [
    { phase_number: 0, phase_name: "Plan" },
    { phase_number: "1-N", phase_name: "Build" },
  ];
  project.write(".waymark/workflows/w/metadata.json", { title: "W", dynamic_phases: true, phases });
  project.write(".waymark/workflows/w/phases/0/phase.md", "# Phase 0: Plan\n\n- [ ] `planned`: it is planned\n");
  project.write("tasks.md", "## Phase 1: Setup\n\n- [ ] T001 One\n\n## Phase N: Polish\n\n- [ ] T002 Two\n");
  const window = await openWindow(project.root);
  const started = await callPhase(window, "start_workflow", { workflow_type: "w", options: { tasks: "tasks.md" } });
  expect(started).toMatchObject({ current_phase: 0, total_phases: 3 });
});
