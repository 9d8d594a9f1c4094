import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { callPhase, plantWorkflow } from "../phased.ts";
import { makeProject, type Project } from "../project.ts";
import { openWindow } from "../window.ts";
import { claudeSession, contextIn, denialIn } from "./hook.ts";

const gate = ".waymark/base_actions/gather_context/gate-definition.yaml";

async function opened(project: Project = makeProject()) {
  project.write(gate, 'edits: ["src/**", "*.md"]\n');
  const window = await openWindow(project.root);
  await window.call("story_bot");
  await window.close(); // what hooks see is written by then
  const session = claudeSession(project, "one");
  await session.tell("PreToolUse", { tool_name: "mcp__waymark__story_bot", tool_input: {} });
  return { project, session };
}

describe("a session that works with Waymark", () => {
  it("gets a card at start, resume and after compaction, in at most 300 tokens", async () => {
    const { session } = await opened();
    for (const source of ["startup", "resume", "compact"]) {
      const text = contextIn(await session.tell("SessionStart", { source }));
      expect(text).toContain("Open: story_bot.shape.gather_context");
      expect(text).toContain("complete_action");
      expect(text).toContain("src/**, *.md");
      expect(countTokens(text)).toBeLessThanOrEqual(300);
    }
  });

  it("is denied edits outside what the open step may change, and of Waymark's own files", async () => {
    const { project, session } = await opened();
    const edit = (path: string) => session.tell("PreToolUse", { tool_name: "Write", tool_input: { file_path: path } });
    expect(denialIn(await edit(project.path("lib/a.js")))).toContain("lib/a.js is outside");
    expect(denialIn(await edit("lib/a.js"))).toContain("src/**, *.md");
    expect(denialIn(await edit(project.path("src/a.js")))).toBeUndefined();
    expect(denialIn(await edit(project.path("docs/b.md")))).toBeUndefined();
    expect(denialIn(await edit(project.path("workflow_state.json")))).toContain("belongs to Waymark");
    expect(denialIn(await edit(project.path("src/../.waymark/journal/x")))).toContain("belongs to Waymark");
    expect(denialIn(await edit("/somewhere/else.txt"))).toBeUndefined();
  });

  it("is denied shell commands that write there, and no command that reads", async () => {
    const { session } = await opened();
    const run = (command: string) => session.tell("PreToolUse", { tool_name: "Bash", tool_input: { command } });
    expect(denialIn(await run("mkdir -p lib && echo x > lib/b.js"))).toContain("lib/b.js");
    expect(denialIn(await run("rm -rf .waymark/journal"))).toContain("belongs to Waymark");
    expect(denialIn(await run("echo '{}' > workflow_state.json"))).toContain("belongs to Waymark");
    expect(denialIn(await run(`python3 -c "open('.waymark/x','w').write('')"`))).toContain("belongs to Waymark");
    for (const command of ["cat .waymark/config.json", "ls .waymark", "echo x > src/b.js", "npm test > /tmp/out.txt"])
      expect(denialIn(await run(command))).toBeUndefined();
    const read = await session.tell("PreToolUse", { tool_name: "Read", tool_input: { file_path: ".waymark/x" } });
    expect(read).toEqual({});
  });

  it("sees a blocked step first, with its reason and what a person can do, and is not reminded of it", async () => {
    const { project, session } = await opened();
    const window = await openWindow(project.root);
    await window.call("story_bot", { resume: "continue" });
    await window.call("complete_action", { blocked: `No device. ${"And no other one. ".repeat(80)}` });
    await window.close();
    const text = contextIn(await session.tell("SessionStart", { source: "compact" }));
    expect(text).toContain("Blocked: No device.");
    expect(text).toContain('waymark answer story_bot.shape "TEXT"');
    expect(countTokens(text)).toBeLessThanOrEqual(300);
    expect(await session.tell("Stop", { stop_hook_active: false })).toEqual({});
  });

  it("is reminded at a stop once a step, never while a hook keeps it going, and never while a person is asked", async () => {
    const { project, session } = await opened();
    expect(await session.tell("Stop", { stop_hook_active: true })).toEqual({});
    expect(await session.tell("Stop", { stop_hook_active: false })).toMatchObject({ decision: "block" });
    expect(await session.tell("Stop", { stop_hook_active: false })).toEqual({});
    const window = await openWindow(project.root);
    await window.call("story_bot", { resume: "continue" });
    await window.call("complete_action", { outputs: { done: "yes" } });
    await window.close();
    const other = claudeSession(project, "two");
    await other.tell("PreToolUse", { tool_name: "mcp__waymark__story_bot", tool_input: {} });
    expect(await other.tell("Stop", { stop_hook_active: false })).toEqual({});
    expect(contextIn(await other.tell("SessionStart", { source: "resume" }))).toContain("Waiting for approval");
  });

  it("hears of its own run, and not of another's", async () => {
    const project = makeProject();
    const window = await openWindow(project.root);
    await window.call("story_bot", { run: "login" });
    await window.call("story_bot", { run: "search" });
    await window.close();
    const session = claudeSession(project, "one");
    await session.tell("PostToolUse", {
      tool_name: "mcp__waymark__story_bot",
      tool_input: { run: "login" },
      tool_response: JSON.stringify({ status: "started", bot: "story_bot", run: "login" }),
    });
    const text = contextIn(await session.tell("SessionStart", { source: "compact" }));
    expect(text).toContain("(run login)");
    expect(text).not.toContain("search");
  });

  it("is told what comes next where nothing is open, and is kept from nothing then", async () => {
    const project = makeProject();
    const window = await openWindow(project.root);
    await window.pass("story_bot");
    await window.close();
    const session = claudeSession(project, "one");
    await session.tell("PreToolUse", { tool_name: "mcp__waymark__complete_action", tool_input: {} });
    expect(contextIn(await session.tell("SessionStart", { source: "compact" }))).toContain(
      "Next: story_bot.shape.decide_planning_criteria. Call story_bot",
    );
    expect(await session.tell("Stop", { stop_hook_active: false })).toEqual({});
    const edit = { tool_name: "Write", tool_input: { file_path: ".waymark/x" } };
    expect(await session.tell("PreToolUse", edit)).toEqual({});
  });
});

