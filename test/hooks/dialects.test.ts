import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { answerHook } from "../../src/cli/work/hook.ts";
import { hookHosts } from "../../src/hosts/hooks/hook-event.ts";
import { makeProject, type Project } from "../project.ts";
import { openWindow } from "../window.ts";

let project: Project;
beforeEach(async () => {
  project = makeProject();
  project.write(".waymark/base_actions/gather_context/gate-definition.yaml", 'edits: ["src/**"]\n');
  const window = await openWindow(project.root);
  await window.call("story_bot");
  await window.close();
});

/** What each host sends, as it was seen with the real ones (Cursor and VS Code: as documented), and what it understands. */
type Dialect = {
  readonly host: string;
  readonly session: Record<string, unknown>;
  readonly called: readonly [event: string, sent: Record<string, unknown>];
  readonly card: readonly [event: string, sent: Record<string, unknown>, answer: (text: string) => unknown];
  readonly edit: readonly [event: string, sent: Record<string, unknown>, answer: (text: string) => unknown];
  readonly shell: readonly [event: string, sent: Record<string, unknown>];
  readonly read: readonly [event: string, sent: Record<string, unknown>];
  readonly stop?: readonly [event: string, sent: Record<string, unknown>, answer: (text: string) => unknown];
};

const asClaude = (event: string) => (text: string) => ({
  hookSpecificOutput: { hookEventName: event, additionalContext: text },
});
const deniedAsClaude = (reason: string) => ({
  hookSpecificOutput: {
    hookEventName: "PreToolUse",
    permissionDecision: "deny",
    permissionDecisionReason: reason,
  },
});
const block = (reason: string) => ({ decision: "block", reason });
const outside = expect.stringContaining("lib/a.js is outside") as unknown as string;
const open = expect.stringContaining("story_bot.shape.gather_context") as unknown as string;
const writeLib = { command: "echo x > lib/a.js" };

