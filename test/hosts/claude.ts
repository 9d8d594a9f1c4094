import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { anthropicMessages } from "./anthropic-messages.ts";
import { type Host, type HostResult, type HostRun, runHost } from "./run-host.ts";

const claude: Host = {
  dialect: anthropicMessages,
  entry: "@anthropic-ai/claude-code/cli-wrapper.cjs",
  async launch(run, home, url) {
    const [command, ...args] = run.mcpCommand;
    const servers = join(home, "mcp.json");
    await writeFile(servers, JSON.stringify({ mcpServers: { waymark: { command, args } } }));
    return {
      args: [
        "--print",
        run.prompt,
        ...["--model", run.model ?? "claude-sonnet-4-5"],
        ...["--mcp-config", servers, "--strict-mcp-config"],
        ...["--allowedTools", "mcp__waymark__*"],
        "--no-session-persistence",
      ],
      env: {
        CLAUDE_CONFIG_DIR: join(home, "claude"),
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_API_KEY: "none-needed",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_AUTOUPDATER: "1",
        IS_SANDBOX: "1", // the tests may run as root
      },
    };
  },
};

/** Runs `claude --print` as a user without a terminal would, with Waymark's tools allowed and no account. */
export function runClaude(run: HostRun): Promise<HostResult> {
  return runHost(claude, run);
}