describe("any other session", () => {
  it("gets one line at its start, and is not hindered", async () => {
    const { project } = await opened();
    const session = claudeSession(project, "hotfix");
    const line = contextIn(await session.tell("SessionStart", { source: "startup" }));
    expect(line).toMatch(/^Waymark has work open here: story_bot\.shape\.gather_context\. .*$/);
    for (const file of ["lib/a.js", ".waymark/config.json", "workflow_state.json"])
      expect(await session.tell("PreToolUse", { tool_name: "Edit", tool_input: { file_path: file } })).toEqual({});
    expect(await session.tell("Stop", { stop_hook_active: false })).toEqual({});
    expect(await session.tell("UserPromptSubmit", { prompt: "hello" })).toEqual({});
  });

  it("hears nothing where nothing is open", async () => {
    const project = makeProject();
    const session = claudeSession(project, "one");
    expect(await session.tell("SessionStart", { source: "startup" })).toEqual({});
    await session.tell("PreToolUse", { tool_name: "mcp__waymark__search_standards", tool_input: {} });
    expect(await session.tell("PreToolUse", { tool_name: "Write", tool_input: { file_path: ".waymark/x" } })).toEqual(
      {},
    );
  });
});

it("a phased session has a card that names its id, its phase and the call that completes it", async () => {
  const project = plantWorkflow();
  const window = await openWindow(project.root);
  const begun = { workflow_type: "survey", target_file: "src/prices.ts" };
  const started = await callPhase(window, "start_workflow", begun);
  await window.close();
  const session = claudeSession(project, "one");
  await session.tell("PostToolUse", {
    tool_name: "mcp__waymark__start_workflow",
    tool_input: begun,
    tool_response: JSON.stringify({ session_id: started.session_id }),
  });
  const text = contextIn(await session.tell("SessionStart", { source: "compact" }));
  expect(text).toContain(`"session_id": "${started.session_id}"`);
  expect(text).toContain("complete_phase");
  expect(countTokens(text)).toBeLessThanOrEqual(300);
});

it("what was never shown to hooks, or went on unseen, is read from the history", async () => {
  const { project, session } = await opened();
  project.remove(".waymark/open");
  expect(contextIn(await session.tell("SessionStart", { source: "resume" }))).toContain(
    "story_bot.shape.gather_context",
  );
});
