import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import type { ServedBot } from "../../engine/ports/definitions.ts";
import { ignoreOthersOutput } from "../../gates/sequence-checks.ts";
import { realPathOfNew } from "../../kit/real-path.ts";
import { recordsOf } from "../content/readable-record.ts";
import type { LoaderProblem } from "../loader-problem.ts";
import { type LoadedSettings, readSettings } from "../settings/team-settings.ts";
import type { CurrentDefinitions } from "../snapshot/keep-snapshot.ts";
import { gatesOf } from "./bot-gates.ts";
import { readBotTrees } from "./bot-trees.ts";
import { chooseServed, type ServedChoice } from "./choose-served.ts";
import { compileWorkflow } from "./compile.ts";
import type { LiveBot } from "./live-bot.ts";
import { botCatalog, describeBehavior } from "./tool-descriptions.ts";
import type { BotTree } from "./tree.ts";

/** The bots of a definitions folder with their settings and problems. */
export type Bots = {
  readonly bots: readonly LiveBot[];
  readonly settings: LoadedSettings;
  readonly problems: readonly LoaderProblem[];
};

/** The compiled bots of a definitions folder. */
export function botsIn(definitions: DefinitionSnapshot): Bots {
  return definitions.derived("bots", () => {
    const { bots, problems } = readBotTrees(definitions);
    const compiled = bots.map((tree) => compileBot(tree));
    return { bots: compiled, settings: readSettings(definitions), problems };
  });
}

/** The bots that are served now: as transports show them, and where each works. */
export type ServedBots = ServedChoice & { readonly bots: readonly ServedBot[] };

export type ServedBotsDeps = {
  readonly root: string;
  readonly projectArea: string;
  /** Looks up the bots at work in project areas that several bots claim. */
  readonly workingIn: (areas: readonly string[]) => Promise<ReadonlyMap<string, readonly string[]>>;
  readonly current: CurrentDefinitions;
};

/** Creates a function that chooses the bots to serve; it returns the same value until the bots change. */
export function servedBots({ root, projectArea, workingIn, current }: ServedBotsDeps): () => Promise<ServedBots> {
  let last: { readonly chosen: readonly LiveBot[]; readonly catalog: readonly ServedBot[] } | undefined;
  return async () => {
    const definitions = await current();
    const { bots: all, problems } = botsIn(definitions);
    const trees = all.map(({ tree }) => tree);
    // Bots without an area of their own share one.
    const areas = trees.some((tree) => tree.projectArea !== undefined)
      ? [root, ...trees.map((tree) => tree.projectArea ?? projectArea)]
      : [];
    const folders = areas.map((one) => resolve(root, one));
    const real = new Map(await Promise.all(folders.map(async (one) => [one, await realPathOfNew(one)] as const)));
    const choose = (atWork?: ReadonlyMap<string, readonly string[]>): ServedChoice =>
      chooseServed(definitions, trees, { root, projectArea, atWork, realPath: (folder) => real.get(folder) ?? folder });
    const alone = choose();
    const choice = alone.shared.length === 0 ? alone : choose(await workingIn(alone.shared));
    const chosen = all.filter(({ tree }) => choice.served.some(({ bot }) => bot === tree));
    const isSame = last?.chosen.length === chosen.length && chosen.every((bot, at) => bot === last?.chosen[at]);
    if (last === undefined || !isSame) {
      const catalog = botCatalog(chosen);
      last = {
        chosen,
        catalog: last !== undefined && isDeepStrictEqual(catalog, last.catalog) ? last.catalog : catalog,
      };
    }
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
    descriptions: tree.behaviors.map((behavior) => describeBehavior(tree.definitions, behavior).text),
  };
}
