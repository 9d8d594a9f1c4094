import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeProject, type Project } from "../project.ts";
import { openWindow } from "../window.ts";
import { claudeSession, contextIn, denialIn } from "./hook.ts";

/** Definitions whose open step may change `src/` only. */
function definitions(projectArea?: string): Project {
  const project = makeProject();
  project.write(".waymark/base_actions/gather_context/gate-definition.yaml", 'edits: ["src/**"]\n');
  if (projectArea === undefined) return project;
  const file = project.path(".waymark/bots/story_bot/bot_config.json");
  const config = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify({ ...config, project_area: projectArea }));
  return project;
}

function emptyProject(): string {
  const root = mkdtempSync(join(tmpdir(), "waymark-areas-"));
  mkdirSync(join(root, "web"));
  return root;
}

/** What a host's session at the root gets of work whose project area is `web`. */
async function expectGuarded(root: string, from = root): Promise<void> {
  const session = claudeSession({ root: from }, "one");
  expect(contextIn(await session.tell("SessionStart", { source: "startup" }))).toContain("work open here");
  await session.tell("PostToolUse", { tool_name: "mcp__waymark__story_bot", tool_input: {}, tool_response: "{}" });
  expect(contextIn(await session.tell("SessionStart", { source: "compact" }))).toContain("Open: story_bot.shape");
  const edit = async (file: string) =>
    denialIn(await session.tell("PreToolUse", { tool_name: "Write", tool_input: { file_path: join(root, file) } }));
  expect(await edit("web/lib/a.js")).toContain("is outside");
  expect(await edit("web/src/a.js")).toBeUndefined();
  expect(await edit("web/.waymark/x")).toContain("belongs to Waymark");
  expect(await edit("web/workflow_state.json")).toContain("belongs to Waymark");
  expect(await session.tell("Stop")).toMatchObject({ decision: "block" });
}

async function open(root: string, args: readonly string[]): Promise<void> {
  const window = await openWindow(root, { args });
  await window.call("story_bot");
  await window.close();
}

it("hooks find the work of a server that has a project area of its own", async () => {
  const { root } = definitions();
  mkdirSync(join(root, "web"));
  await open(root, ["--project-area", join(root, "web")]);
  await expectGuarded(root);
});

it("hooks find the work of a bot with a project area whose definitions stand elsewhere", async () => {
  const root = emptyProject();
  await open(root, ["--definitions", definitions("web").path(".waymark")]);
  mkdirSync(join(root, "docs"));
  await expectGuarded(root, join(root, "docs"));
});

it("a copy of a project has no work of its original's", async () => {
  const { root } = definitions();
  mkdirSync(join(root, "web"));
  await open(root, ["--project-area", join(root, "web")]);
  const copy = mkdtempSync(join(tmpdir(), "waymark-areas-"));
  cpSync(join(root, ".waymark"), join(copy, ".waymark"), { recursive: true });
  expect(await claudeSession({ root: copy }, "one").tell("SessionStart", { source: "startup" })).toEqual({});
});
