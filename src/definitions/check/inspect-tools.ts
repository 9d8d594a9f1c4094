import { dirname, join } from "node:path";
import { botCatalog } from "../bots/catalog.ts";
import type { LiveBot } from "../bots/live-bots.ts";
import { chooseServed } from "../bots/served.ts";
import { lineIn } from "../json-place.ts";
import type { Noted } from "./finding.ts";
import type { Surroundings, Survey } from "./survey.ts";
import { budgets, estimateTokens } from "./tokens.ts";

/** Reports tools that cannot be named as their bot or behavior, and bots whose tools cost a model too much. */
export function inspectTools({ definitions, bots }: Survey, { root, listTools }: Surroundings): Noted[] {
  const usable = bots.filter(({ tree }) => tree.broken === undefined);
  const { served } = chooseServed(
    usable.map(({ tree }) => tree),
    { root, projectArea: root },
  );
  const chosen = new Set(served.map(({ bot }) => bot));
  const shown = usable.filter(({ tree }) => chosen.has(tree));
  const names = botCatalog(shown);
  return shown.flatMap((bot, index) => {
    const catalog = names[index];
    const path = join(dirname(definitions), bot.tree.configFile);
    const wishes = [
      { tool: catalog?.tool, wanted: bot.tree.name, what: `the bot ${bot.tree.name}`, line: lineIn(path, ["name"]) },
      ...(catalog?.behaviors ?? []).map(({ name, tool }, position) => ({
        tool,
        wanted: `${name}_bot`,
        what: `the behavior ${name}`,
        line: lineIn(path, bot.tree.behaviors[position]?.at ?? []),
      })),
    ];
    return [...wishes.flatMap((wish) => inspectName(path, wish)), ...overBudget(path, bot, listTools)];
  });
}

type Wish = {
  readonly tool: string | undefined;
  readonly wanted: string;
  readonly what: string;
  readonly line: number;
};

function inspectName(path: string, { tool, wanted, what, line }: Wish): Noted[] {
  if (tool === undefined || tool === wanted) return [];
  if (/^[a-zA-Z0-9_-]{1,48}$/.test(wanted)) {
    const message = `the tool of ${what} is called ${tool}: ${wanted} is taken or wanted twice`;
    return [{ code: "tool-name-collision", path, line, message, fix: "Rename one of the two." }];
  }
  const message = `the tool of ${what} is called ${tool}: a tool's name is at most 48 letters, digits, _ and -`;
  return [{ code: "tool-name-altered", path, line, message, fix: "Give it a plain, shorter name." }];
}

function overBudget(path: string, bot: LiveBot, listTools: Surroundings["listTools"]): Noted[] {
  const tokens = listTools(botCatalog([bot]))
    .map(({ name, description = "", inputSchema }) => estimateTokens(name + description + JSON.stringify(inputSchema)))
    .reduce((sum, cost) => sum + cost, 0);
  if (tokens <= budgets.tools) return [];
  const message = `the tools of ${bot.tree.name} cost a model about ${tokens} tokens in every conversation, ${budgets.tools} are the budget`;
  const fix = "Shorten descriptions and trigger words, or divide the bot in two.";
  return [{ code: "tools-over-budget", path, line: 1, message, fix }];
}
