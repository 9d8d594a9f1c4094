import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Script, Seen } from "../hosts/model-api.ts";
import { type HostResult, runHost } from "../hosts/run-host.ts";
import { claude, codexOf } from "./told-by-project.ts";

const WAYMARK = process.env.WAYMARK_HOST_TEST_SERVER ?? resolve("dist/waymark.js");
const FIRST_WORDS = "gather_context";

const cases = [
  { title: "Claude Code", client: "claude", host: () => claude },
  { title: "Codex searching for tools", client: "codex", host: codexOf("gpt-5.5") },
];

describe.each(cases)("a project set up for $title", ({ client, host }) => {
  const saw = { bot: "", opened: "", denied: [] as string[] };
  let root: string;
  let result: HostResult;

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), "waymark-set-up-"));
    setUp(root, client);
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
    setUp(root, "codex");
    const saw = { opened: "", read: "", written: "" };
    const { exitCode, stderr } = await runHost(codexOf("scripted", profileInDocs())(root), {
      root,
      mcpCommand: ["none"],
      prompt: "Let us make a story map.",
      script: async function* () {
        saw.opened = last(yield { call: "story_bot", with: {} });
        saw.read = last(yield { own: "exec_command", with: { cmd: "cat .waymark/bots/story_bot/bot_config.json" } });
        saw.written = last(yield { own: "exec_command", with: { cmd: "echo {} > workflow_state.json && echo done" } });
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

function setUp(root: string, client: string): void {
  const home = mkdtempSync(join(tmpdir(), "waymark-home-"));
  const command = `${process.execPath} ${WAYMARK}`;
  const args = [WAYMARK, "init", "--root", root, "--template", "story-bot", "--client", client, "--command", command];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    env: { ...process.env, HOME: home },
  });
  rmSync(home, { recursive: true });
  expect(stderr + stdout).toContain("created");
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
    saw.denied.push(last(yield { own: "Read", with: { file_path: later } }));
    saw.denied.push(last(yield { own: "Read", with: { file_path: state } }));
    saw.denied.push(last(yield { own: "Write", with: { file_path: state, content: "{}" } }));
    saw.denied.push(last(yield { own: "Bash", with: { command: "cat workflow_state.json", description: "look" } }));
    return "That was all.";
  };
}

function last(seen: Seen): string {
  return seen.answers.at(-1) ?? "";
}
