import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runCli, waymark } from "../command-line.ts";
import { inDatabase, overHttp } from "../doors.ts";
import { plantWorkflow } from "../phased.ts";
import { behaviors, makeProject } from "../project.ts";
import { older, openCommand, openWindow } from "../window.ts";

describe.each(older)("prompts and resources (%s protocol)", (era) => {
  test("the bot and each of its behaviors have a prompt that leads to their tool", async () => {
    const { client } = await openWindow(makeProject().root, { era });
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(["story_bot", ...behaviors.map((name) => `${name}_bot`), "author"]);
    const { messages } = await client.getPrompt({ name: "discovery_bot" });
    expect(JSON.stringify(messages)).toContain("discovery_bot");
    await expect(client.getPrompt({ name: "nothing" })).rejects.toThrow("nothing");
  });

  test("a phased workflow has a prompt that begins it, for a file where one is given", async () => {
    const { client } = await openWindow(plantWorkflow().root, { era });
    const { prompts } = await client.listPrompts();
    expect(prompts).toContainEqual(expect.objectContaining({ name: "survey", arguments: [expect.anything()] }));
    const said = async (given: Record<string, string>): Promise<string> =>
      JSON.stringify((await client.getPrompt({ name: "survey", arguments: given })).messages);
    expect(await said({})).toContain("ask me which");
    expect(await said({ target_file: "src/prices.ts" })).toMatch(
      /workflow_type .*survey.*target_file .*src\/prices\.ts/,
    );
  });

  test("one prompt starts any phased workflow; the assistant asks which where none is named", async () => {
    const { root, write } = plantWorkflow();
    const { client } = await openWindow(root, { era });
    const said = async (given: Record<string, string>): Promise<string> =>
      JSON.stringify((await client.getPrompt({ name: "start", arguments: given })).messages);
    expect((await client.listPrompts()).prompts).toContainEqual(
      expect.objectContaining({ name: "start", description: expect.stringContaining("survey") }),
    );
    expect(await said({})).toMatch(/workflow_type .*survey/);
    write(
      ".waymark/workflows/second.md",
      "# Second\n\n## Phase 1: Only\n\n### Validation Gate\n\n- [ ] `done` is true\n",
    );
    expect(await said({})).toContain("Ask me which workflow to start: second, survey");
    expect(await said({ workflow: "second", target_file: "src/prices.ts" })).toMatch(
      /workflow_type .*second.*target_file .*src\/prices\.ts/,
    );
    expect(await said({ workflow: "nope" })).toMatch(
      /There is no workflow .*nope.* here\. Ask me which .*second, survey/,
    );
  });

  test("state and log can be read as resources, and say what the files say", async () => {
    const project = makeProject();
    const { client, pass } = await openWindow(project.root, { era });
    await pass("story_bot");
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(["waymark://story_bot/state", "waymark://story_bot/log"]);
    const read = async (uri: string): Promise<unknown> => {
      const [content] = (await client.readResource({ uri })).contents;
      return JSON.parse(content !== undefined && "text" in content ? content.text : "");
    };
    expect(await read("waymark://story_bot/state")).toEqual(project.state());
    expect(await read("waymark://story_bot/log")).toEqual(project.log());
    await expect(client.readResource({ uri: "waymark://story_bot/../secret" })).rejects.toThrow();
  });
});

