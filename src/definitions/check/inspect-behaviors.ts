import { basename, dirname, join } from "node:path";
import { isObject } from "../../evidence/json.ts";
import type { LiveBot } from "../bots/live-bots.ts";
import { asName } from "../bots/names.ts";
import { triggerWordsIn } from "../bots/trigger-words.ts";
import { listFolder } from "../folder.ts";
import { lineIn } from "../json-place.ts";
import { valueIn } from "../json-value.ts";
import { behaviorConfigsIn } from "./config-files.ts";
import type { Noted } from "./finding.ts";
import type { Survey } from "./survey.ts";

/** Reports behaviors that are listed and not there, there and not listed, or named otherwise than their folder. */
export function inspectBehaviors(survey: Survey): Noted[] {
  const usable = survey.bots.filter(({ tree }) => tree.broken === undefined);
  return [
    ...usable.flatMap((bot) => [...withoutFolder(survey, bot), ...unlisted(bot)]),
    ...behaviorConfigsIn(survey).flatMap(inspectConfig),
  ];
}

function withoutFolder({ definitions }: Survey, { tree }: LiveBot): Noted[] {
  const path = join(dirname(definitions), tree.configFile);
  return tree.behaviors
    .filter(({ folder, broken }) => folder === undefined && broken === undefined)
    .map(({ name, at = [] }) => ({
      code: "behavior-without-folder",
      path,
      line: lineIn(path, at),
      message: `${name} is listed, and there is no folder behaviors/${name}: it has no material of its own`,
      fix: `Make the folder behaviors/${name}, or take ${name} out of the list.`,
    }));
}

function unlisted({ tree }: LiveBot): Noted[] {
  const within = join(tree.folder, "behaviors");
  const used = new Set(tree.behaviors.flatMap(({ folder }) => folder ?? []));
  const names = new Set(tree.behaviors.map(({ name }) => name));
  return listFolder(within)
    .folders.map((entry) => join(within, entry))
    .filter((path) => !used.has(path) && !names.has(asName(basename(path))))
    .map((path) => ({
      code: "unlisted-behavior",
      path,
      line: 1,
      message: `${basename(path)} is not listed in ${basename(tree.configFile)} and not served`,
      fix: "List it in behaviors, or move the folder away.",
    }));
}

function inspectConfig(path: string): Noted[] {
  const value = valueIn(path);
  if (!isObject(value)) return [];
  const { description, trigger_words: words } = value;
  const name = value.name ?? value.behaviorName ?? value.behavior_name;
  const key = ["name", "behaviorName", "behavior_name"].find((one) => value[one] !== undefined) ?? "name";
  const note = (code: Noted["code"], key: string, message: string, fix: string): Noted => ({
    code,
    path,
    line: lineIn(path, [key]),
    message,
    fix,
  });
  const misfit = (key: string, wanted: string): Noted =>
    note("wrong-type-ignored", key, `${key} must be ${wanted}`, "Mend the value, or delete it.");
  const folder = basename(dirname(path));
  const isNamed = typeof name === "string" && asName(name) !== "";
  const differs = isNamed && asName(name) !== asName(folder);
  return [
    ...(name === undefined || isNamed ? [] : [misfit(key, "a text")]),
    ...(differs
      ? [
          note(
            "name-differs-from-folder",
            key,
            `the config says ${asName(name)}, the folder ${folder}`,
            "Name the folder as the behavior.",
          ),
        ]
      : []),
    ...(description === undefined || typeof description === "string" ? [] : [misfit("description", "a text")]),
    ...(words === undefined || triggerWordsIn(words).isWhole ? [] : [misfit("trigger_words", "a list of texts")]),
  ];
}
