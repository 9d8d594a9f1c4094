import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { anthropicMessages } from "../hosts/anthropic-messages.ts";
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

/** Codex as a person has it who trusted the folder; its own config knows no server. */
export function codexOf(model: string, settings = ""): (root: string) => Host {
  return (root) => ({
    dialect: openaiResponses,
    entry: "@openai/codex/bin/codex.js",
    launch: async ({ prompt }, home, url) => {
      writeFileSync(join(home, "config.toml"), codexHome(root, model, url, settings));
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

function codexHome(root: string, model: string, url: string, settings: string): string {
  return `
model = ${JSON.stringify(model)}
model_provider = "scripted"
check_for_update_on_startup = false
analytics.enabled = false
feedback.enabled = false
features.apps = false
features.plugins = false
${settings}
[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0

[projects.${JSON.stringify(root)}]
trust_level = "trusted"
`;
}
