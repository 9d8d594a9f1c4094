import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { anthropicMessages } from "../hosts/anthropic-messages.ts";
import { claudeEnv } from "../hosts/claude-env.ts";
import { codexConfig, codexTrust } from "../hosts/codex-config.ts";
import { openaiResponses } from "../hosts/openai-responses.ts";
import type { Host } from "../hosts/run-host.ts";

/** Claude Code without a terminal; it is told of no server but by the project. */
export const claude: Host = {
  dialect: anthropicMessages,
  entry: "@anthropic-ai/claude-code/cli-wrapper.cjs",
  launch: async ({ prompt }, home, url) => ({
    args: [
      ...["--print", prompt, "--model", "claude-sonnet-4-5", "--no-session-persistence"],
      ...["--allowedTools", "mcp__waymark__*", "Bash", "--permission-mode", "acceptEdits"],
    ],
    env: claudeEnv(home, url),
  }),
};

/** Codex as a person has it who trusted the folder; its own config knows no server. */
export function codexOf(model: string, settings = ""): (root: string) => Host {
  return (root) => ({
    dialect: openaiResponses,
    entry: "@openai/codex/bin/codex.js",
    launch: async ({ prompt }, home, url) => {
      writeFileSync(join(home, "config.toml"), codexConfig(url, model, settings) + codexTrust(root));
      return {
        args: [
          ...["exec", "--strict-config", "--skip-git-repo-check", "--ephemeral", "--color", "never"],
          // On a slow machine too the first turn comes when the server is there.
          ...["-c", "mcp_servers.waymark.required=true", "-c", "mcp_servers.waymark.startup_timeout_sec=240"],
          prompt,
        ],
        env: { CODEX_HOME: home },
      };
    },
  });
}
