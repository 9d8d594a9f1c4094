import { dirname, join } from "node:path";
import { chooseServed } from "../../definitions/bots/choose-served.ts";
import type { LiveBot } from "../../definitions/bots/live-bot.ts";
import { botCatalog } from "../../definitions/bots/tool-descriptions.ts";
import { lineOfPath } from "../../definitions/files/json-locations.ts";
import { estimateTokens } from "../../kit/estimate-tokens.ts";
import type { CheckContext, DefinitionsSurvey } from "../load-for-check.ts";
import type { ReportedFinding } from "../reported-finding.ts";
import { budgets } from "../token-budgets.ts";

/** Reports tools that cannot take the name of their bot or behavior, and bots whose tools cost too many tokens. */
export function inspectTools(
  { definitions, bots }: DefinitionsSurvey,
  { root, listTools }: CheckContext,
): ReportedFinding[] {
  const usable = bots.filter(({ tree }) => tree.broken === undefined);
  const { served } = chooseServed(
    definitions,
    usable.map(({ tree }) => tree),
    { root, projectArea: root },
  );
  const chosen = new Set(served.map(({ bot }) => bot));
  const shown = usable.filter(({ tree }) => chosen.has(tree));
  const names = botCatalog(shown);
  return shown.flatMap((bot, index) => {
    const catalog = names[index];
    const path = join(dirname(definitions.folder), bot.tree.configFile);
    const wishes = [
      {
        tool: catalog?.tool,
        wanted: bot.tree.name,
        what: `the bot ${bot.tree.name}`,
        line: lineOfPath(definitions, path, ["name"]),
      },
      ...(catalog?.behaviors ?? []).map(({ name, tool }, position) => ({
        tool,
        wanted: `${name}_bot`,
        what: `the behavior ${name}`,
        line: lineOfPath(definitions, path, bot.tree.behaviors[position]?.at ?? []),
      })),
    ];
    return [...wishes.flatMap((wish) => inspectName(path, wish)), ...overBudget(path, bot, listTools)];
  });
}

type ToolNameWish = {
  readonly tool: string | undefined;
  readonly wanted: string;
  readonly what: string;
  readonly line: number;
};

function inspectName(path: string, { tool, wanted, what, line }: ToolNameWish): ReportedFinding[] {
  if (tool === undefined || tool === wanted) return [];
  if (/^[a-zA-Z0-9_-]{1,48}$/.test(wanted)) {
    const message = `the tool of ${what} is named ${tool} because ${wanted} is already taken`;
    return [{ code: "tool-name-collision", path, line, message, fix: "Rename one of them." }];
  }
  const message = `the tool of ${what} is named ${tool}: tool names have at most 48 letters, digits, _ and -`;
  return [
    { code: "tool-name-altered", path, line, message, fix: "Choose a shorter name of letters, digits, _ and -." },
  ];
}

function overBudget(path: string, bot: LiveBot, listTools: CheckContext["listTools"]): ReportedFinding[] {
  const tokens = listTools(botCatalog([bot]))
    .map(({ name, description = "", inputSchema }) => estimateTokens(name + description + JSON.stringify(inputSchema)))
    .reduce((sum, cost) => sum + cost, 0);
  if (tokens <= budgets.tools) return [];
  const message = `the tools of ${bot.tree.name} cost about ${tokens} tokens in every conversation; the budget is ${budgets.tools}`;
  const fix = "Shorten descriptions and trigger words, or split the bot in two.";
  return [{ code: "tools-over-budget", path, line: 1, message, fix }];
}