describe("serving", () => {
  test.skipIf(overHttp("a server keeps its tokens"))(
    "a client that only asks for tools leaves no trace in the project",
    async () => {
      const project = makeProject();
      const before = readdirSync(project.path(".waymark"));
      const { client } = await openWindow(project.root);
      await client.listTools();
      await client.listPrompts();
      expect(readdirSync(project.path(".waymark"))).toEqual(before);
      expect(existsSync(project.path("workflow_state.json"))).toBe(false);
    },
  );

  test("the server ends by itself when its client hangs up, and on signals", async () => {
    const project = makeProject();
    for (const end of ["stdin", "SIGTERM", "SIGINT"] as const) {
      const child = spawn(process.execPath, [waymark, "serve", "--root", project.root], {
        stdio: ["pipe", "pipe", "inherit"],
      });
      child.stdin.write(
        '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}\n',
      );
      await once(child.stdout, "data");
      if (end === "stdin") child.stdin.end();
      else child.kill(end);
      expect((await once(child, "exit"))[0]).toBe(0);
    }
  });

  test("a server started in a folder of the project works for the project, and so does every other command", async () => {
    const project = makeProject();
    const cwd = project.path("src/deep");
    mkdirSync(cwd, { recursive: true });
    const { call } = await openCommand([waymark, "serve"], { cwd });
    await call("story_bot");
    expect(project.state().current_action).toBe("story_bot.shape.gather_context");
    expect((await runCli(["status"], cwd)).stdout).toContain("gather_context");
    expect(readdirSync(cwd)).toEqual([]);
  });

  test.skipIf(overHttp("a server keeps its tokens"))(
    "definitions may stand outside the workspace, state and log in a project area of their own",
    async () => {
      const project = makeProject();
      renameSync(project.path(".waymark"), project.path("elsewhere"));
      const window = await openWindow(project.root, {
        args: ["--definitions", project.path("elsewhere"), "--project-area", project.path("area")],
      });
      await window.call("story_bot");
      expect(project.json("area/workflow_state.json")).toMatchObject({
        current_action: "story_bot.shape.gather_context",
      });
      expect(existsSync(project.path(".waymark"))).toBe(false);
      expect(readdirSync(project.path("elsewhere")).sort()).toEqual(["base_actions", "bots"]);
    },
  );

  test.skipIf(inDatabase("a state file is shown to nobody, and read from nobody"))(
    "two bots on one project area are both served; one with a project area of its own has its files there",
    async () => {
      const project = makeProject();
      const first = await openWindow(project.root);
      await first.call("story_bot");
      await first.close();
      project.write(".waymark/bots/a_bot/bot_config.json", { name: "a_bot", behaviors: ["one"] });
      const window = await openWindow(project.root);
      const { tools } = await window.client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["a_bot", "one_bot", "story_bot"]));
      project.write(".waymark/bots/a_bot/bot_config.json", { name: "a_bot", behaviors: ["one"], project_area: "a" });
      const both = await openWindow(project.root);
      expect((await both.client.listTools()).tools.map(({ name }) => name)).toEqual(
        expect.arrayContaining(["a_bot", "one_bot", "story_bot"]),
      );
      expect(await both.call("one_bot")).toMatchObject({ status: "started", bot: "a_bot", behavior: "one" });
      expect(await both.call("complete_action", { confirmation: "yes" })).toMatchObject({
        bot: "a_bot",
        status: "completed",
      });
      expect(project.json("a/workflow_state.json")).toMatchObject({ current_behavior: "a_bot.one" });
      expect(await both.call("complete_action", { bot: "story_bot", confirmation: "yes" })).toMatchObject({
        bot: "story_bot",
        status: "completed",
      });
    },
  );

  test("what an author changes counts from the next call on, without a restart", async () => {
    const project = makeProject();
    const window = await openWindow(project.root);
    await window.call("story_bot");
    project.write(".waymark/base_actions/gather_context/instructions.md", "Other words, {{behavior}}.");
    expect((await window.call("story_bot")).instructions).toContain("Other words, shape.");
  });
});

