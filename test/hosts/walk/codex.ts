import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openaiResponses } from "../openai-responses.ts";
import type { WalkedHost } from "./walk.ts";

/** Codex as a person has it who trusts the folder and its hooks. */
export const codex: WalkedHost = {
  title: "Codex",
  client: "codex",
  dialect: openaiResponses,
  entry: "@openai/codex/bin/codex.js",
  launch: async ({ prompt, resume, root }, home, url) => {
    await writeFile(join(home, "config.toml"), config(root, url));
    return {
      args: [
        ...["exec", ...(resume ? ["resume", "--last"] : []), "--strict-config", "--skip-git-repo-check"],
        ...["--dangerously-bypass-hook-trust", "--dangerously-bypass-approvals-and-sandbox"],
        // On a slow machine too the first turn comes when the server is there.
        ...["-c", "mcp_servers.waymark.required=true", "-c", "mcp_servers.waymark.startup_timeout_sec=240"],
        prompt,
      ],
      env: { CODEX_HOME: home },
    };
  },
  write: (file, text) => ({
    own: "exec_command",
    with: { cmd: `apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: ${file}\n+${text}\n*** End Patch\nEOF` },
  }),
  shell: (cmd) => ({ own: "exec_command", with: { cmd } }),
};

function config(root: string, url: string): string {
  return `
model = "scripted"
model_provider = "scripted"
model_context_window = 200000
model_auto_compact_token_limit = 150000
check_for_update_on_startup = false
analytics.enabled = false
feedback.enabled = false
features.apps = false
features.plugins = false

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
