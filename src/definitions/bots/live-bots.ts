import type { Workflow } from "../../workflow/workflow.ts";
import type { Flaw } from "../problem.ts";
import { readSettings, type SettingsRead } from "../settings.ts";
import type { Shelf } from "../shelf.ts";
import { readBotTrees } from "./bot-trees.ts";
import { describeBehavior } from "./catalog.ts";
import { compileWorkflow } from "./compile.ts";
import { gatesOf } from "./gates.ts";
import { definitionsOf } from "./place.ts";
import type { BotTree } from "./tree.ts";

/** One bot, read and compiled. */
export type LiveBot = {
  readonly tree: BotTree;
  readonly workflows: readonly Workflow[];
  /** What its behaviors say of themselves, in the order of the tree. */
  readonly descriptions: readonly string[];
};

/** The bots of a definitions folder, the settings they share, and what their author should know. */
export type Bots = {
  readonly bots: readonly LiveBot[];
  readonly settings: SettingsRead;
  readonly problems: readonly Flaw[];
};

/** The bots of a definitions folder as they stand now. */
export type LiveBots = () => Promise<Bots>;

/** Reads a definitions folder live, and anew only where something has changed. */
export function liveBots(definitions: string, shelf: Shelf): LiveBots {
  return () => shelf.remember("bots", () => readBots(definitions));
}

/** Reads and compiles the bots of a definitions folder. */
export function readBots(definitions: string): Bots {
  const { bots, problems } = readBotTrees(definitions);
  return { bots: bots.map(compileBot), settings: readSettings(definitions), problems };
}

function compileBot(tree: BotTree): LiveBot {
  const gates = gatesOf(tree);
  return {
    tree,
    workflows: tree.behaviors.map((behavior) => compileWorkflow(tree, behavior, gates)),
    descriptions: tree.behaviors.map((behavior) => describeBehavior(definitionsOf(tree), behavior).text),
  };
}
