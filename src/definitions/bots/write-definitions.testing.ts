import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Workflow } from "../../workflow/workflow.ts";
import { filesOf } from "../snapshot/files-of.testing.ts";
import { gatesOf } from "./bot-gates.ts";
import { readBotTrees } from "./bot-trees.ts";
import { compileWorkflow } from "./compile.ts";
import type { BotTree } from "./tree.ts";

/** Files by path: a string as it is, anything else as JSON. */
export type Files = Readonly<Record<string, unknown>>;

/** Writes files into a temporary definitions folder for one test, and returns its path. */
export function writeDefinitions(files: Files): string {
  const root = mkdtempSync(join(tmpdir(), "waymark-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const definitions = join(root, ".waymark");
  mkdirSync(definitions, { recursive: true });
  addDefinitions(definitions, files);
  return definitions;
}

/** Writes more files into a definitions folder. */
export function addDefinitions(definitions: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    const target = join(definitions, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, typeof content === "string" ? content : JSON.stringify(content));
  }
}

/** The files of a bot with one behavior and these base actions. */
export function botWith(actions: Readonly<Record<string, unknown>>, more: Files = {}): Files {
  const configs = Object.entries(actions).map(([name, config]) => [`base_actions/${name}/action_config.json`, config]);
  return { "bots/story_bot/bot_config.json": { behaviors: ["shape"] }, ...Object.fromEntries(configs), ...more };
}

/** The only bot of a definitions folder. */
export function onlyBot(definitions: string): BotTree {
  const [bot] = readBotTrees(filesOf(definitions)).bots;
  if (bot === undefined) throw new Error("the test wrote no bot");
  return bot;
}

/** Compiles one behavior of the only bot. */
export function compiled(definitions: string, behavior = "shape"): Workflow {
  const bot = onlyBot(definitions);
  const found = bot.behaviors.find(({ name }) => name === behavior);
  if (found === undefined) throw new Error(`the test wrote no behavior ${behavior}`);
  return compileWorkflow(bot, found, gatesOf(bot));
}
