import type { Definitions, PlanReading } from "../engine/ports/definitions.ts";
import type { Problem } from "../gates/problem.ts";
import { defined } from "../kit/defined.ts";
import type { Plan, Policy } from "../workflow/workflow.ts";
import { independentActions } from "./bots/compile.ts";
import type { LiveBot } from "./bots/live-bot.ts";
import type { LiveBots } from "./bots/live-bots.ts";
import type { BehaviorFolder, BotTree } from "./bots/tree.ts";
import { actionKindOf } from "./content/action-kinds.ts";
import { presentStep } from "./content/present.ts";
import { readableRecord } from "./content/readable-record.ts";
import { formatWarnings } from "./loader-problem.ts";
import { loadRules, locateRules } from "./rules/load-rules.ts";
import { parseCorrection } from "./rules/parse-correction.ts";
import { prepareCorrection } from "./rules/prepare-correction.ts";
import { botSettingsInWords } from "./settings/settings-text.ts";
import type { LoadedSettings } from "./settings/team-settings.ts";
import type { DefinitionSnapshot } from "./snapshot/snapshot.ts";

export type BotSource = {
  readonly bot: string;
  /** The named run; undefined for the default run of the project area. */
  readonly run: string | undefined;
  readonly definitions: string;
  readonly projectArea: string;
  readonly bots: LiveBots;
  readonly snapshot: DefinitionSnapshot;
};

/** The policy of a bot's behaviors. */
const botPolicy: Policy = {
  onComplete: "leaves the next",
  aheadVisible: "names",
  onViewEdit: "obeyed",
  definition: "live",
  onUnrecorded: "held",
  onResume: "asks",
  outOfTurnCode: "action_sequence_violation",
};

/** The definitions of one bot as the engine uses them, read from its files at every call. */
export function botDefinitions({ bot, run, definitions, projectArea, bots, snapshot }: BotSource): Definitions {
  const found = async (): Promise<LiveBot | undefined> => (await bots()).bots.find(({ tree }) => tree.name === bot);
  const treeOf = async (): Promise<BotTree> => {
    const { tree } = (await found()) ?? {};
    if (tree === undefined) throw new Error(`The definitions of ${bot} no longer exist in ${definitions}.`);
    return tree;
  };
  return {
    plan: async () => {
      const { bots: all, settings } = await bots();
      const live = all.find(({ tree }) => tree.name === bot);
      return readPlan(bot, live, settings);
    },
    present: async (_stream, request) => {
      const tree = await treeOf();
      const asked = [projectArea, request.workflow, request.step, request.part, request.brief];
      const key = `present ${JSON.stringify(asked)}`;
      return snapshot.read(key, () => {
        const { text, parts, problems } = presentStep(tree, request, { project_area: projectArea });
        return { text, parts: parts.map(({ name }) => ({ part: name, name })), warnings: formatWarnings(problems) };
      });
    },
    record: readableRecord(bot, run),
    rules: {
      checks: (step) => actionKindOf(step) === "validate",
      of: async (workflow) => {
        const tree = await treeOf();
        return snapshot.read(`rules ${workflow}`, () => loadRules(tree, behaviorOf(tree, workflow)).rules);
      },
      keepsCorrections: (step) => actionKindOf(step) === "correct",
      readCorrection: parseCorrection,
      locateCorrection: async (workflow, correction) => {
        const tree = await treeOf();
        const { placed } = await snapshot.read(`places ${workflow}`, () =>
          locateRules(tree, behaviorOf(tree, workflow)),
        );
        return prepareCorrection(tree.folder, placed, correction);
      },
    },
  };
}

function behaviorOf(tree: BotTree, name: string): BehaviorFolder {
  return tree.behaviors.find((candidate) => candidate.name === name) ?? { name };
}

/** The plan of a bot as it was read; `closed` if it cannot be used. */
export function readPlan(bot: string, live: LiveBot | undefined, read: LoadedSettings): PlanReading {
  const { settings, problem } = read;
  const { tree } = live ?? {};
  const gone: Problem = { code: "no-bot", file: `bots/${bot}/bot_config.json`, message: "the bot no longer exists" };
  const closed = tree === undefined ? gone : (tree.broken ?? problem);
  const plan: Plan = {
    name: bot,
    policy: botPolicy,
    ordered: settings.ordered,
    settings: botSettingsInWords(settings),
    ...defined({ approvalLevel: settings.approvalLevel }),
    workflows: live?.workflows ?? [],
    independent: tree === undefined ? [] : independentActions(tree),
  };
  return { plan, settings, notices: [], ...(closed === undefined ? {} : { closed: { problem: closed } }) };
}
