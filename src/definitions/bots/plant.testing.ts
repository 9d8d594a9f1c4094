import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Workflow } from "../../workflow/workflow.ts";
import { readBotTrees } from "./bot-trees.ts";
import { compileWorkflow } from "./compile.ts";
import { gatesOf } from "./gates.ts";
import type { BotTree } from "./tree.ts";

/** Files by path: a text as it is, anything else as JSON. */
export type Files = Readonly<Record<string, unknown>>;

/** Writes files into a definitions folder of their own, which lasts as long as the test, and gives its path. */
export function plant(files: Files): string {
  const root = mkdtempSync(join(tmpdir(), "waymark-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const definitions = join(root, ".waymark");
  mkdirSync(definitions, { recursive: true });
  replant(definitions, files);
  return definitions;
}

/** Writes more files into a definitions folder. */
export function replant(definitions: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    const target = join(definitions, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, typeof content === "string" ? content : JSON.stringify(content));
  }
}

/** A bot with one behavior over these base actions; the action's name is the path's last part. */
export function botWith(actions: Readonly<Record<string, unknown>>, more: Files = {}): Files {
  const configs = Object.entries(actions).map(([name, config]) => [`base_actions/${name}/action_config.json`, config]);
  return { "bots/story_bot/bot_config.json": { behaviors: ["shape"] }, ...Object.fromEntries(configs), ...more };
}

/** The only bot of a definitions folder. */
export function onlyBot(definitions: string): BotTree {
  const [bot] = readBotTrees(definitions).bots;
  if (bot === undefined) throw new Error("no bot was planted");
  return bot;
}

/** One behavior of the only bot, compiled. */
export function compiled(definitions: string, behavior = "shape"): Workflow {
  const bot = onlyBot(definitions);
  const found = bot.behaviors.find(({ name }) => name === behavior);
  if (found === undefined) throw new Error(`no behavior ${behavior} was planted`);
  return compileWorkflow(bot, found, gatesOf(bot));
}
