import type { ServedBot } from "../../engine/ports.ts";
import { withNeverRead } from "../../evidence/never-read.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import { recordsOf } from "../material/readable-record.ts";
import type { Flaw } from "../problem.ts";
import { readSettings, type SettingsRead } from "../settings.ts";
import type { Shelf } from "../shelf.ts";
import { readBotTrees } from "./bot-trees.ts";
import { botCatalog, describeBehavior } from "./catalog.ts";
import { compileWorkflow } from "./compile.ts";
import { gatesOf } from "./gates.ts";
import { definitionsOf } from "./place.ts";
import { type Choice, chooseServed } from "./served.ts";
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

/** The bots that are served now: what the doors show of them, and where each works. */
export type Serving = Choice & { readonly bots: readonly ServedBot[] };

export type ServingPlace = {
  readonly root: string;
  readonly projectArea: string;
  /** Who is at work in project areas that several bots want. */
  readonly workingIn: (areas: readonly string[]) => Promise<ReadonlyMap<string, readonly string[]>>;
  readonly bots: LiveBots;
  readonly shelf: Shelf;
};

/** Chooses which bots are served as they stand now; the doors are shown the same as long as the bots are the same. */
export function servedBots({ root, projectArea, workingIn, bots, shelf }: ServingPlace): () => Promise<Serving> {
  let last: { readonly chosen: readonly LiveBot[]; readonly catalog: readonly ServedBot[] } | undefined;
  return async () => {
    const { bots: all, problems } = await bots();
    const trees = all.map(({ tree }) => tree);
    const choosing = (atWork?: ReadonlyMap<string, readonly string[]>): Promise<Choice> =>
      shelf.read("served", () => chooseServed(trees, { root, projectArea, atWork }));
    const alone = await choosing();
    const choice = alone.shared.length === 0 ? alone : await choosing(await workingIn(alone.shared));
    const chosen = all.filter(({ tree }) => choice.served.some(({ bot }) => bot === tree));
    const isSame = last?.chosen.length === chosen.length && chosen.every((bot, at) => bot === last?.chosen[at]);
    if (last === undefined || !isSame) last = { chosen, catalog: botCatalog(chosen) };
    return { ...choice, bots: last.catalog, problems: [...problems, ...choice.problems] };
  };
}

function compileBot(tree: BotTree): LiveBot {
  const gates = gatesOf(tree);
  return {
    tree,
    workflows: withNeverRead(
      tree.behaviors.map((behavior) => compileWorkflow(tree, behavior, gates)),
      recordsOf(
        tree.name,
        tree.behaviors.map(({ name }) => name),
      ),
    ),
    descriptions: tree.behaviors.map((behavior) => describeBehavior(definitionsOf(tree), behavior).text),
  };
}
