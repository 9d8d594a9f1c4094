import type { Definitions, PlanReading } from "../engine/ports/definitions.ts";
import type { PhasedDefinitions } from "../engine/ports/phased.ts";
import type { Problem } from "../gates/problem.ts";
import { defined } from "../kit/defined.ts";
import type { Plan, Policy } from "../workflow/workflow.ts";
import { independentActions } from "./bots/compile.ts";
import type { LiveBot } from "./bots/live-bot.ts";
import { botsIn } from "./bots/live-bots.ts";
import type { BehaviorFolder, BotTree } from "./bots/tree.ts";
import { actionKindOf } from "./content/action-kinds.ts";
import { asksQuestions, presentStep } from "./content/present.ts";
import { readableRecord } from "./content/readable-record.ts";
import { botItems } from "./items/bot-items.ts";
import { formatWarnings } from "./loader-problem.ts";
import type { PhasedWorkflow } from "./phases/phased-workflow.ts";
import { type LocatedRule, locateRules } from "./rules/load-rules.ts";
import { parseCorrection } from "./rules/parse-correction.ts";
import { prepareCorrection } from "./rules/prepare-correction.ts";
import { botSettingsInWords } from "./settings/settings-text.ts";
import type { LoadedSettings } from "./settings/team-settings.ts";
import type { CurrentDefinitions } from "./snapshot/keep-snapshot.ts";

export type BotSource = {
  readonly bot: string;
  /** The named run; undefined for the default run of the project area. */
  readonly run: string | undefined;
  readonly projectArea: string;
  readonly current: CurrentDefinitions;
  /** The workflows that actions can call. */
  readonly phased?: Pick<PhasedDefinitions<PhasedWorkflow>, "read" | "pin" | "pinned">;
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
export function botDefinitions({ bot, run, projectArea, current, phased }: BotSource): Definitions {
  const treeOf = async (): Promise<BotTree> => {
    const definitions = await current();
    const { tree } = botsIn(definitions).bots.find(({ tree }) => tree.name === bot) ?? {};
    if (tree === undefined) throw new Error(`The definitions of ${bot} no longer exist in ${definitions.folder}.`);
    return tree;
  };
  return {
    plan: async () => {
      const { bots: all, settings } = botsIn(await current());
      const live = all.find(({ tree }) => tree.name === bot);
      return readPlan(bot, live, settings);
    },
    present: async (_stream, request) => {
      const tree = await treeOf();
      const { text, parts, problems } = presentStep(tree, request, { project_area: projectArea });
      return { text, parts: parts.map(({ name }) => ({ part: name, name })), warnings: formatWarnings(problems) };
    },
    asksQuestions: async (workflow, step) => asksQuestions(await treeOf(), workflow, step),
    ...(phased === undefined ? {} : { items: botItems(phased) }),
    record: readableRecord(bot, run),
    rules: {
      checks: (step) => actionKindOf(step) === "validate",
      of: async (workflow) => {
        const tree = await treeOf();
        return rulesOf(tree, workflow).map(({ rule }) => rule);
      },
      keepsCorrections: (step) => actionKindOf(step) === "correct",
      readCorrection: parseCorrection,
      locateCorrection: async (workflow, correction) => {
        const tree = await treeOf();
        return prepareCorrection(tree.folder, rulesOf(tree, workflow), correction);
      },
    },
  };
}

function rulesOf(tree: BotTree, workflow: string): readonly LocatedRule[] {
  const locate = () => locateRules(tree, behaviorOf(tree, workflow)).placed;
  return tree.definitions.derived(`rules of ${tree.name} ${workflow}`, locate);
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
