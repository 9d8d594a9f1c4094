import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { codexConfig, codexTrust } from "../codex-config.ts";
import { openaiResponses } from "../openai-responses.ts";
import type { WalkedHost } from "./walk.ts";

/** Codex as a person has it who trusts the folder and its hooks. */
export const codex: WalkedHost = {
  title: "Codex",
  client: "codex",
  dialect: openaiResponses,
  entry: "@openai/codex/bin/codex.js",
  launch: async ({ prompt, resume, root }, home, url) => {
    const config = join(home, "config.toml"); // it keeps there what is installed
    if (!existsSync(config)) await writeFile(config, codexConfig(url, "scripted", settings) + codexTrust(root));
    return {
      args: [
        ...["exec", ...(resume ? ["resume", "--last"] : []), "--strict-config", "--skip-git-repo-check"],
        ...["--dangerously-bypass-hook-trust", "--dangerously-bypass-approvals-and-sandbox"],
        ...["-c", `model_providers.scripted.base_url="${url}/v1"`],
        // On a slow machine too the first turn comes when the server is there.
        ...(existsSync(join(root, ".codex/config.toml")) ? patience : []),
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

const settings = `
model_context_window = 200000
model_auto_compact_token_limit = 150000
features.plugins = true
`;

const patience = ["-c", "mcp_servers.waymark.required=true", "-c", "mcp_servers.waymark.startup_timeout_sec=240"];
