import { existsSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { callPhase, emptyProject, evidenceFor, plantWorkflow } from "../phased.ts";
import { actions, makeProject } from "../project.ts";
import { addWorkTree, commitAll, git, makeRepository } from "../repository.ts";
import { openWindow } from "../window.ts";

const yes = { confirmation: "yes" };
const submission = (text: string) => ({ outputs: { about: text }, content: [{ path: "notes.md", text }], ...yes });

test("the run of a linked work tree is named by its branch; its files are the work tree's, its history stands with the main one", async () => {
  const main = makeRepository();
  const tree = addWorkTree(main, "feature/Login");
  const window = await openWindow(tree.root);
  const opened = await window.call("story_bot");
  expect(opened).toMatchObject({ status: "started", run: "feature/login" });
  expect(opened.instructions).not.toContain("Pass run");
  expect(await window.call("complete_action", submission("login"))).toMatchObject({
    status: "completed",
    run: "feature/login",
  });
  expect(tree.read("notes.md")).toBe("login");
  expect(tree.read("story_bot/feature/login/shape/gather_context.md")).toContain("login");
  expect(main.json(".waymark/runs/story_bot/feature/login/workflow_state.json")).toMatchObject({
    action_state: "completed",
  });
  expect(existsSync(main.path(".waymark/journal/runs/story_bot/feature%2Flogin.jsonl"))).toBe(true);
  for (const file of ["notes.md", "workflow_state.json", "story_bot"])
    expect(existsSync(main.path(file)), file).toBe(false);
  for (const file of [".waymark/journal", ".waymark/held", ".waymark/runs", "workflow_state.json"])
    expect(existsSync(tree.path(file)), file).toBe(false);
});

test("two features in two work trees, through one connection of the main checkout and through one of a work tree: nothing crosses", async () => {
  const main = makeRepository();
  const [login, search] = [addWorkTree(main, "login"), addWorkTree(main, "search")];
  const [central, local] = [
    await openWindow(main.root, { name: "central" }),
    await openWindow(search.root, { name: "local" }),
  ];
  await central.call("shape_bot", { run: "login" });
  await central.call("shape_bot", { run: "search" });
  await central.call("complete_action", { run: "login", ...submission("login") });
  // The other window finds the step of its own run open, and takes it over.
  expect(await local.call("shape_bot")).toMatchObject({ status: "interrupted", run: "search" });
  await local.call("shape_bot", { resume: "continue" });
  expect(await local.call("complete_action", submission("search"))).toMatchObject({
    status: "completed",
    run: "search",
  });
  expect([login.read("notes.md"), search.read("notes.md")]).toEqual(["login", "search"]);
  expect(existsSync(main.path("notes.md"))).toBe(false);
  const next = await central.call("shape_bot", { run: "search" });
  expect(next).toMatchObject({ status: "started", action: "decide_planning_criteria", run: "search" });
  expect(next.warnings).toEqual([expect.stringContaining("local")]);
  expect(await central.call("shape_bot")).toMatchObject({ status: "started", action: "gather_context" });
});

test("two features in two work trees through two connections at once: nothing crosses, and each history proves whole", async () => {
  const main = makeRepository();
  const trees = ["login", "search"].map((branch) => ({ branch, tree: addWorkTree(main, branch) }));
  await Promise.all(
    trees.map(async ({ branch, tree }) => {
      const window = await openWindow(tree.root, { name: branch });
      for (const action of actions) {
        expect(await window.call("shape_bot")).toMatchObject({ status: "started", run: branch, action, warnings: [] });
        const answer = await window.call("complete_action", submission(`${branch} ${action}`));
        expect(["completed", "workflow_complete"]).toContain(answer.status);
      }
    }),
  );
  for (const { branch, tree } of trees) {
    expect(tree.read("notes.md")).toBe(`${branch} validate_rules`);
    const rows: { client: string; run: string }[] = JSON.parse(
      (await runCli(["log", "--run", branch, "--json", "--root", main.root])).stdout,
    );
    expect(new Set(rows.map(({ client }) => client.split(" ")[0]))).toEqual(new Set([branch]));
  }
  const { code, stdout } = await runCli(["verify", "--json", "--root", main.root]);
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { whole: true, desks: [{ run: "login" }, { run: "search" }] }]);
});

test("checks look into the work tree", async () => {
  const main = makeRepository();
  main.write(
    ".waymark/base_actions/gather_context/gate-definition.yaml",
    [
      "evidence_schema:",
      "  report: { type: string, required: true, description: the report, validator: file_exists }",
    ].join("\n"),
  );
  commitAll(main.root, "gate");
  const tree = addWorkTree(main, "checked");
  const window = await openWindow(main.root);
  await window.call("shape_bot", { run: "checked" });
  main.write("report.md", "in the wrong place");
  const evidence = { report: "report.md" };
  expect(await window.call("complete_action", { run: "checked", evidence, ...yes })).toMatchObject({
    error: "incomplete_checkpoint",
  });
  tree.write("report.md", "here");
  expect(await window.call("complete_action", { run: "checked", evidence, ...yes })).toMatchObject({
    status: "completed",
  });
});

