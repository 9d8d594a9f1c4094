import { basename, dirname, join } from "node:path";
import { chooseServed } from "../../definitions/bots/choose-served.ts";
import { normalizeName, pathSafeName } from "../../definitions/bots/definition-names.ts";
import type { BotTree } from "../../definitions/bots/tree.ts";
import { lineOfPath } from "../../definitions/files/json-locations.ts";
import { listFolder } from "../../definitions/snapshot/list-folder.ts";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import type { DefinitionsSurvey } from "../load-for-check.ts";
import type { ReportedFinding } from "../reported-finding.ts";

/** Reports bots that are not served, and bot configs in unexpected places. */
export function inspectBots(survey: DefinitionsSurvey, root: string): ReportedFinding[] {
  const { definitions, bots } = survey;
  const trees = bots.map(({ tree }) => tree);
  return [
    ...(trees.length === 0 ? noBot(definitions) : []),
    ...withoutConfig(definitions),
    ...trees.flatMap((tree) => inspectConfigPlace(tree)),
    ...sharedAreas(definitions, trees, root),
  ];
}

/** Reports a folder without bots, unless it has workflows or standards. */
function noBot(definitions: DefinitionSnapshot): ReportedFinding[] {
  const others = ["workflows", "standards"].map((name) => listFolder(definitions, join(definitions.folder, name)));
  if (others.some(({ folders, files }) => folders.length + files.length > 0)) return [];
  const path = join(definitions.folder, "bots");
  const fix = "Create bots/<name>/bot_config.json, or run waymark init.";
  return [{ code: "no-bot", path, line: 1, message: "there is no bot to serve", fix }];
}

function withoutConfig(definitions: DefinitionSnapshot): ReportedFinding[] {
  const within = join(definitions.folder, "bots");
  return listFolder(definitions, within)
    .folders.filter((name) => name !== "base_bot")
    .map((name) => join(within, name))
    .filter((path) => {
      const { files, folders } = listFolder(definitions, path);
      const hasConfig =
        files.includes(configName) || listFolder(definitions, join(path, "config")).files.includes(configName);
      return (
        !hasConfig &&
        (folders.some((folder) => botLike.includes(folder)) || files.some((file) => file.endsWith(".json")))
      );
    })
    .map((path) => ({
      code: "missing-bot-config",
      path: join(path, configName),
      line: 1,
      message: `${basename(path)} has no bot_config.json, so it is not served`,
      fix: "Add a bot_config.json that lists its behaviors, or move the folder elsewhere.",
    }));
}

const configName = "bot_config.json";
const botLike = ["behaviors", "base_actions", "rules", "config"];

function inspectConfigPlace(tree: BotTree): ReportedFinding[] {
  const path = join(dirname(tree.definitions.folder), tree.configFile);
  const folder = basename(tree.folder);
  const noted: ReportedFinding[] = [];
  if (basename(dirname(path)) === "config" && dirname(path) !== tree.folder) {
    const fix = `Move it to ${folder}/bot_config.json.`;
    noted.push({ code: "config-in-subfolder", path, line: 1, message: "the bot's config is in config/", fix });
  }
  if (
    typeof tree.config.name === "string" &&
    tree.name !== normalizeName(folder) &&
    tree.name !== pathSafeName(folder)
  ) {
    const message = `the bot is named ${tree.name}, but its folder is ${folder}`;
    const fix = "Rename the folder to match the bot.";
    noted.push({
      code: "name-differs-from-folder",
      path,
      line: lineOfPath(tree.definitions, path, ["name"]),
      message,
      fix,
    });
  }
  return noted;
}

function sharedAreas(definitions: DefinitionSnapshot, trees: readonly BotTree[], root: string): ReportedFinding[] {
  const { served } = chooseServed(definitions, trees, { root, projectArea: root });
  return served.flatMap(({ bot: { name, configFile }, isGuest }): ReportedFinding[] => {
    if (isGuest === undefined) return [];
    const path = join(dirname(definitions.folder), configFile);
    const message = `${name} shares its project area with another bot, so its two JSON files are in .waymark/state/${name}/`;
    const fix = `Give ${name} its own project_area if its files should be elsewhere.`;
    const line = lineOfPath(definitions, path, ["project_area"]);
    return [{ code: "shared-project-area", path, line, message, fix }];
  });
}
