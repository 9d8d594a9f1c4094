import { anthropicMessages } from "../anthropic-messages.ts";
import { claudeEnv } from "../claude-env.ts";
import type { WalkedHost } from "./walk.ts";

/** Claude Code without a terminal, told of server and hooks by the project. */
export const claude: WalkedHost = {
  title: "Claude Code",
  client: "claude",
  dialect: anthropicMessages,
  entry: "@anthropic-ai/claude-code/cli-wrapper.cjs",
  launch: async ({ prompt, resume }, home, url) => ({
    args: [
      ...["--print", prompt, "--model", "claude-sonnet-4-5", ...(resume ? ["--continue"] : [])],
      ...[
        "--allowedTools",
        "mcp__waymark__*",
        "mcp__plugin_story-bot-mcp_waymark__*",
        "mcp__plugin_waymark_waymark__*",
        "Bash",
        "Workflow",
        "--permission-mode",
        "acceptEdits",
      ],
    ],
    env: { ...claudeEnv(home, url), CLAUDE_CODE_AUTO_COMPACT_WINDOW: "100000" },
  }),
  write: (file, content) => ({ own: "Write", with: { file_path: file, content } }),
  shell: (command) => ({ own: "Bash", with: { command, description: "work" } }),
};