test("a work tree that is removed takes nothing along: the run goes on where it stood", async () => {
  const main = makeRepository();
  const tree = addWorkTree(main, "short-lived");
  const window = await openWindow(tree.root);
  await window.call("shape_bot");
  await window.call("complete_action", submission("kept"));
  await window.call("shape_bot");
  await window.close();
  git(main.root, "worktree", "remove", "--force", tree.root);
  const central = await openWindow(main.root);
  expect(await central.call("shape_bot", { run: "short-lived" })).toMatchObject({
    status: "interrupted",
    action: "decide_planning_criteria",
    history: { count: 1 },
  });
});

test("a work tree gets the files of its run and nothing of ours, on whatever file system it stands", async () => {
  const main = makeProject();
  git(main.root, "init", "-q", "-b", "main");
  main.write("README.md", "the definitions are nobody else's");
  git(main.root, "add", "README.md");
  git(main.root, "commit", "-q", "-m", "first");
  const near = addWorkTree(main, "near");
  const far = emptyProject({ isFar: true });
  git(main.root, "worktree", "add", "-q", "-b", "far", far.path("tree"));
  const window = await openWindow(main.root);
  for (const [run, tree] of [
    ["near", near.root],
    ["far", far.path("tree")],
  ] as const) {
    await window.call("shape_bot", { run });
    expect(await window.call("complete_action", { run, ...submission(run) })).toMatchObject({ warnings: [] });
    expect(readdirSync(tree).sort()).toEqual([".git", "README.md", "notes.md", "story_bot"]);
  }
});

test("a work tree that is removed between hand-in and completion: nothing is lost, and it is said where the files go", async () => {
  const main = makeRepository();
  const tree = addWorkTree(main, "x");
  const central = await openWindow(main.root);
  await central.call("shape_bot", { run: "x" });
  const { confirmation: _, ...submitted } = submission("held");
  expect(await central.call("complete_action", { run: "x", ...submitted })).toMatchObject({ status: "awaiting_human" });
  git(main.root, "worktree", "remove", "--force", tree.root);
  const done = await central.call("complete_action", { run: "x", ...yes });
  expect(done).toMatchObject({ status: "completed", run: "x" });
  expect(done.warnings).toEqual([expect.stringContaining(`its files now go to ${main.root}`)]);
  expect(main.read("notes.md")).toBe("held");
  expect((await central.call("shape_bot", { run: "x" })).warnings).toEqual([]);
});

test("a server whose work tree is removed goes on with the same run, and makes no folder where it stood", async () => {
  const main = makeRepository();
  const tree = addWorkTree(main, "x");
  const window = await openWindow(tree.root, { args: ["--definitions", main.path(".waymark")] });
  await window.call("shape_bot");
  git(main.root, "worktree", "remove", "--force", tree.root);
  expect(await window.call("complete_action", submission("kept"))).toMatchObject({ status: "completed", run: "x" });
  expect(await window.call("shape_bot")).toMatchObject({ run: "x", action: "decide_planning_criteria" });
  expect(existsSync(tree.root)).toBe(false);
  expect(main.read("notes.md")).toBe("kept");
});

test("a work tree that comes to another branch is another run, and that is said", async () => {
  const main = makeRepository();
  const tree = addWorkTree(main, "before");
  const window = await openWindow(tree.root);
  await window.call("shape_bot");
  git(tree.root, "branch", "-m", "before", "after");
  const next = await window.call("shape_bot");
  expect(next).toMatchObject({ status: "started", run: "after" });
  expect(next.warnings).toEqual([expect.stringMatching(/this is run after\. Your earlier work is in run before/)]);
  expect((await window.call("shape_bot")).warnings).toEqual([]);
  expect(await window.call("shape_bot", { run: "before" })).toMatchObject({ status: "started", run: "before" });
});

test("two work trees whose branches come to one name are told so", async () => {
  const main = makeRepository();
  const [one, two] = [addWorkTree(main, "fix#1"), addWorkTree(main, "fix-1")];
  const first = await (await openWindow(one.root)).call("shape_bot");
  expect(first).toMatchObject({ run: "fix-1" });
  expect(first.warnings).toEqual([expect.stringMatching(/Several worktrees have branches that map to this run/)]);
  expect(first.warnings[0]).toContain(two.root);
});

