import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { wholeOr } from "../whole.ts";
import { runClaude } from "./claude.ts";
import { runCodex } from "./codex.ts";
import type { Script, Seen } from "./model-api.ts";
import { editState, FIRST_INSTRUCTION, makeProject, TRIGGER } from "./project.ts";
import type { HostResult } from "./run-host.ts";

const SERVER = process.env.WAYMARK_HOST_TEST_SERVER ?? resolve("dist/waymark.js");

/** Each host as it comes from npm; Codex once for each of its three ways of offering tools to a model. */
const all = [
  { name: "Codex listing tools", run: runCodex, model: "scripted" },
  { name: "Codex searching for tools", run: runCodex, model: "gpt-5.5" },
  { name: "Codex calling tools from code", run: runCodex, model: "gpt-6-sol" },
  { name: "Claude Code searching for tools", run: runClaude, model: "claude-sonnet-4-5" },
];

/** The walk in `walk/` has Codex list its tools as well. */
const HOSTS = wholeOr(all, all.slice(1));

describe.each(HOSTS)("an agent in $name", ({ run, model }) => {
  const saw = { bot: "", completion: "", opened: "", ahead: "", completed: "", edited: "" };
  let root: string;
  let result: HostResult;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "waymark-project-"));
    await makeProject(root);
    const script = workThrough(root, saw);
    const mcpCommand = [process.execPath, SERVER, "serve", "--root", root] as const;
    result = await run({ root, mcpCommand, script, model, prompt: "Let us write user stories." });
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  it("gets through its conversation", () => {
    expect(result.exitCode, result.stderr).toBe(0);
    expect(result.stdout).toContain("That was all.");
  });

  it("is offered the bot, by the user's words for it, and the way to complete an action", () => {
    expect(saw.bot).toContain("mcp__waymark__story_bot");
    expect(saw.completion).toContain("mcp__waymark__complete_action");
  });

  it("reads what the first action asks", () => {
    expect(saw.opened).toContain(FIRST_INSTRUCTION);
  });

  it("cannot skip ahead, and reads why", () => {
    expect(saw.ahead).toContain("refused");
    expect(saw.ahead).toContain("action_sequence_violation");
  });

  it("reads what comes next once it relays the user's word", () => {
    expect(saw.completed).toContain("When done, proceed to decide_planning_criteria");
  });

  it("is warned that the state file was edited", () => {
    expect(saw.edited).toContain("edited outside");
  });
});

type FileStat = "bot" | "completion" | "opened" | "ahead" | "completed" | "edited";

/** The model's side of the conversation: what it does in turn, and what it saw of each answer. */
function workThrough(root: string, saw: Record<FileStat, string>): Script {
  const confirmation = "The user said: yes, done";
  return async function* (first: Seen) {
    const listed = first.tools.join("\n");
    saw.bot = listed.includes("story_bot") ? listed : last(yield { search: TRIGGER });
    saw.completion = listed.includes("complete_action") ? listed : last(yield { search: "complete action" });
    saw.opened = last(yield { call: "story_bot", with: {} });
    saw.ahead = last(yield { call: "shape_bot", with: { action: "render_output" } });
    saw.completed = last(
      yield { call: "complete_action", with: { confirmation, outputs: { answers: "Two product managers." } } },
    );
    if (!saw.completed.includes("When done")) {
      // Without a terminal both hosts answer the server's question to the person themselves: with a cancel or a decline.
      saw.completed = last(yield { call: "complete_action", with: { confirmation } });
    }
    await editState(root);
    saw.edited = last(yield { call: "story_bot", with: {} });
    return "That was all.";
  };
}

function last(seen: Seen): string {
  return seen.answers.at(-1) ?? "";
}
