import type { Workflow } from "../../workflow/workflow.ts";
import { lookOncePerCall, whileUnchanged } from "../live-file.ts";
import type { Flaw } from "../problem.ts";
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

/** The bots of a definitions folder as they stand now. */
export type LiveBots = () => { readonly bots: readonly LiveBot[]; readonly problems: readonly Flaw[] };

/** Reads a definitions folder live, but once for everything that one call asks of it. */
export function liveBots(definitions: string): LiveBots {
  const read = whileUnchanged(() => {
    const { bots, problems } = readBotTrees(definitions);
    return { bots: bots.map(compileBot), problems };
  });
  let forThisCall: ReturnType<LiveBots> | undefined;
  return () => {
    if (forThisCall !== undefined) return forThisCall;
    lookOncePerCall();
    setImmediate(() => {
      forThisCall = undefined;
    });
    forThisCall = read();
    return forThisCall;
  };
}

function compileBot(tree: BotTree): LiveBot {
  const gates = gatesOf(tree);
  return {
    tree,
    workflows: tree.behaviors.map((behavior) => compileWorkflow(tree, behavior, gates)),
    descriptions: tree.behaviors.map((behavior) => describeBehavior(definitionsOf(tree), behavior).text),
  };
}
