import type { ServedBot } from "../../engine/ports/definitions.ts";
import { ignoreOthersOutput } from "../../gates/ignored-reads.ts";
import { recordsOf } from "../content/readable-record.ts";
import type { LoaderProblem } from "../loader-problem.ts";
import { type LoadedSettings, readSettings } from "../settings/team-settings.ts";
import type { DefinitionSnapshot } from "../snapshot/snapshot.ts";
import { gatesOf } from "./bot-gates.ts";
import { readBotTrees } from "./bot-trees.ts";
import { chooseServed, type ServedChoice } from "./choose-served.ts";
import { compileWorkflow } from "./compile.ts";
import { definitionsFolderOf } from "./definitions-folder-of.ts";
import type { LiveBot } from "./live-bot.ts";
import { botCatalog, describeBehavior } from "./tool-descriptions.ts";
import type { BotTree } from "./tree.ts";

/** The bots of a definitions folder with their settings and problems. */
export type Bots = {
  readonly bots: readonly LiveBot[];
  readonly settings: LoadedSettings;
  readonly problems: readonly LoaderProblem[];
};

/** Returns the current bots of a definitions folder. */
export type LiveBots = () => Promise<Bots>;

/** Creates a live reader of a definitions folder that reads again only after a change. */
export function liveBots(definitions: string, snapshot: DefinitionSnapshot): LiveBots {
  return () => snapshot.remember("bots", () => readBots(definitions));
}

/** Reads and compiles the bots of a definitions folder. */
export function readBots(definitions: string): Bots {
  const { bots, problems } = readBotTrees(definitions);
  return { bots: bots.map(compileBot), settings: readSettings(definitions), problems };
}

/** The bots that are served now: as transports show them, and where each works. */
export type ServedBots = ServedChoice & { readonly bots: readonly ServedBot[] };

export type ServedBotsDeps = {
  readonly root: string;
  readonly projectArea: string;
  /** Looks up the bots at work in project areas that several bots claim. */
  readonly workingIn: (areas: readonly string[]) => Promise<ReadonlyMap<string, readonly string[]>>;
  readonly bots: LiveBots;
  readonly snapshot: DefinitionSnapshot;
};

/** Creates a function that chooses the bots to serve; it returns the same value until the bots change. */
export function servedBots({
  root,
  projectArea,
  workingIn,
  bots,
  snapshot,
}: ServedBotsDeps): () => Promise<ServedBots> {
  let last: { readonly chosen: readonly LiveBot[]; readonly catalog: readonly ServedBot[] } | undefined;
  return async () => {
    const { bots: all, problems } = await bots();
    const trees = all.map(({ tree }) => tree);
    const choosing = (atWork?: ReadonlyMap<string, readonly string[]>): Promise<ServedChoice> =>
      snapshot.read("served", () => chooseServed(trees, { root, projectArea, atWork }));
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
    workflows: ignoreOthersOutput(
      tree.behaviors.map((behavior) => compileWorkflow(tree, behavior, gates)),
      recordsOf(
        tree.name,
        tree.behaviors.map(({ name }) => name),
      ),
    ),
    descriptions: tree.behaviors.map((behavior) => describeBehavior(definitionsFolderOf(tree), behavior).text),
  };
}
