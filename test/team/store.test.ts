import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { runCli } from "../command-line.ts";
import { cuttable } from "../cuttable.ts";
import { freshProject, postgresUrl } from "../postgres.ts";
import { makeProject } from "../project.ts";
import { older, openWindow } from "../window.ts";

const args = async (): Promise<string[]> => ["--store", await postgresUrl(), "--project", freshProject()];

it.each(older)(
  "a window with a store works as any other, and its files stand in the project area (%s)",
  async (era) => {
    const store = await args();
    const { root, state, log, read, path } = makeProject();
    const window = await openWindow(root, { era, args: store });
    await window.call("shape_bot");
    const content = [{ path: "docs/context.md", text: "# Größe" }];
    const done = await window.call("complete_action", { confirmation: "yes", outputs: { goal: "tea" }, content });
    expect(done).toMatchObject({ status: "completed", warnings: [], next: { action: "decide_planning_criteria" } });
    expect(state()).toMatchObject({ current_action: "story_bot.shape.gather_context", action_state: "completed" });
    expect(log().map(({ action_state }) => action_state)).toEqual(["started", "completed"]);
    expect(read("docs/context.md")).toBe("# Größe");
    expect(existsSync(path(".waymark/journal/story_bot.jsonl"))).toBe(false);
    const status = await runCli(["status", "--root", root, ...store, "--json"]);
    expect([status.code, status.stderr]).toEqual([0, ""]);
    expect(status.stdout).toContain("decide_planning_criteria");
    const verified = await runCli(["verify", "--root", root, ...store, "--json"]);
    expect(JSON.parse(verified.stdout)).toMatchObject({
      whole: true,
      desks: [
        {
          desk: "story_bot",
          head: expect.stringMatching(/^[0-9a-f]{64}$/),
          files: [{ verdict: "current" }, { verdict: "current" }],
        },
      ],
    });
  },
);

it("a second machine goes on with the same work, and its files are brought up to date, not taken for an edit", async () => {
  const store = await args();
  const [one, other] = [makeProject(), makeProject()];
  const first = await openWindow(one.root, { args: store });
  const second = await openWindow(other.root, { args: store });
  await first.pass("shape_bot");
  const opened = await second.call("shape_bot");
  expect(opened).toMatchObject({ status: "started", action: "decide_planning_criteria" });
  expect(opened.warnings.join()).not.toMatch(/edit|changed/);
  await second.call("complete_action", { confirmation: "yes" });
  const third = await first.call("shape_bot");
  expect(third).toMatchObject({ status: "started", action: "build_knowledge" });
  expect(third.warnings.join()).not.toMatch(/edited|changed outside/);
  expect(one.state().completed_actions).toHaveLength(2);
  await second.call("story_bot");
  expect(other.state()).toEqual(one.state());
});

it("an edit of the state file is obeyed, with the store as without", async () => {
  const store = await args();
  const { root, state, write } = makeProject();
  const window = await openWindow(root, { args: store });
  for (let count = 0; count < 2; count++) await window.pass("shape_bot");
  const [first] = state().completed_actions;
  write("workflow_state.json", { ...state(), current_action: first?.action_state, completed_actions: [first] });
  const answer = await window.call("shape_bot");
  expect(answer).toMatchObject({ status: "started", action: "decide_planning_criteria" });
  expect(answer.warnings.join()).toContain("edited");
});

it("what cannot be recorded is refused as unavailable, is not held, and works again as soon as the store does", async () => {
  const way = await cuttable(await postgresUrl());
  const store = ["--store", way.url, "--project", freshProject()];
  const { root, state } = makeProject();
  const window = await openWindow(root, { args: store });
  await window.call("shape_bot");
  way.cut();
  const refused = await window.call("complete_action", { confirmation: "yes" });
  expect(refused).toMatchObject({ isError: true, status: "refused", error: "unavailable" });
  expect(refused.text).not.toContain("waymark@");
  expect(state().action_state).toBe("started");
  way.mend();
  expect(await window.call("complete_action", { confirmation: "yes" })).toMatchObject({ status: "completed" });
  way.close();
});

it("one project knows nothing of another in the same database", async () => {
  const [mine, theirs] = [await args(), await args()];
  const [one, other] = [makeProject(), makeProject()];
  const first = await openWindow(one.root, { args: mine });
  await first.pass("shape_bot");
  const status = await runCli(["log", "--root", other.root, ...theirs, "--json"]);
  expect(JSON.parse(status.stdout)).toEqual([]);
  const second = await openWindow(other.root, { args: theirs });
  expect(await second.call("shape_bot")).toMatchObject({ status: "started", action: "gather_context" });
});

it("a store that cannot be reached, or is none, is said in a sentence without its password", async () => {
  const { root } = makeProject();
  const none = await runCli(["status", "--root", root, "--store", "mysql://x"]);
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining("postgres://user:password@host:port/database")]);
  const wrong = new URL(await postgresUrl());
  [wrong.pathname, wrong.password] = ["/nowhere", "s3cret"];
  const { code, stderr } = await runCli(["status", "--root", root, "--store", wrong.href]);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/is not available: database "nowhere" does not exist/)]);
  expect(stderr).not.toContain("s3cret");
});

it("tokens are kept in the store", async () => {
  const { root } = makeProject();
  const store = `${await postgresUrl()}?schema=tokens_test`;
  const run = (...args: string[]) => runCli(["token", ...args, "--root", root, "--store", store, "--json"]);
  const { token } = JSON.parse((await run("add", "claude", "--role", "agent")).stdout);
  const listed = (await run("list")).stdout;
  const claude = { name: "claude", role: "agent", project: null, createdAt: expect.any(String), lastUsedAt: null };
  expect(JSON.parse(listed)).toEqual([claude]);
  // One more while it is replaced, and no third.
  expect((await run("add", "claude", "--role", "agent", "--expires", "90d")).code).toBe(0);
  expect((await run("add", "claude", "--role", "agent")).code).toBe(1);
  expect(JSON.parse((await run("list")).stdout)).toEqual([claude, { ...claude, expiresAt: expect.any(String) }]);
  expect(listed).not.toContain(token);
  expect((await run("revoke", "claude")).code).toBe(0);
  expect((await run("revoke", "claude")).code).toBe(1);
  expect((await run("add", "claude", "--role", "viewer")).code).toBe(0);
  expect(existsSync(`${root}/.waymark/team`)).toBe(false);
});
