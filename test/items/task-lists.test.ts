import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { writeDefinitions } from "../../src/definitions/bots/write-definitions.testing.ts";
import { readTaskList, tasksByPhase } from "../../src/definitions/items/tasks-by-phase.ts";
import { phasedFiles } from "../../src/definitions/phases/phased-files.testing.ts";
import { runCli } from "../command-line.ts";
import { callPhase, emptyProject } from "../phased.ts";
import { wholeOr } from "../whole.ts";
import { openWindow } from "../window.ts";
import { call } from "./item-calls.ts";

const dialects = ["spec-kit", "openspec", "kiro", "superpowers", "ccpm"];

const phasesThatAsk: Readonly<Record<string, readonly string[]>> = {
  "spec-kit": ["list 9, phase 2", "list 12, phase 5", "list 15, phase 3", "list 21, phase 2"],
  openspec: ["list 13, phase 2", "list 24, phase 3"],
};

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

  test("a workflow that takes its phases from them has each task as an item, once, with few exceptions", async () => {
    const definitions = writeDefinitions({ "workflows/w/metadata.json": { title: "W", dynamic: true } });
    const projectArea = dirname(definitions);
    const asking: string[] = [];
    for (const [at, { ids, files }] of lists.entries()) {
      const folder = join(projectArea, `list-${at}`);
      mkdirSync(folder);
      for (const { name, text } of files) writeFileSync(join(folder, name || "tasks.md"), text);
      const reading = await phasedFiles({ definitions, projectArea }).read("w", { tasks: `list-${at}` });
      if (!("workflow" in reading)) throw new Error(`list ${at + 1}: ${JSON.stringify(reading)}`);
      const items = reading.workflow.phases.flatMap(({ number, gate }) => {
        const each = gate.routing?.calls?.each;
        const isOnePhase = each !== undefined && "file" in each && each.phase === undefined;
        const read = isOnePhase ? readTaskList(files) : tasksByPhase(files[0]?.text ?? "").get(number);
        if (read === undefined || !("tasks" in read)) return [];
        if (each === undefined && read.tasks.length > 0) asking.push(`list ${at + 1}, phase ${number}`);
        return read.tasks.map(({ id }) => id);
      });
      expect(items, `list ${at + 1}`).toEqual(ids);
    }
    // their tasks have criteria, ask a person, or stand beside a line that could be a task
    expect(asking).toEqual(phasesThatAsk[dialect] ?? []);
  });

  test("all start a workflow that takes its phases from a task list", async () => {
    for (const [at, { files }] of lists.entries()) {
      if (at % wholeOr(1, 4) !== 0) continue;
      const project = emptyProject();
      project.write(".waymark/workflows/w/metadata.json", { title: "W", dynamic: true });
      for (const { name, text } of files) project.write(name === "" ? "list/tasks.md" : `list/${name}`, text);
      const window = await openWindow(project.root);
      const args = { workflow_type: "w", options: { tasks: "list" } };
      const started = await callPhase(window, "start_workflow", args);
      expect([started.error, started.message], `list ${at + 1}`).toEqual([undefined, undefined]);
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

test("a workflow that takes its phases from a list walks the tasks of each phase as items, then what else the phase asks", async () => {
  const project = emptyProject();
  project.write(".waymark/workflows/w/metadata.json", { title: "W", dynamic: true });
  project.write(
    "tasks.md",
    "## Phase 1: Setup\n\n- [ ] T001 One\n- [ ] T002 [P] Two\n- [ ] T003 [P] Three\n\n**Checkpoint**: it starts\n\n## Phase N: Polish\n\n- [ ] T004 Secret\n",
  );
  const window = await openWindow(project.root);
  const started = await call(window, "start_workflow", { workflow_type: "w", options: { tasks: "tasks.md" } });
  const { session_id } = started;
  expect(started).toMatchObject({ current_phase: 1, total_phases: 2, items: { total: 3, open: [], ready: ["T001"] } });
  expect(JSON.stringify(started)).not.toContain("Secret");
  const complete = (id: string, phase: number, evidence: object) =>
    call(window, "complete_phase", { session_id: id, phase, evidence });
  const settle = async (item: string) => {
    const item_session = await call(window, "start_workflow", { session_id, item });
    const done = await complete(item_session.session_id, 1, { summary: `${item} is done` });
    expect(done.warnings ?? []).toEqual([]);
  };
  expect((await complete(session_id, 1, { it_starts: "yes" })).missing_evidence?.join()).toContain("T001");
  await settle("T001");
  await settle("T003");
  await settle("T002");
  expect(await complete(session_id, 1, {})).toMatchObject({
    missing_evidence: ["it_starts (required: Checkpoint: it starts)"],
  });
  const opened = await complete(session_id, 1, { it_starts: "it does" });
  expect(opened).toMatchObject({ next_phase: 2, items: { ready: ["T004"] } });
  await settle("T004");
  expect(await call(window, "get_workflow_state", { session_id })).toMatchObject({ workflow_complete: true });
  expect((await runCli(["verify", "--root", project.root])).code).toBe(0);
});
