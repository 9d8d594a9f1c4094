import { basename, dirname, join } from "node:path";
import { asName, pathSafe } from "../bots/names.ts";
import { chooseServed } from "../bots/served.ts";
import type { BotTree } from "../bots/tree.ts";
import { listFolder } from "../folder.ts";
import { lineIn } from "../json-place.ts";
import type { Noted } from "./finding.ts";
import type { Survey } from "./survey.ts";

/** Reports bots that are not served or not where they are looked for. */
export function inspectBots(survey: Survey, root: string): Noted[] {
  const { definitions, bots } = survey;
  const trees = bots.map(({ tree }) => tree);
  return [
    ...(trees.length === 0 ? noBot(definitions) : []),
    ...withoutConfig(definitions),
    ...trees.flatMap((tree) => inspectConfigPlace(definitions, tree)),
    ...sharedAreas(definitions, trees, root),
  ];
}

/** A folder of phased workflows or standards alone is whole without a bot. */
function noBot(definitions: string): Noted[] {
  const others = ["workflows", "standards"].map((name) => listFolder(join(definitions, name)));
  if (others.some(({ folders, files }) => folders.length + files.length > 0)) return [];
  const path = join(definitions, "bots");
  const fix = "Make a folder bots/<name>/ with a bot_config.json, or run waymark init.";
  return [{ code: "no-bot", path, line: 1, message: "there is no bot to serve", fix }];
}

function withoutConfig(definitions: string): Noted[] {
  const within = join(definitions, "bots");
  return listFolder(within)
    .folders.filter((name) => name !== "base_bot")
    .map((name) => join(within, name))
    .filter((path) => {
      const { files, folders } = listFolder(path);
      const hasConfig = files.includes(configName) || listFolder(join(path, "config")).files.includes(configName);
      return (
        !hasConfig &&
        (folders.some((folder) => botLike.includes(folder)) || files.some((file) => file.endsWith(".json")))
      );
    })
    .map((path) => ({
      code: "missing-bot-config",
      path: join(path, configName),
      line: 1,
      message: `${basename(path)} has no bot_config.json and is not served`,
      fix: "Add a bot_config.json that lists its behaviors, or move the folder away.",
    }));
}

const configName = "bot_config.json";
const botLike = ["behaviors", "base_actions", "rules", "config"];

function inspectConfigPlace(definitions: string, tree: BotTree): Noted[] {
  const path = join(dirname(definitions), tree.configFile);
  const folder = basename(tree.folder);
  const noted: Noted[] = [];
  if (basename(dirname(path)) === "config" && dirname(path) !== tree.folder) {
    const fix = `Move it to ${folder}/bot_config.json.`;
    noted.push({ code: "config-in-subfolder", path, line: 1, message: "the bot's config stands in config/", fix });
  }
  if (typeof tree.config.name === "string" && tree.name !== asName(folder) && tree.name !== pathSafe(folder)) {
    const message = `the bot is ${tree.name}, its folder ${folder}`;
    const fix = "Name the folder as the bot.";
    noted.push({ code: "name-differs-from-folder", path, line: lineIn(path, ["name"]), message, fix });
  }
  return noted;
}

function sharedAreas(definitions: string, trees: readonly BotTree[], root: string): Noted[] {
  const { served, problems } = chooseServed(trees, { root, projectArea: root });
  const chosen = new Set(served.map(({ bot }) => bot));
  const outside = new Set(problems.map(({ file }) => file));
  return trees
    .filter((tree) => !chosen.has(tree) && !outside.has(tree.configFile))
    .map((tree) => {
      const path = join(dirname(definitions), tree.configFile);
      const message = `${tree.name} works in the same project area as another bot, and only one of them is served`;
      const fix = `Give ${tree.name} a project_area of its own.`;
      return { code: "shared-project-area", path, line: lineIn(path, ["project_area"]), message, fix };
    });
}
