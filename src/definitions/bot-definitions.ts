import type { Definitions, PlanReading } from "../engine/ports.ts";
import type { Plan, Problem } from "../workflow/workflow.ts";
import { independentActions } from "./bots/compile.ts";
import type { LiveBot, LiveBots } from "./bots/live-bots.ts";
import type { BotTree } from "./bots/tree.ts";
import { kindOf } from "./material/kinds.ts";
import { presentStep } from "./material/present.ts";
import { warningsOf } from "./problem.ts";
import { keepCorrection } from "./rules/keep-correction.ts";
import { loadRules } from "./rules/load-rules.ts";
import { parseCorrection } from "./rules/parse-correction.ts";
import { readSettings } from "./settings.ts";

export type BotSource = {
  readonly bot: string;
  readonly definitions: string;
  readonly projectArea: string;
  readonly bots: LiveBots;
};

/** The definitions of one bot as the engine uses them: read from its files at every call. */
export function botDefinitions({ bot, definitions, projectArea, bots }: BotSource): Definitions {
  const tree = (): BotTree => {
    const found = findBot(bots, bot);
    if (found === undefined) throw new Error(`The definitions of ${bot} are gone from ${definitions}.`);
    return found.tree;
  };
  const behaviorOf = (from: BotTree, name: string) =>
    from.behaviors.find((candidate) => candidate.name === name) ?? { name };
  return {
    plan: () => readPlan(bot, definitions, bots),
    present: (request) => {
      const { text, problems } = presentStep(tree(), request, { project_area: projectArea });
      return { text, warnings: warningsOf(problems) };
    },
    checksRules: (step) => kindOf(step) === "validate",
    rules: (workflow) => {
      const from = tree();
      const { rules, problems } = loadRules(from, behaviorOf(from, workflow));
      return { rules, warnings: warningsOf(problems) };
    },
    keepsCorrections: (step) => kindOf(step) === "correct",
    readCorrection: parseCorrection,
    keepCorrection: (workflow, correction) => {
      const from = tree();
      return keepCorrection(from, behaviorOf(from, workflow), correction);
    },
  };
}

function findBot(bots: LiveBots, bot: string): LiveBot | undefined {
  return bots().bots.find(({ tree }) => tree.name === bot);
}

function readPlan(bot: string, definitions: string, bots: LiveBots): PlanReading {
  const { settings, problem } = readSettings(definitions);
  const found = findBot(bots, bot);
  const tree = found?.tree;
  const gone: Problem = { code: "no-bot", file: `bots/${bot}/bot_config.json`, message: "the bot is gone" };
  const closed = tree === undefined ? gone : (tree.broken ?? problem);
  const plan: Plan = {
    name: bot,
    ordered: settings.ordered,
    workflows: found?.workflows ?? [],
    independent: tree === undefined ? [] : independentActions(tree),
  };
  return { plan, settings, warnings: [], ...(closed === undefined ? {} : { closed }) };
}
