import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { answerHook } from "../../src/cli/work/hook.ts";
import { makeProject, type Project } from "../project.ts";
import { openWindow } from "../window.ts";
import { claudeSession, contextIn, denialIn } from "./hook.ts";

const gate = ".waymark/base_actions/gather_context/gate-definition.yaml";

function git(folder: string, ...args: readonly string[]): void {
  const who = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"];
  execFileSync("git", [...who, ...args], { cwd: folder, stdio: "ignore" });
}

async function opened(...runs: readonly (string | undefined)[]): Promise<Project> {
  const project = makeProject();
  project.write(gate, 'edits: ["src/**"]\n');
  await open(project, ...runs);
  return project;
}

async function open(project: Pick<Project, "root">, ...runs: readonly (string | undefined)[]): Promise<void> {
  const window = await openWindow(project.root);
  for (const run of runs) await window.call("story_bot", run === undefined ? {} : { run });
  await window.close();
}

const edit = (path: string) => ({ tool_name: "Write", tool_input: { file_path: path } });
const called = (run?: string) => ({
  tool_name: "mcp__waymark__story_bot",
  tool_input: run === undefined ? {} : { run },
  tool_response: JSON.stringify({ status: "started", bot: "story_bot", ...(run === undefined ? {} : { run }) }),
});

it("a session that works at a linked work tree's run from the main tree has that run, and nobody else's", async () => {
  const project = makeProject();
  project.write(gate, 'edits: ["src/**"]\n');
  project.write("src/a.js", "1");
  git(project.root, "init", "-q", "-b", "main");
  git(project.root, "add", "-A");
  git(project.root, "commit", "-qm", "all");
  git(project.root, "worktree", "add", "-q", "-b", "feat/x", `${project.root}-tree`);
  await open(project, undefined, "feat/x");
  const session = claudeSession(project, "one");
  await session.tell("PostToolUse", called("feat/x"));
  const text = contextIn(await session.tell("SessionStart", { source: "compact" }));
  expect(text).toContain("(run feat/x)");
  expect(text.match(/Open:/g)).toHaveLength(1);
  expect(denialIn(await session.tell("PreToolUse", edit(`${project.root}-tree/lib/n`)))).toContain("is outside");
  expect(denialIn(await session.tell("PreToolUse", edit(`${project.root}-tree/src/n`)))).toBeUndefined();
  expect(denialIn(await session.tell("PreToolUse", edit(project.path("lib/n"))))).toBeUndefined();
  expect(JSON.stringify(await session.tell("Stop"))).toContain("(run feat/x)");
  const other = claudeSession(project, "two");
  const line = contextIn(await other.tell("SessionStart", { source: "startup" }));
  expect(line).not.toContain("feat/x");
});

it("a session whose calls were about no work here has none: others' is not its own", async () => {
  const project = await opened(undefined);
  const session = claudeSession(project, "one");
  await session.tell("PostToolUse", called("unheard-of"));
  expect(contextIn(await session.tell("SessionStart", { source: "compact" }))).toMatch(/^Waymark has work open here/);
  expect(await session.tell("PreToolUse", edit("lib/a.js"))).toEqual({});
  expect(await session.tell("Stop")).toEqual({});
});

it("a tool of another server that is called like a bot makes nobody a session of Waymark's", async () => {
  const project = await opened(undefined);
  const session = claudeSession(project, "one");
  const slack = { tool_name: "mcp__slack__notify_bot", tool_input: {}, mcp_server: { name: "slack" } };
  await session.tell("PreToolUse", slack);
  await session.tell("PostToolUse", slack);
  expect(await session.tell("PreToolUse", edit("lib/a.js"))).toEqual({});
});

it("a server that somebody gave another name is known by the bots that are at work here", async () => {
  const project = await opened(undefined);
  const session = claudeSession(project, "one");
  const own = { tool_name: "mcp__process__story_bot", tool_input: {}, mcp_server: { name: "process" } };
  await session.tell("PostToolUse", own);
  expect(denialIn(await session.tell("PreToolUse", edit("lib/a.js")))).toContain("is outside");
});