test("a bot whose area is not there yet, in a work tree reached through a link, has one run from the first call on", async () => {
  const main = makeRepository();
  main.write(".waymark/bots/story_bot/bot_config.json", {
    name: "story_bot",
    behaviors: ["shape"],
    project_area: "work/area",
  });
  git(main.root, "commit", "-q", "-a", "-m", "area");
  const tree = addWorkTree(main, "linked");
  const link = join(dirname(tree.root), "link");
  symlinkSync(tree.root, link);
  const window = await openWindow(link);
  expect(await window.call("shape_bot")).toMatchObject({ run: "linked" });
  await window.call("complete_action", submission("in its area"));
  expect(tree.read("work/area/notes.md")).toBe("in its area");
  expect(existsSync(main.path("work/area/.waymark/journal/runs/story_bot/linked.jsonl"))).toBe(true);
});

test("a session of a work tree goes on from the main checkout by its id: its files are the work tree's, and when that is gone it is said", async () => {
  const main = plantWorkflow();
  commitAll(main.root, "definitions");
  const tree = addWorkTree(main, "one");
  const { session_id } = await callPhase(await openWindow(tree.root), "start_workflow", { workflow_type: "survey" });
  const central = await openWindow(main.root);
  const complete = (phase: number) =>
    callPhase(central, "complete_phase", {
      session_id,
      phase,
      evidence: evidenceFor(phase),
      content: [{ path: `phase-${phase}.md`, text: `${phase}` }],
    });
  expect(await complete(1)).toMatchObject({ checkpoint_passed: true, warnings: [] });
  expect(tree.read("phase-1.md")).toBe("1");
  expect(existsSync(main.path("phase-1.md"))).toBe(false);
  git(main.root, "worktree", "remove", "--force", tree.root);
  const next = await complete(2);
  expect(next).toMatchObject({ checkpoint_passed: true });
  expect(next.warnings).toEqual([expect.stringContaining("its files now go elsewhere")]);
  expect(main.read("phase-2.md")).toBe("2");
});

test("a work tree without a branch goes by its folder, and one that is being rebased by the branch that it is to get back", async () => {
  const main = makeRepository();
  const loose = addWorkTree(main, "", "--detach");
  expect(await (await openWindow(loose.root)).call("story_bot")).toMatchObject({ run: "tree" });
  const tree = addWorkTree(main, "rebased");
  for (const [at, text] of [
    [main, "theirs"],
    [tree, "ours"],
  ] as const) {
    at.write("both.txt", text);
    commitAll(at.root, text);
  }
  expect(() => git(tree.root, "rebase", "-q", "main")).toThrow();
  expect(await (await openWindow(tree.root)).call("story_bot")).toMatchObject({ run: "rebased" });
});

test("a folder that only says it is a work tree is none", async () => {
  const main = makeRepository();
  const tree = addWorkTree(main, "gone");
  const moved = addWorkTree(main, "other");
  moved.write(".git", `gitdir: ${join(main.root, ".git/worktrees/gone")}\n`);
  rmSync(tree.root, { recursive: true });
  const answer = await (await openWindow(moved.root)).call("story_bot");
  expect(answer).not.toHaveProperty("run");
  expect(moved.state()).toMatchObject({ action_state: "started" });
});

test("the same target in two work trees is two sessions, and both stand in the main one's history", async () => {
  const main = plantWorkflow();
  commitAll(main.root, "definitions");
  const [one, two] = [addWorkTree(main, "one"), addWorkTree(main, "two")];
  const start = async (root: string) =>
    callPhase(await openWindow(root), "start_workflow", { workflow_type: "survey", target_file: "src/a.ts" });
  const ids = await Promise.all([one, two, main].map(async ({ root }) => String((await start(root)).session_id)));
  expect(new Set(ids).size).toBe(3);
  expect(await start(one.root)).toMatchObject({ session_id: ids[0] });
  for (const id of ids) expect(existsSync(main.path(`.waymark/journal/sessions/${id}.jsonl`))).toBe(true);
  expect(existsSync(one.path(".waymark/journal"))).toBe(false);
});

test.each([".worktrees/login", ".claude/worktrees/login", "trees/login", ".trees/team/login"])(
  "a work tree that a host has put into the project, in %s, is one: its files are its own, its history is the main one's",
  async (folder) => {
    const main = makeRepository();
    git(main.root, "worktree", "add", "-q", "-b", "login", main.path(folder));
    for (const from of [main.root, main.path(folder)]) {
      const window = await openWindow(from);
      await window.call("story_bot", { run: "login", resume: "continue" });
      const done = await window.call("complete_action", { run: "login", ...submission("login") });
      expect(done).toMatchObject({ status: "completed", run: "login" });
      expect(main.read(`${folder}/notes.md`)).toBe("login");
      expect(existsSync(main.path("notes.md"))).toBe(false);
      await window.close();
    }
    expect(existsSync(main.path(`${folder}/.waymark/journal`))).toBe(false);
  },
);