const dialects: readonly Dialect[] = [
  {
    host: "claude",
    session: { session_id: "s", transcript_path: "/t", permission_mode: "default" },
    called: ["PreToolUse", { tool_name: "mcp__waymark__story_bot", tool_input: {}, mcp_server: { name: "waymark" } }],
    card: ["SessionStart", { source: "compact" }, asClaude("SessionStart")],
    edit: ["PreToolUse", { tool_name: "Edit", tool_input: { file_path: "lib/a.js" } }, deniedAsClaude],
    shell: ["PreToolUse", { tool_name: "Bash", tool_input: writeLib }],
    read: ["PreToolUse", { tool_name: "Read", tool_input: { file_path: ".waymark/x" } }],
    stop: ["Stop", { stop_hook_active: false, last_assistant_message: "done" }, block],
  },
  {
    host: "codex",
    session: { session_id: "s", turn_id: "t", model: "m" },
    called: [
      "PostToolUse",
      { tool_name: "mcp__waymark__story_bot", tool_input: {}, tool_response: { bot: "story_bot" } },
    ],
    card: ["SessionStart", { source: "compact" }, asClaude("SessionStart")],
    edit: [
      "PreToolUse",
      {
        tool_name: "apply_patch",
        tool_input: { command: "*** Begin Patch\n*** Update File: lib/a.js\n+x\n*** End Patch" },
      },
      deniedAsClaude,
    ],
    shell: ["PreToolUse", { tool_name: "Bash", tool_input: writeLib }],
    read: ["PreToolUse", { tool_name: "Bash", tool_input: { command: "cat .waymark/config.json" } }],
    stop: ["Stop", { stop_hook_active: false }, block],
  },
  {
    host: "qwen",
    session: { session_id: "s" },
    called: ["PreToolUse", { tool_name: "mcp__waymark__story_bot", tool_input: {} }],
    card: ["SessionStart", { source: "resume" }, asClaude("SessionStart")],
    edit: ["PreToolUse", { tool_name: "write_file", tool_input: { file_path: "lib/a.js" } }, deniedAsClaude],
    shell: ["PreToolUse", { tool_name: "run_shell_command", tool_input: writeLib }],
    read: ["PreToolUse", { tool_name: "read_file", tool_input: { absolute_path: ".waymark/x" } }],
    stop: ["Stop", { stop_hook_active: false }, block],
  },
  {
    host: "gemini",
    session: { session_id: "s", timestamp: "now" },
    called: [
      "BeforeTool",
      {
        tool_name: "mcp_waymark_story_bot",
        tool_input: {},
        mcp_context: { server_name: "waymark", tool_name: "story_bot" },
      },
    ],
    card: ["BeforeAgent", { prompt: "go on" }, asClaude("BeforeAgent")],
    edit: [
      "BeforeTool",
      { tool_name: "replace", tool_input: { file_path: "lib/a.js" } },
      (reason) => ({ decision: "deny", reason }),
    ],
    shell: ["BeforeTool", { tool_name: "run_shell_command", tool_input: writeLib }],
    read: ["BeforeTool", { tool_name: "read_file", tool_input: { file_path: ".waymark/x" } }],
    stop: [
      "AfterAgent",
      { prompt_response: "done", stop_hook_active: false },
      (reason) => ({ decision: "deny", reason }),
    ],
  },
  {
    host: "copilot",
    session: { sessionId: "s", timestamp: 1 },
    called: [
      "postToolUse",
      {
        toolName: "waymark-story_bot",
        toolArgs: "{}",
        toolResult: { resultType: "success", textResultForLlm: "[started] story_bot.shape" },
      },
    ],
    card: ["sessionStart", { source: "resume" }, (additionalContext) => ({ additionalContext })],
    edit: [
      "preToolUse",
      { toolName: "create", toolArgs: JSON.stringify({ path: "lib/a.js" }) },
      (reason) => ({ permissionDecision: "deny", permissionDecisionReason: reason }),
    ],
    shell: ["preToolUse", { toolName: "bash", toolArgs: writeLib }],
    read: ["preToolUse", { toolName: "view", toolArgs: { path: ".waymark/x" } }],
    stop: ["agentStop", { stopReason: "end_turn" }, block],
  },
  {
    host: "opencode",
    session: { sessionID: "s" },
    called: ["tool.execute.before", { tool: "waymark_story_bot", args: {} }],
    card: ["experimental.chat.system.transform", {}, (context) => ({ context })],
    edit: ["tool.execute.before", { tool: "write", args: { filePath: "lib/a.js" } }, (deny) => ({ deny })],
    shell: ["tool.execute.before", { tool: "bash", args: writeLib }],
    read: ["tool.execute.before", { tool: "read", args: { filePath: ".waymark/x" } }],
    stop: ["session.idle", {}, (remind) => ({ remind })],
  },
  {
    host: "cursor",
    session: { conversation_id: "s", generation_id: "g" },
    called: ["beforeMCPExecution", { tool_name: "story_bot", tool_input: "{}" }],
    card: ["sessionStart", {}, (additional_context) => ({ additional_context })],
    edit: [
      "preToolUse",
      { tool_name: "Write", tool_input: { file_path: "lib/a.js" } },
      (reason) => ({ permission: "deny", user_message: reason, agent_message: reason }),
    ],
    shell: ["beforeShellExecution", writeLib],
    read: ["preToolUse", { tool_name: "Read", tool_input: { file_path: ".waymark/x" } }],
    stop: ["stop", { status: "completed", loop_count: 0 }, (followup_message) => ({ followup_message })],
  },
  {
    // VS Code runs the hooks that it finds in .claude/settings.json, with names of its own.
    host: "claude",
    session: { sessionId: "vs", hookEventName: "x" },
    called: ["PreToolUse", { tool_name: "mcp_waymark_story_bot", tool_input: {} }],
    card: ["SessionStart", { source: "new" }, asClaude("SessionStart")],
    edit: ["PreToolUse", { tool_name: "editFiles", tool_input: { files: ["lib/a.js"] } }, deniedAsClaude],
    shell: ["PreToolUse", { tool_name: "runInTerminal", tool_input: writeLib }],
    read: ["PreToolUse", { tool_name: "readFile", tool_input: { filePath: ".waymark/x" } }],
    stop: ["Stop", {}, (reason) => ({ hookSpecificOutput: { hookEventName: "Stop", ...block(reason) } })],
  },
];

