import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { codexConfig, codexTrust } from "./codex-config.ts";
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
    const trusting = `default_tools_approval_mode = "approve"\n${codexTrust(run.root)}`;
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
  return `${codexConfig(url, run.model ?? "scripted")}
[mcp_servers.waymark]
command = ${JSON.stringify(command)}
args = ${JSON.stringify(args)}
required = true
startup_timeout_sec = 240
`;
}
