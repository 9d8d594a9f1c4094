import { join } from "node:path";

/** What Claude Code is told by its environment: a home of its own, the model, and to stay by itself. */
export function claudeEnv(home: string, url: string): { readonly [name: string]: string } {
  return {
    CLAUDE_CONFIG_DIR: join(home, "claude"),
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "none-needed",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    IS_SANDBOX: "1", // the tests may run as root
    MCP_TIMEOUT: "240000", // and on a slow machine
  };
}