describe.each(dialects)("$host ($session)", ({ host, session, called, card, edit, shell, read, stop }) => {
  it("is told the position, denied what lies outside, and reminded once, in its own words", async () => {
    const tell = async ([event, sent]: readonly [string, Record<string, unknown>, ...unknown[]]): Promise<unknown> =>
      JSON.parse(await answerHook(host, event, JSON.stringify({ cwd: project.root, ...session, ...sent })));
    expect(await tell(edit)).toEqual({});
    expect(await tell(called)).toEqual({});
    expect(await tell(card)).toEqual(card[2](open));
    expect(await tell(edit)).toEqual(edit[2](outside));
    expect(await tell(shell)).toEqual(edit[2](outside));
    expect(await tell(read)).toEqual({});
    if (stop === undefined) return;
    expect(await tell(stop)).toEqual(stop[2](open));
    expect(await tell(stop)).toEqual({});
  });
});

it("a host that only says that it compacts gets the card with the next prompt or tool", async () => {
  const tell = async (event: string, sent: Record<string, unknown>): Promise<unknown> =>
    JSON.parse(await answerHook("copilot", event, JSON.stringify({ cwd: project.root, sessionId: "s", ...sent })));
  await tell("preToolUse", { toolName: "waymark-story_bot", toolArgs: {} });
  expect(await tell("postToolUse", { toolName: "view", toolArgs: {} })).toEqual({});
  await tell("preCompact", { trigger: "auto" });
  expect(await tell("postToolUse", { toolName: "view", toolArgs: {} })).toEqual({ additionalContext: open });
  expect(await tell("postToolUse", { toolName: "view", toolArgs: {} })).toEqual({});
  await tell("preCompact", { trigger: "auto" });
  const again = { toolName: "waymark-story_bot", toolArgs: {} };
  expect(await tell("postToolUse", again)).toEqual({ additionalContext: open });
});

it.each([
  ["claude", "SessionStart", "no JSON at all"],
  ["claude", "SessionStart", ""],
  ["claude", "SessionStart", "[1, 2]"],
  ["claude", "PreToolUse", '{"tool_name": 7, "tool_input": [{}], "cwd": "/nowhere/at/all"}'],
  ["claude", "PreToolUse", `{"tool_name": "Write", "tool_input": ${"[".repeat(5000)}${"]".repeat(5000)}}`],
  ["nobody", "SessionStart", "{}"],
  ["claude", "no such event", "{}"],
])("%s %s is answered with nothing where it was sent %s", async (host, event, sent) => {
  vi.stubEnv("CLAUDE_PROJECT_DIR", mkdtempSync(join(tmpdir(), "waymark-nothing-"))); // and not where the tests are run
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(JSON.parse(await answerHook(host, event, sent))).toEqual({});
});

it("whatever any host sends at any event is answered with valid JSON, and blocks nothing that it does not tell of", async () => {
  const garbage = [
    "",
    "null",
    "[1]",
    '"x"',
    "{",
    "\0\u001b[31m",
    '{"tool_name":{},"tool_input":"{","session_id":7,"cwd":9}',
  ];
  const nowhere = {
    cwd: "/nowhere/at/all",
    session_id: "s",
    tool_name: "Write",
    tool_input: { file_path: ".waymark/x" },
  };
  vi.stubEnv("CLAUDE_PROJECT_DIR", project.root);
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const host of hookHosts)
    for (const event of events)
      for (const sent of [...garbage, JSON.stringify(nowhere)]) {
        const answer = JSON.parse(await answerHook(host, event, sent));
        expect(JSON.stringify(answer), `${host} ${event} ${sent}`).not.toMatch(/deny|block|followup|remind/);
      }
});

/** Everything that one of the hosts calls an event of its hooks. */
const events = [
  ...[
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PreCompact",
    "PostCompact",
    "Stop",
    "SessionEnd",
  ],
  ...["BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent", "PreCompress", "sessionStart", "userPromptSubmitted"],
  ...["preToolUse", "postToolUse", "agentStop", "preCompact", "beforeShellExecution", "beforeMCPExecution"],
  ...["afterMCPExecution", "beforeSubmitPrompt", "stop", "tool.execute.before", "tool.execute.after", "session.idle"],
  ...[
    "experimental.chat.system.transform",
    "experimental.session.compacting",
    "SubagentStop",
    "Elicitation",
    "",
    "__proto__",
  ],
];
