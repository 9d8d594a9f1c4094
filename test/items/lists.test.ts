import { symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { openWindow } from "../window.ts";
import { call, itemProject, planned } from "./item-calls.ts";

const source = '{ file: "{{inputs.tasks}}", parallel: 5 }';

async function listed(first: string, how = source) {
  const project = itemProject(how);
  project.write("tasks.md", first);
  const window = await openWindow(project.root);
  const walk = await planned(window, ["p"], { tasks: "tasks.md" });
  const write = (text: string) => project.write("tasks.md", text);
  return { project, window, write, ...walk };
}

test("a list that is renumbered keeps what is settled and what is open", async () => {
  const { write, settle, open, read, finish, state } = await listed("- [ ] T001 Alpha\n- [ ] T002 Beta\n");
  await settle("T001");
  const beta = await open("T002");
  write("- [ ] T001 New\n- [ ] T002 [P] Alpha\n- [x] T003 Beta\n");
  expect((await read()).items).toEqual({ total: 3, open: ["T003"], ready: ["T001"] });
  expect(await open("T002")).toMatchObject({ error: "conflict" });
  await finish(beta.session_id);
  const fresh = await open("T001");
  expect(fresh.session_id).toMatch(/\/2\.1\/T001~2$/);
  expect(fresh.phase_content?.content).toContain("Do New (T001).");
  await finish(fresh.session_id);
  expect(await state()).toMatchObject({ current_phase: 3 });
});

test("an added item is asked for, and a removed one stays until a person drops it", async () => {
  const { write, settle, read, state, session, project } = await listed("- [ ] 1. One\n- [ ] 2. Two\n");
  await settle("1");
  write("- [ ] 1. One\n- [ ] 3. Three\n");
  expect((await read()).items?.ready).toEqual(["3", "2"]);
  await settle("3");
  expect(await state()).toMatchObject({ current_phase: 2 });
  const refused = await call({ client: (await openWindow(project.root)).client }, "complete_phase", {
    session_id: session,
    phase: 2,
    evidence: {},
  });
  expect(refused.missing_evidence?.[0]).toContain("2 (no longer in the list; a person can drop it)");
});

test("a changed text makes a new item, and what was settled does not count for it", async () => {
  const { write, settle, read } = await listed("- [ ] 1. One\n");
  const two = "- [ ] 1. One\n- [ ] 2. Two\n";
  write(two);
  await settle("2");
  write("- [ ] 1. One\n- [ ] 2. Two, and more\n");
  expect((await read()).items).toMatchObject({ total: 3, ready: ["1", "2"] });
});

test("a tick changes nothing, unless the author writes ticked: done; and later ticks never count", async () => {
  const list = "- [x] 1. One\n- [ ] 2. Two\n";
  const plain = await listed(list);
  expect((await plain.read()).items?.ready).toEqual(["1", "2"]);
  const done = await listed(list, '{ file: "{{inputs.tasks}}", parallel: 5, ticked: done }');
  expect((await done.read()).items?.ready).toEqual(["2"]);
  done.write("- [x] 1. One\n- [x] 2. Two\n");
  expect((await done.read()).items?.ready).toEqual(["2"]);
  await done.settle("2");
  expect(await done.state()).toMatchObject({ current_phase: 3 });
});

test("a list that is missing or has no task does not satisfy the step, and the reply names it", async () => {
  const { read, write, complete, open, opened, project } = await listed(
    "# Nothing here\n\n1.2 Not a box\n- 1.3 Not one either\n",
  );
  expect(opened.items).toMatchObject({ total: 0, problem: expect.stringContaining("tasks.md has no task") });
  expect(opened.items?.problem).toContain('line 4 "- 1.3 Not one either"');
  expect((await complete(2, {})).missing_evidence?.[0]).toContain("tasks.md has no task");
  expect(await open("1")).toMatchObject({ isError: true });
  project.remove("tasks.md");
  expect((await read()).items?.problem).toContain("tasks.md does not exist");
  write("- [ ] 1. One\n");
  expect((await read()).items).toEqual({ total: 1, open: [], ready: ["1"] });
});

test("lists over 1,000 items, over 1 MB, in .git, a dot-file or outside the project are refused", async () => {
  const many = await listed(Array.from({ length: 1001 }, (_, at) => `- [ ] ${at + 1}. Task ${at}`).join("\n"));
  expect(many.opened.items?.problem).toContain("1001 items; at most 1000");
  for (const tasks of [
    ".git/tasks.md",
    ".kiro/.env/tasks.md",
    ".env.md",
    ".kiro/tasks.txt",
    "../tasks.md",
    "/etc/passwd",
  ]) {
    const project = itemProject(source);
    if (/^\.\w/.test(tasks)) project.write(tasks, "- [ ] 1. One\n");
    const { opened } = await planned(await openWindow(project.root), ["p"], { tasks });
    expect(opened.items?.problem, tasks).toContain("not in the project");
  }
  const large = await listed(`- [ ] 1. One\n${"x".repeat(1024 * 1024)}\n`);
  expect(large.opened.items?.problem).toContain("1 MB");
});

test("lists of Kiro and ccpm are read where their tools keep them, but not through a link into .waymark", async () => {
  const kiro = itemProject(source);
  kiro.write(".kiro/specs/shop/tasks.md", "# Implementation Plan\n\n- [ ] 1. One\n- [ ] 2. Two\n");
  const { opened } = await planned(await openWindow(kiro.root), ["p"], { tasks: ".kiro/specs/shop/tasks.md" });
  expect(opened.items).toEqual({ total: 2, open: [], ready: ["1", "2"] });
  const ccpm = itemProject(source);
  ccpm.write(".claude/epics/shop/001.md", "---\nname: First\n---\n# Task\n");
  const folder = await planned(await openWindow(ccpm.root), ["p"], { tasks: ".claude/epics/shop" });
  expect(folder.opened.items).toEqual({ total: 1, open: [], ready: ["001"] });
  const linked = itemProject(source);
  symlinkSync(linked.path(".waymark"), linked.path(".kiro"));
  linked.write(".waymark/tasks.md", "- [ ] 1. One\n");
  const behind = await planned(await openWindow(linked.root), ["p"], { tasks: ".kiro/tasks.md" });
  expect(behind.opened.items?.problem).toContain("not in the project");
});

test("a folder of files is a list: a file is a task, and depends_on its order", async () => {
  const project = itemProject('{ file: "{{inputs.tasks}}", after: depends_on, parallel: 5 }');
  const file = (name: string, front: string) => project.write(`epic/${name}`, `---\n${front}\n---\n# Task\n\nDo it.\n`);
  file("epic.md", "name: Epic");
  file("001.md", "name: First\ndepends_on: []\nparallel: true");
  file("002.md", "name: Second\ndepends_on: [001]");
  file("003.md", "name: Third\ndepends_on: []");
  const window = await openWindow(project.root);
  const { opened, settle, read } = await planned(window, ["p"], { tasks: "epic/" });
  expect(opened.items).toEqual({ total: 3, open: [], ready: ["001", "003"] });
  await settle("001");
  expect((await read()).items?.ready).toEqual(["002", "003"]);
});

test("a file of a folder that cannot be read is named, and is no item", async () => {
  const project = itemProject(source);
  project.write("epic/001.md", "---\nname: First\n---\n# Task\n");
  symlinkSync(project.path(".waymark/workflows"), project.path("epic/002.md"));
  const { opened } = await planned(await openWindow(project.root), ["p"], { tasks: "epic" });
  expect(opened.items).toMatchObject({ total: 0, problem: "002.md in epic cannot be read" });
});

test("status --items lists every item with the state of its session", async () => {
  const { project, settle, open, session } = await listed("- [ ] 1. One\n- [ ] 2. Two\n- [ ] 3. Three\n");
  await settle("1");
  await open("2");
  const { stdout } = await runCli(["status", "--items", "--root", project.root]);
  expect(stdout).toContain("1 of 3 settled");
  expect(stdout).toMatch(/▶ 2 +Two +open/);
  const data = JSON.parse((await runCli(["status", "--items", "--json", "--root", project.root])).stdout);
  expect(data.sessions[0]).toMatchObject({
    session_id: session,
    items: { total: 3, settled: 1, open: 1 },
    item_list: [
      {
        items: [
          { item: "1", state: "settled" },
          { item: "2", state: "open" },
          { item: "3", state: "waiting" },
        ],
      },
    ],
  });
});
