import type { Definitions, PlanReading } from "../engine/ports.ts";
import type { Problem } from "../evidence/problem.ts";
import type { Manner, Plan } from "../workflow/workflow.ts";
import { independentActions } from "./bots/compile.ts";
import type { LiveBot, LiveBots } from "./bots/live-bots.ts";
import type { BehaviorFolder, BotTree } from "./bots/tree.ts";
import { kindOf } from "./material/kinds.ts";
import { presentStep } from "./material/present.ts";
import { readableRecord } from "./material/readable-record.ts";
import { warningsOf } from "./problem.ts";
import { loadRules, placeRules } from "./rules/load-rules.ts";
import { parseCorrection } from "./rules/parse-correction.ts";
import { placeCorrection } from "./rules/place-correction.ts";
import type { SettingsRead } from "./settings.ts";
import { botSettingsInWords } from "./settings-in-words.ts";
import type { Shelf } from "./shelf.ts";

export type BotSource = {
  readonly bot: string;
  /** Which of its runs; none for the project area's own. */
  readonly run: string | undefined;
  readonly definitions: string;
  readonly projectArea: string;
  readonly bots: LiveBots;
  readonly shelf: Shelf;
};

/** How a bot's behaviors are walked. */
const manner: Manner = {
  completing: "leaves the next",
  ahead: "names",
  view: "obeyed",
  definition: "live",
  unrecorded: "held",
  resuming: "asks",
  outOfTurn: "action_sequence_violation",
};

/** The definitions of one bot as the engine uses them: read from its files at every call. */
export function botDefinitions({ bot, run, definitions, projectArea, bots, shelf }: BotSource): Definitions {
  const found = async (): Promise<LiveBot | undefined> => (await bots()).bots.find(({ tree }) => tree.name === bot);
  const treeOf = async (): Promise<BotTree> => {
    const { tree } = (await found()) ?? {};
    if (tree === undefined) throw new Error(`The definitions of ${bot} are gone from ${definitions}.`);
    return tree;
  };
  return {
    plan: async () => {
      const { bots: all, settings } = await bots();
      const live = all.find(({ tree }) => tree.name === bot);
      return readPlan(bot, live, settings);
    },
    present: async (_desk, request) => {
      const tree = await treeOf();
      const asked = [projectArea, request.workflow, request.step, request.part, request.brief];
      const key = `present ${JSON.stringify(asked)}`;
      return shelf.read(key, () => {
        const { text, parts, problems } = presentStep(tree, request, { project_area: projectArea });
        return { text, parts: parts.map(({ name }) => ({ part: name, name })), warnings: warningsOf(problems) };
      });
    },
    record: readableRecord(bot, run),
    rules: {
      checks: (step) => kindOf(step) === "validate",
      of: async (workflow) => {
        const tree = await treeOf();
        return shelf.read(`rules ${workflow}`, () => loadRules(tree, behaviorOf(tree, workflow)).rules);
      },
      keepsCorrections: (step) => kindOf(step) === "correct",
      readCorrection: parseCorrection,
      placeCorrection: async (workflow, correction) => {
        const tree = await treeOf();
        const { placed } = await shelf.read(`places ${workflow}`, () => placeRules(tree, behaviorOf(tree, workflow)));
        return placeCorrection(tree.folder, placed, correction);
      },
    },
  };
}

function behaviorOf(tree: BotTree, name: string): BehaviorFolder {
  return tree.behaviors.find((candidate) => candidate.name === name) ?? { name };
}

/** What a bot is walked by, as it was read; `closed` where that cannot be used. */
export function readPlan(bot: string, live: LiveBot | undefined, read: SettingsRead): PlanReading {
  const { settings, problem } = read;
  const { tree } = live ?? {};
  const gone: Problem = { code: "no-bot", file: `bots/${bot}/bot_config.json`, message: "the bot is gone" };
  const closed = tree === undefined ? gone : (tree.broken ?? problem);
  const plan: Plan = {
    name: bot,
    manner,
    ordered: settings.ordered,
    settings: botSettingsInWords(settings),
    ...(settings.wordLevel === undefined ? {} : { wordLevel: settings.wordLevel }),
    workflows: live?.workflows ?? [],
    independent: tree === undefined ? [] : independentActions(tree),
  };
  return { plan, settings, notices: [], ...(closed === undefined ? {} : { closed: { problem: closed } }) };
}
