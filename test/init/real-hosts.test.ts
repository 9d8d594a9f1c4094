import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { anthropicMessages } from "../hosts/anthropic-messages.ts";
import type { Dialect, Script, Seen } from "../hosts/model-api.ts";
import { openaiResponses } from "../hosts/openai-responses.ts";
import { type Host, type HostResult, runHost } from "../hosts/run-host.ts";

const WAYMARK = process.env.WAYMARK_HOST_TEST_SERVER ?? resolve("dist/waymark.js");
const FIRST_WORDS = "gather_context";

/** Claude Code without a terminal; it is told of no server but by the project. */
const claude: Host = {
  dialect: ownTools(anthropicMessages),
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
function codexOf(model: string, settings = ""): (root: string) => Host {
  return (root) => ({
    dialect: ownTools(openaiResponses),
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

const cases = [
  { title: "Claude Code", client: "claude", host: () => claude, installed: false },
  { title: "Claude Code, by a package of the project", client: "claude", host: () => claude, installed: true },
  { title: "Codex listing tools", client: "codex", host: codexOf("scripted"), installed: false },
  { title: "Codex searching for tools", client: "codex", host: codexOf("gpt-5.5"), installed: false },
  { title: "Codex, by a package of the project", client: "codex", host: codexOf("scripted"), installed: true },
];

describe.each(cases)("a project set up for $title", ({ client, host, installed }) => {
  const saw = { bot: "", opened: "", denied: [] as string[] };
  let root: string;
  let result: HostResult;

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), "waymark-set-up-"));
    setUp(root, client, installed ? install(root) : WAYMARK);
    result = await runHost(host(root), {
      root,
      mcpCommand: ["none"],
      prompt: "Let us make a story map.",
      script: look(root, saw, client === "claude"),
    });
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it("offers the bot to the assistant, through the config alone", () => {
    expect(result.exitCode, result.stderr).toBe(0);
    expect(saw.bot).toContain("mcp__waymark__story_bot");
  });

  it("says nothing of this machine where the whole team has the package", () => {
    const config = readFileSync(join(root, client === "claude" ? ".mcp.json" : ".codex/config.toml"), "utf8");
    expect(config.includes(root)).toBe(!installed);
    expect(config.includes(process.execPath)).toBe(!installed);
  });

  it("leads the assistant into the first action", () => {
    expect(saw.opened).toContain(FIRST_WORDS);
    expect(saw.opened).toContain("shape");
  });

  if (client === "claude")
    it("keeps the assistant's file tools away from what is the server's", () => {
      expect(saw.denied).toHaveLength(4);
      for (const answer of saw.denied) expect(answer).toMatch(/denied/);
    });

  if (client === "codex")
    it("tells the assistant where the process is", () => {
      expect(JSON.stringify(result.requests[0]?.body)).toContain("This project's process runs through the MCP server");
    });
});

describe("the permission profile for Codex in docs/hosts.md", () => {
  it("keeps every command away from what is the server's, and the server at work", async () => {
    const root = mkdtempSync(join(tmpdir(), "waymark-set-up-"));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    setUp(root, "codex", WAYMARK);
    const saw = { opened: "", read: "", written: "" };
    const { exitCode, stderr } = await runHost(codexOf("scripted", profileInDocs())(root), {
      root,
      mcpCommand: ["none"],
      prompt: "Let us make a story map.",
      script: async function* () {
        saw.opened = last(yield { call: "story_bot", with: {} });
        saw.read = last(
          yield { call: "own_exec_command", with: { cmd: "cat .waymark/bots/story_bot/bot_config.json" } },
        );
        saw.written = last(
          yield { call: "own_exec_command", with: { cmd: "echo {} > workflow_state.json && echo done" } },
        );
        return "That was all.";
      },
    });
    expect(exitCode, stderr).toBe(0);
    expect(saw.opened).toContain(FIRST_WORDS);
    expect(saw.read).not.toContain("trigger_words");
    expect(saw.written).not.toContain("done");
  });
});

function profileInDocs(): string {
  const docs = readFileSync(resolve(import.meta.dirname, "../../docs/hosts.md"), "utf8");
  return /```toml\n(.*?)```/s.exec(docs)?.[1] ?? "";
}

function setUp(root: string, client: string, waymark: string): void {
  const home = mkdtempSync(join(tmpdir(), "waymark-home-"));
  const args = [waymark, "init", "--root", root, "--template", "story-bot", "--client", client];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    env: { ...process.env, HOME: home },
  });
  rmSync(home, { recursive: true });
  expect(stderr + stdout).toContain("created");
}

/** Puts Waymark among the project's own packages, as npm would. */
function install(root: string): string {
  const folder = join(root, "node_modules/waymark");
  for (const part of ["dist", "templates", "schemas", "package.json"])
    cpSync(join(WAYMARK, "../..", part), join(folder, part), { recursive: true });
  return join(folder, "dist/waymark.js");
}

/** What the scripted model does: it finds the bot, opens it, and tries its own file tools where it should not. */
function look(root: string, saw: { bot: string; opened: string; denied: string[] }, triesFiles: boolean): Script {
  return async function* (first: Seen) {
    const listed = first.tools.join("\n");
    saw.bot = listed.includes("story_bot") ? listed : last(yield { search: "story map" });
    saw.opened = last(yield { call: "story_bot", with: {} });
    if (!triesFiles) return "That was all.";
    const state = join(root, "workflow_state.json");
    const later = join(root, ".waymark/bots/story_bot/behaviors/tests/instructions.md");
    saw.denied.push(last(yield { call: "own_Read", with: { file_path: later } }));
    saw.denied.push(last(yield { call: "own_Read", with: { file_path: state } }));
    saw.denied.push(last(yield { call: "own_Write", with: { file_path: state, content: "{}" } }));
    saw.denied.push(
      last(yield { call: "own_Bash", with: { command: "cat workflow_state.json", description: "look" } }),
    );
    return "That was all.";
  };
}

/** Lets the script call the host's own tools too, as `own_<tool>`. */
function ownTools(dialect: Dialect): Dialect {
  return {
    read: dialect.read,
    write: (turn, seen) =>
      dialect
        .write(turn, seen)
        .map((event) =>
          JSON.parse(
            JSON.stringify(event).replace(
              /mcp__waymark__own_|"namespace":"mcp__waymark",(?="name":"own_)|(?<="name":")own_/g,
              "",
            ),
          ),
        ),
  };
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

function last(seen: Seen): string {
  return seen.answers.at(-1) ?? "";
}
