import { join } from "node:path";
import { anthropicMessages } from "../anthropic-messages.ts";
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
      ...["--allowedTools", "mcp__waymark__*", "Bash", "--permission-mode", "acceptEdits"],
    ],
    env: {
      CLAUDE_CONFIG_DIR: join(home, "claude"),
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "none-needed",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      IS_SANDBOX: "1", // the tests may run as root
      MCP_TIMEOUT: "240000", // and on a slow machine
      CLAUDE_CODE_AUTO_COMPACT_WINDOW: "100000",
    },
  }),
  write: (file, content) => ({ own: "Write", with: { file_path: file, content } }),
  shell: (command) => ({ own: "Bash", with: { command, description: "work" } }),
};