describe("the command line", () => {
  test("status shows the map with the current step, as text and as data", async () => {
    const project = makeProject();
    const window = await openWindow(project.root);
    await window.pass("discovery_bot");
    await window.call("discovery_bot");
    const text = await runCli(["status", "--root", project.root]);
    expect(text.code).toBe(0);
    expect(text.stdout).toContain("discovery (current)  ✓ ▶ · · ·");
    expect(text.stdout).toContain("discovery · decide_planning_criteria is in progress");
    expect(text.stdout).not.toContain("\u001b");
    const { stdout } = await runCli(["status", "--json"], project.root);
    const data = JSON.parse(stdout);
    expect(data).toMatchObject({
      bot: "story_bot",
      completed: 1,
      focus: { workflow: "discovery", step: "decide_planning_criteria" },
    });
  });

  test("log can be filtered by behavior, action and time, as text and as data", async () => {
    const project = makeProject();
    const window = await openWindow(project.root);
    await window.pass("shape_bot");
    await window.pass("discovery_bot");
    await window.call("discovery_bot", { action: "validate_rules" });
    const rows = async (...args: string[]): Promise<Record<string, unknown>[]> =>
      JSON.parse((await runCli(["log", "--root", project.root, "--json", ...args])).stdout);
    expect(await rows()).toHaveLength(5);
    expect(await rows("--behavior", "shape")).toHaveLength(2);
    expect(await rows("--behavior", "story_bot.discovery", "--action", "gather_context")).toHaveLength(2);
    expect(await rows("--since", "1h")).toHaveLength(5);
    expect(await rows("--since", "2999-01-01")).toHaveLength(0);
    expect((await rows("--action", "validate_rules"))[0]).toMatchObject({
      event: "refused",
      code: "action_sequence_violation",
    });
    const text = await runCli(["log", "--root", project.root]);
    expect(text.stdout).toContain('relayed: "yes, done"');
    const wrong = await runCli(["log", "--root", project.root, "--since", "yesterday"]);
    expect(wrong).toMatchObject({ code: 1, stdout: "" });
    expect(wrong.stderr).toContain("is not a time");
  });

  test.each([
    [["status", "--root", "/no/such/folder"], "is not a folder"],
    [["status", "--rot", "."], "--rot"],
    [["sttaus"], "sttaus"],
    [["back"], "missing required argument 'step'"],
  ])("%j fails with a clear word and exit code 1", async (args, said) => {
    const { code, stderr } = await runCli(args);
    expect(code).toBe(1);
    expect(stderr).toContain(said);
  });

  test("a folder without a bot is said to be one", async () => {
    const project = makeProject();
    project.remove(".waymark");
    const { code, stderr } = await runCli(["status", "--root", project.root]);
    expect(code).toBe(1);
    expect(stderr).toContain("no bot");
  });

  test("every command has help, and help names nothing that is not there", async () => {
    const { stdout } = await runCli(["--help"]);
    const commands = [...stdout.matchAll(/^ {2}([a-z]+)[ [<]/gm)]
      .map(([, name]) => name ?? "")
      .filter((name) => name !== "help");
    expect(commands).toEqual([
      "init",
      "serve",
      "status",
      "dashboard",
      "log",
      "back",
      "update",
      "start",
      "archive",
      "doctor",
      "hook",
      "show",
      "approve",
      "reject",
      "answer",
      "waive",
      "drop",
      "end",
      "trust",
      "generate",
      "search",
      "adopt",
      "check",
      "verify",
      "export",
      "import",
      "forget",
      "token",
      "notify",
      "runner",
    ]);
    for (const command of commands) expect((await runCli([command, "--help"])).code).toBe(0);
  });
});

test.skipIf(inDatabase("nothing is written in the project"))(
  "git passes over what Waymark writes, also where init never ran and the server ends right after its first answer",
  async () => {
    const project = makeProject();
    execFileSync("git", ["init", "-q"], { cwd: project.root });
    const window = await openWindow(project.root);
    await window.call("story_bot");
    await window.close();
    const status = execFileSync("git", ["status", "--porcelain", "-uall"], { cwd: project.root, encoding: "utf8" });
    expect(status).not.toMatch(/journal|open|workflow_state|activity_log/);
    expect(status).toContain(".waymark/bots/");
  },
);
