import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runCli } from "../command-line.ts";
import { anthropicMessages } from "./anthropic-messages.ts";
import type { Dialect, Seen } from "./model-api.ts";
import { makeProject } from "./project.ts";
import { type Host, runHost } from "./run-host.ts";

const server = resolve("dist/waymark.js");

/** The host's own tools, beside ours. */
const withOwnTools: Dialect = {
  ...anthropicMessages,
  write: (turn, seen) =>
    JSON.parse(JSON.stringify(anthropicMessages.write(turn, seen)).replace(/mcp__waymark__(Write|Bash)/g, "$1")),
};

/** Claude Code in a folder that `init` has set up: the server and the hooks are the project's. */
const claude: Host = {
  dialect: withOwnTools,
  entry: "@anthropic-ai/claude-code/cli-wrapper.cjs",
  launch: async (run, home, url) => ({
    args: [
      ...["--print", run.prompt, "--no-session-persistence", "--model", "claude-sonnet-4-5"],
      ...["--mcp-config", join(run.root, ".mcp.json"), "--strict-mcp-config", "--allowedTools", "mcp__waymark__*"],
    ],
    env: {
      CLAUDE_CONFIG_DIR: join(home, "claude"),
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "none-needed",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      IS_SANDBOX: "1",
      MCP_TIMEOUT: "240000",
    },
  }),
};

it("Claude Code with the hooks of init denies what lies outside the open step, and is reminded once at the end", async () => {
  const root = await mkdtemp(join(tmpdir(), "waymark-hooks-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await makeProject(root);
  await writeFile(join(root, ".waymark/base_actions/gather_context/gate-definition.yaml"), 'edits: ["src/**"]\n');
  const command = `${process.execPath} ${server}`;
  const { code, stderr } = await runCli(["init", "--root", root, "--client", "claude", "--command", command], root);
  expect([code, stderr]).toEqual([0, ""]);
  const saw = { opened: "", outside: "", own: "" };
  const result = await runHost(claude, {
    root,
    mcpCommand: [process.execPath, server, "serve", "--root", root],
    prompt: "Let us write user stories.",
    script: async function* (first: Seen) {
      if (!first.tools.join().includes("story_bot")) yield { search: "user stories" };
      saw.opened = last(yield { call: "story_bot", with: {} });
      saw.outside = last(yield { call: "Write", with: { file_path: join(root, "lib/a.js"), content: "x" } });
      saw.own = last(yield { call: "Bash", with: { command: "echo '{}' > workflow_state.json", description: "x" } });
      return "That was all.";
    },
  });
  expect(result.exitCode, result.stderr).toBe(0);
  expect(saw.outside).toContain("lies outside what story_bot.shape.gather_context may change");
  expect(saw.own).toContain("Waymark's own");
  await expect(readFile(join(root, "lib/a.js"))).rejects.toThrow();
  const reminders = result.requests.filter(({ body }) => JSON.stringify(body).includes("gather_context is still open"));
  expect(reminders.length).toBe(1);
});

function last(seen: Seen): string {
  return seen.answers.at(-1) ?? "";
}
