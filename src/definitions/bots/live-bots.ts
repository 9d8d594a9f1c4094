import type { Problem, Workflow } from "../../workflow/workflow.ts";
import { readBotTrees } from "./bot-trees.ts";
import { compileWorkflow } from "./compile.ts";
import { gatesOf } from "./gates.ts";
import type { BotTree } from "./tree.ts";

/** The bots of a definitions folder as they stand now, read once for everything that one call asks of them. */
export type LiveBots = {
  read(): { readonly bots: readonly BotTree[]; readonly problems: readonly Problem[] };
  find(bot: string): BotTree | undefined;
  workflows(bot: string): readonly Workflow[];
};

/** Reads a definitions folder live: what was read is forgotten as soon as the call at hand has been answered. */
export function liveBots(definitions: string): LiveBots {
  let trees: ReturnType<typeof readBotTrees> | undefined;
  const compiled = new Map<string, readonly Workflow[]>();
  const read: LiveBots["read"] = () => {
    if (trees !== undefined) return trees;
    setImmediate(() => {
      trees = undefined;
      compiled.clear();
    });
    trees = readBotTrees(definitions);
    return trees;
  };
  const find = (bot: string): BotTree | undefined => read().bots.find(({ name }) => name === bot);
  return {
    read,
    find,
    workflows: (bot) => {
      const tree = find(bot);
      if (tree === undefined) return [];
      const known = compiled.get(bot);
      if (known !== undefined) return known;
      const gates = gatesOf(tree);
      const workflows = tree.behaviors.map((behavior) => compileWorkflow(tree, behavior, gates));
      compiled.set(bot, workflows);
      return workflows;
    },
  };
}
