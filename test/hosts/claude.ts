import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { anthropicMessages } from "./anthropic-messages.ts";
import { claudeEnv } from "./claude-env.ts";
import { type Host, type HostResult, type HostRun, runHost } from "./run-host.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

const key = "none-needed";

/** Claude Code; without a terminal unless `isSeated`. */
function claude(isSeated: boolean): Host {
  return {
    dialect: anthropicMessages,
    entry: "@anthropic-ai/claude-code/cli-wrapper.cjs",
    async launch(run, home, url) {
      const servers = join(home, "mcp.json");
      await writeFile(servers, JSON.stringify({ mcpServers: { waymark: serverOf(run) } }));
      if (isSeated) await answerFirstQuestions(join(home, "claude"), run.root);
      return {
        args: [
          ...(isSeated ? [run.prompt] : ["--print", run.prompt, "--no-session-persistence"]),
          ...["--model", run.model ?? "claude-sonnet-4-5"],
          ...["--mcp-config", servers, "--strict-mcp-config"],
          ...["--allowedTools", "mcp__waymark__*"],
        ],
        env: claudeEnv(home, url),
      };
    },
  };
}

/** Claude Code at a terminal, as a person has it who has used it in this folder before. */
export const claudeAtTerminal: Host = claude(true);

/** Runs `claude --print` as a user without a terminal would, with Waymark's tools allowed and no account. */
export function runClaude(run: HostRun): Promise<HostResult> {
  return runHost(claude(false), run);
}

function serverOf({ mcpCommand: [command, ...args], mcpUrl }: HostRun): object {
  if (mcpUrl === undefined) return { command, args };
  const { url, token } = mcpUrl;
  return { type: "http", url, ...(token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } }) };
}

/** Signs a person in at a server's issuer, as `claude mcp login` does; returns the address where they do it. */
export async function claudeSignsIn(home: string, url: string): Promise<{ address: string; terminal: Terminal }> {
  const env = { PATH: process.env.PATH ?? "", HOME: home, ...claudeEnv(home, "http://127.0.0.1:1") };
  const entry = fileURLToPath(new URL("node_modules/@anthropic-ai/claude-code/cli-wrapper.cjs", import.meta.url));
  const run = (...args: readonly string[]): Terminal =>
    openTerminal({ command: process.execPath, args: [entry, "mcp", ...args], cwd: home, env });
  await run("add", "--scope", "user", "--transport", "http", "waymark", url).ends();
  const terminal = run("login", "--no-browser", "waymark");
  await terminal.sees("Waiting for authorization");
  // a long address runs over the edge of the screen
  const [, shown = ""] = terminal.screen().split(/authorize:|Waiting/);
  return { address: shown.replaceAll(/\s/g, ""), terminal };
}

async function answerFirstQuestions(folder: string, root: string): Promise<void> {
  await mkdir(folder);
  const answers = {
    hasCompletedOnboarding: true,
    theme: "dark",
    customApiKeyResponses: { approved: [key], rejected: [] },
    projects: { [root]: { hasTrustDialogAccepted: true } },
  };
  await writeFile(join(folder, ".claude.json"), JSON.stringify(answers));
}