it("each step that is open is reminded of once, also with another one open", async () => {
  const project = await opened("feat");
  const session = claudeSession(project, "one");
  await session.tell("PostToolUse", called("feat"));
  expect(JSON.stringify(await session.tell("Stop"))).toContain("(run feat)");
  await open(project, "feat2");
  await session.tell("PostToolUse", called("feat2"));
  expect(JSON.stringify(await session.tell("Stop"))).toContain("(run feat2)");
  expect(await session.tell("Stop")).toEqual({});
});

it("where nothing is open a new session is not told that something is", async () => {
  const project = makeProject();
  const window = await openWindow(project.root);
  await window.pass("story_bot");
  await window.close();
  const line = contextIn(await claudeSession(project, "one").tell("SessionStart", { source: "startup" }));
  expect(line).toContain("with no open step; next is story_bot.shape.decide_planning_criteria");
});

const tell = async (host: string, event: string, project: Project, sent: Record<string, unknown>) =>
  answerHook(host, event, JSON.stringify({ cwd: project.root, session_id: "one", ...sent }));

const bot = { tool_name: "mcp__waymark__story_bot", tool: "waymark_story_bot", toolName: "waymark-story_bot" };

it.each<readonly [host: string, event: string, sent: Record<string, unknown>, fate: "denied" | "passes"]>([
  [
    "gemini",
    "BeforeTool",
    {
      tool_name: "mcp_filesystem_write_file",
      tool_input: { path: "lib/x" },
      mcp_context: { server_name: "filesystem", tool_name: "write_file" },
    },
    "denied",
  ],
  ["copilot", "preToolUse", { toolName: "filesystem-write_file", toolArgs: { path: "lib/x" } }, "denied"],
  ["opencode", "tool.execute.before", { tool: "filesystem_write_file", args: { path: "lib/x" } }, "denied"],
  [
    "claude",
    "PreToolUse",
    { tool_name: "mcp__fs__move_file", tool_input: { source: "lib/x", destination: "src/x" } },
    "denied",
  ],
  [
    "claude",
    "PreToolUse",
    { tool_name: "mcp__fs__copy_file", tool_input: { source: "lib/x", destination: "src/x" } },
    "passes",
  ],
  ["claude", "PreToolUse", { tool_name: "mcp__fs__create_directory", tool_input: { path: "src" } }, "passes"],
  [
    "claude",
    "PreToolUse",
    { tool_name: "mcp__github__delete_file", tool_input: { owner: "o", repo: "r", path: "lib/x" } },
    "passes",
  ],
  [
    "copilot",
    "preToolUse",
    { toolName: "str_replace_editor", toolArgs: { command: "view", path: ".waymark/x" } },
    "passes",
  ],
  [
    "copilot",
    "preToolUse",
    { toolName: "str_replace_editor", toolArgs: { command: "create", path: ".waymark/x" } },
    "denied",
  ],
  [
    "cursor",
    "preToolUse",
    { tool_name: "Shell", tool_input: { command: "touch x", working_directory: "lib" } },
    "denied",
  ],
  [
    "cursor",
    "preToolUse",
    { tool_name: "Shell", tool_input: { command: "touch x", working_directory: "src" } },
    "passes",
  ],
  [
    "codex",
    "PreToolUse",
    { tool_name: "shell", tool_input: { command: ["bash", "-lc", "cd lib && touch x"] } },
    "denied",
  ],
])("%s, %s: %j %s", async (host, event, sent, fate) => {
  const project = await opened(undefined);
  await tell(host, event, project, bot);
  expect((await tell(host, event, project, sent)) === "{}").toBe(fate === "passes");
});

it("a turn that a person broke off is not sent on", async () => {
  const project = await opened(undefined);
  await tell("cursor", "afterMCPExecution", project, { tool_name: "story_bot", tool_input: "{}" });
  expect(await tell("cursor", "stop", project, { status: "aborted", loop_count: 0 })).toBe("{}");
  expect(await tell("cursor", "stop", project, { status: "completed", loop_count: 0 })).toContain("followup_message");
});
