import { basename, dirname, join, resolve } from "node:path";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { type ConfigRead, readConfig } from "../files/config-file.ts";
import { type JsonProblem, type LoaderProblem, locateProblem, unreadableFolderProblem } from "../loader-problem.ts";
import { displayPath } from "../snapshot/display-path.ts";
import { listFolder } from "../snapshot/list-folder.ts";
import { readActions } from "./action-folders.ts";
import { readBehaviors } from "./behavior-folders.ts";
import { parseBotConfig } from "./bot-config.ts";
import { compareNames, normalizeName } from "./definition-names.ts";
import { actionFinder, findIdleOverrides } from "./overrides.ts";
import { triggerWordsFile } from "./tool-descriptions.ts";
import type { BotTree } from "./tree.ts";

/** Reads every bot of a definitions folder by name, including unusable ones, marked `broken`. */
export function readBotTrees(definitions: DefinitionSnapshot): {
  readonly bots: readonly BotTree[];
  readonly problems: readonly LoaderProblem[];
} {
  const from = definitions.folder;
  const within = join(from, "bots");
  const { folders, unreadable } = listFolder(definitions, within);
  const bots = new Map<string, BotTree>();
  const problems: LoaderProblem[] =
    unreadable === undefined ? [] : [locateProblem(definitions, within, unreadableFolderProblem(unreadable))];
  for (const entry of folders) {
    const bot = readBotTree(definitions, join(within, entry));
    const known = bot === undefined ? undefined : bots.get(bot.name);
    if (bot === undefined) continue;
    problems.push(...findIdleOverrides(bot));
    if (known === undefined) bots.set(bot.name, bot);
    else
      problems.push(
        locateProblem(definitions, join(dirname(from), bot.configFile), {
          code: "duplicate-bot",
          at: ["name"],
          message: `another bot is also named ${bot.name}; ${known.configFile} counts`,
          fix: "Rename this bot.",
        }),
      );
  }
  return { bots: [...bots.values()].sort((a, b) => compareNames(a.name, b.name)), problems };
}

/** Reads the bot in one folder; undefined if the folder has no bot config. */
export function readBotTree(definitions: DefinitionSnapshot, botFolder: string): BotTree | undefined {
  const folder = resolve(botFolder);
  const found = findConfig(definitions, folder);
  if (found === undefined) return undefined;
  const configFile = displayPath(definitions.folder, found.path);
  const fromFolder = normalizeName(basename(folder));
  const unusable = (broken: LoaderProblem): BotTree => {
    return { ...nothing, definitions, name: fromFolder, folder, configFile, broken, problems: [broken] };
  };
  const inConfig = (remark: JsonProblem): LoaderProblem => locateProblem(definitions, found.path, remark);
  if ("broken" in found) return unusable(found.broken);
  const { config: value } = found;

  const { config, broken: wrong, problems: said } = parseBotConfig(value);
  const ofActions = readActions(definitions, [
    join(folder, "base_actions"),
    join(definitions.folder, "bots", "base_bot", "base_actions"),
    join(definitions.folder, "base_actions"),
  ]);
  const { actions } = ofActions;
  const place = { folder, configPath: found.path, actionOf: actionFinder(actions) };
  const ofBehaviors = readBehaviors(definitions, place, value.behaviors);
  const broken = [...(wrong === undefined ? [] : [inConfig(wrong)]), ...ofBehaviors.broken, ...ofActions.broken];
  return {
    definitions,
    name: fromFolder,
    ...config,
    triggerWords: triggerWordsOf(definitions, config.triggerWords, folder),
    folder,
    configFile,
    behaviors: ofBehaviors.behaviors,
    actions,
    config: value,
    ...(broken[0] === undefined ? {} : { broken: broken[0] }),
    problems: [...broken, ...said.map(inConfig), ...ofBehaviors.problems, ...ofActions.problems],
  };
}

/** Reads trigger words from the config or from a file beside it. */
function triggerWordsOf(
  definitions: DefinitionSnapshot,
  inConfig: readonly string[],
  folder: string,
): readonly string[] {
  if (inConfig.length > 0) return inConfig;
  return [folder, join(folder, "config")].flatMap((place) => triggerWordsFile(definitions, place).words);
}

const nothing = { triggerWords: [], behaviors: [], actions: [], config: {} } as const;

type FoundConfig = { readonly path: string } & Exclude<ConfigRead, { missing: true }>;

function findConfig(definitions: DefinitionSnapshot, folder: string): FoundConfig | undefined {
  for (const path of [join(folder, "bot_config.json"), join(folder, "config", "bot_config.json")]) {
    const read = readConfig(definitions, path, "the bot config");
    if (!("missing" in read)) return { path, ...read };
  }
  return undefined;
}
