import { describe, expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { makeProject, type Project } from "../project.ts";
import { addWorkTree, git, makeRepository } from "../repository.ts";
import { openWindow } from "../window.ts";

const yes = { confirmation: "yes" };

async function ran({ root }: Pick<Project, "root">, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCli([...args, "--root", root]);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
}

async function failed({ root }: Pick<Project, "root">, ...args: string[]): Promise<string> {
  const { code, stderr } = await runCli([...args, "--root", root]);
  expect(code).toBe(1);
  return stderr;
}

const data = async (project: Pick<Project, "root">, ...args: string[]) =>
  JSON.parse(await ran(project, ...args, "--json"));

/** A project whose own run has completed one action, and run `login` two, the third of which waits for a person. */
async function twoRuns(): Promise<Project> {
  const project = makeProject();
  const window = await openWindow(project.root);
  await window.pass("shape_bot");
  await window.call("shape_bot", { run: "login" });
  await window.call("complete_action", { run: "login", ...yes });
  await window.call("shape_bot", { run: "login" });
  await window.call("complete_action", { run: "login", outputs: { choice: "forms" } });
  await window.close();
  return project;
}

describe("runs at the terminal", () => {
  test("status shows all of them, or one whole", async () => {
    const project = await twoRuns();
    const all = await data(project, "status");
    expect(all).toMatchObject({ bot: "story_bot", completed: 1 });
    expect(all).not.toHaveProperty("run");
    expect(all.runs).toMatchObject([
      {
        bot: "story_bot",
        run: "login",
        behavior: "shape",
        action: "decide_planning_criteria",
        state: "started",
        completed: 1,
      },
    ]);
    expect(all.runs[0].waiting_since).toMatch(/^\d{4}-/);
    expect(await data(project, "status", "--run", "LOGIN")).toMatchObject({ run: "login", runs: [] });
    const text = await ran(project, "status");
    expect(text.split("\n")[0]).toBe("1 waiting · 1 working");
    expect(text).toMatch(
      /Runs\n {2}‖ login {2}✓‖··· {2}\d{4}-.* {2}shape · decide_planning_criteria: waiting for approval\n/,
    );
    expect(await ran(project, "status", "--run", "login")).toContain("story_bot (run login)");
  });

  test("log, show, verify and export say which run", async () => {
    const project = await twoRuns();
    const rows = await data(project, "log");
    expect(rows.filter(({ run }: { run?: string }) => run === "login").length).toBeGreaterThan(3);
    const own = await data(project, "log", "--run", "login");
    expect(new Set(own.map(({ run }: { run?: string }) => run))).toEqual(new Set(["login"]));
    expect(await ran(project, "log", "--run", "login")).toContain("run login");
    expect(await data(project, "show")).toMatchObject([
      { run: "story_bot.shape", run_name: "login", outputs: { choice: "forms" } },
    ]);
    expect(await data(project, "show", "story_bot.shape", "--run", "login")).toHaveLength(1);
    expect(await ran(project, "show")).toContain("story_bot.shape (run login): decide_planning_criteria");
    const { desks: streams } = await data(project, "verify");
    expect(streams).toMatchObject([{ desk: "story_bot" }, { desk: "story_bot", run: "login", problems: [] }]);
    expect((await data(project, "verify", "--run", "login")).desks).toHaveLength(1);
    expect((await data(project, "export", "--run", "login")).desks).toMatchObject([{ run: "login" }]);
    expect(await ran(project, "verify")).toContain("✓ story_bot (run login): ");
  });

  test("a run that is not there exits with 1, and so does a name that is none", async () => {
    const project = await twoRuns();
    for (const command of [
      ["status"],
      ["log"],
      ["back", "gather_context"],
      ["show"],
      ["verify"],
      ["export"],
      ["archive", "story_bot"],
    ]) {
      expect(await failed(project, ...command, "--run", "nowhere")).toContain("There is no run nowhere here");
      expect(await failed(project, ...command, "--run", "../login")).toContain("is not a valid run name");
    }
    expect(await failed(project, "archive", "story_bot")).toContain("--run");
  });

  test("going back moves one run and no other", async () => {
    const project = await twoRuns();
    expect(await data(project, "back", "gather_context", "--run", "login")).toMatchObject({
      run: "login",
      action: "gather_context",
    });
    const window = await openWindow(project.root);
    expect(await window.call("shape_bot", { run: "login" })).toMatchObject({
      status: "started",
      action: "gather_context",
    });
    expect(await window.call("shape_bot")).toMatchObject({ action: "decide_planning_criteria" });
  });

  test("an unfinished run can be put away, and takes nothing more until it is begun anew", async () => {
    const project = await twoRuns();
    expect(await ran(project, "archive", "story_bot", "--run", "login", "--reason", "dropped")).toContain("archived");
    expect((await data(project, "status")).runs).toMatchObject([{ run: "login", archived: true }]);
    expect(await ran(project, "status")).toContain("1 archived");
    expect(await ran(project, "status", "--run", "login")).toContain('Archived. Restart it with resume "restart"');
    const window = await openWindow(project.root);
    expect(await window.call("shape_bot", { run: "login" })).toMatchObject({ status: "refused", error: "conflict" });
    expect(await window.call("complete_action", { run: "login", ...yes })).toMatchObject({ error: "conflict" });
    expect(await window.call("shape_bot", { run: "login", resume: "restart" })).toMatchObject({ status: "started" });
    expect(await window.call("complete_action", { run: "login", ...yes })).toMatchObject({ status: "completed" });
    expect(await ran(project, "log", "--run", "login")).toContain("dropped");
  });

  test("anywhere in a repository, the runs of all its work trees are shown, those that are removed among them", async () => {
    const main = makeRepository();
    const [one, two] = [addWorkTree(main, "one"), addWorkTree(main, "two")];
    for (const { root } of [main, one, two]) await (await openWindow(root)).pass("story_bot");
    git(main.root, "worktree", "remove", "--force", two.root);
    const names = async (project: Pick<Project, "root">) => {
      const { run, runs } = await data(project, "status");
      return [run, ...runs.map((shown: { run?: string }) => shown.run)].sort();
    };
    expect(await names(main)).toEqual(["one", "two", undefined]);
    expect(await names(one)).toEqual(["one", "two", undefined]);
    expect(await data(one, "log", "--run", "two")).not.toEqual([]);
    expect((await data(one, "verify")).desks).toMatchObject([{}, { run: "one" }, { run: "two" }]);
    // Going back without a name means the run of the work tree.
    expect(await data(one, "back", "gather_context")).toMatchObject({ run: "one" });
  });

  test("a work tree below the main one, whose definitions git does not keep, is worked in by the definitions above it", async () => {
    const main = makeProject();
    main.write(".gitignore", "*");
    git(main.root, "init", "-q", "-b", "main");
    git(main.root, "commit", "-q", "--allow-empty", "-m", "nothing");
    git(main.root, "worktree", "add", "-q", "-b", "feat", ".worktrees/feat");
    const { stdout } = await runCli(["status", "--json"], main.path(".worktrees/feat"));
    expect(JSON.parse(stdout)).toMatchObject({ bot: "story_bot", run: "feat" });
  });
});
