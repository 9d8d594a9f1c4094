import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openaiResponses } from "./openai-responses.ts";
import { type Host, type HostResult, type HostRun, runHost } from "./run-host.ts";

const codex: Host = {
  dialect: openaiResponses,
  entry: "@openai/codex/bin/codex.js",
  async launch(run, home, url) {
    await writeFile(join(home, "config.toml"), configFor(run, url));
    return {
      args: ["exec", "--strict-config", "--skip-git-repo-check", "--ephemeral", "--color", "never", run.prompt],
      env: { CODEX_HOME: home },
    };
  },
};

/** Codex at a terminal, as a person has it who trusts this folder and this server. */
export const codexAtTerminal: Host = {
  ...codex,
  async launch(run, home, url) {
    const trusting = `default_tools_approval_mode = "approve"\n\n[projects.${JSON.stringify(run.root)}]\ntrust_level = "trusted"\n`;
    await writeFile(join(home, "config.toml"), configFor(run, url) + trusting);
    return { args: ["--strict-config", run.prompt], env: { CODEX_HOME: home } };
  },
};

/** Runs `codex exec` as a user without a terminal would: default approvals, read-only sandbox, no account. */
export function runCodex(run: HostRun): Promise<HostResult> {
  return runHost(codex, run);
}

function configFor(run: HostRun, url: string): string {
  const [command, ...args] = run.mcpCommand;
  return `
model = ${JSON.stringify(run.model ?? "scripted")}
model_provider = "scripted"
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

[mcp_servers.waymark]
command = ${JSON.stringify(command)}
args = ${JSON.stringify(args)}
required = true
startup_timeout_sec = 240
`;
}
