import { basename, dirname, join } from "node:path";
import { normalizeName } from "../../definitions/bots/definition-names.ts";
import type { LiveBot } from "../../definitions/bots/live-bot.ts";
import { triggerWordsIn } from "../../definitions/bots/trigger-words.ts";
import { lineOfPath } from "../../definitions/files/json-locations.ts";
import { valueIn } from "../../definitions/files/json-value.ts";
import { callProblem } from "../../definitions/phases/called-workflows.ts";
import { listFolder } from "../../definitions/snapshot/list-folder.ts";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { isObject } from "../../kit/json.ts";
import { behaviorConfigsIn } from "../config-files.ts";
import type { DefinitionsSurvey } from "../load-for-check.ts";
import type { ReportedFinding } from "../reported-finding.ts";

/** Reports behaviors that are listed without a folder, not listed, or named differently from their folder. */
export function inspectBehaviors(survey: DefinitionsSurvey): ReportedFinding[] {
  const usable = survey.bots.filter(({ tree }) => tree.broken === undefined);
  return [
    ...usable.flatMap((bot) => [...withoutFolder(survey, bot), ...unlisted(bot), ...brokenCalls(survey, bot)]),
    ...behaviorConfigsIn(survey).flatMap((one) => inspectConfig(survey.definitions, one)),
  ];
}

/** Reports calls of workflows that cannot work. */
function brokenCalls({ definitions }: DefinitionsSurvey, { tree }: LiveBot): ReportedFinding[] {
  return tree.behaviors.flatMap(({ actions = [], actionsFile: path = "" }) =>
    actions.flatMap(({ calls, at = [] }) => {
      const problem = calls === undefined ? undefined : callProblem(definitions, calls, []);
      return problem === undefined
        ? []
        : [{ code: "broken-call", path, line: lineOfPath(definitions, path, at), ...problem }];
    }),
  );
}

function withoutFolder({ definitions }: DefinitionsSurvey, { tree }: LiveBot): ReportedFinding[] {
  const path = join(dirname(definitions.folder), tree.configFile);
  return tree.behaviors
    .filter(({ folder, broken }) => folder === undefined && broken === undefined)
    .map(({ name, at = [] }) => ({
      code: "behavior-without-folder",
      path,
      line: lineOfPath(definitions, path, at),
      message: `${name} is listed, but the folder behaviors/${name} does not exist, so it has no material of its own`,
      fix: `Create the folder behaviors/${name}, or remove ${name} from the list.`,
    }));
}

function unlisted({ tree }: LiveBot): ReportedFinding[] {
  const within = join(tree.folder, "behaviors");
  const used = new Set(tree.behaviors.flatMap(({ folder }) => folder ?? []));
  const names = new Set(tree.behaviors.map(({ name }) => name));
  return listFolder(tree.definitions, within)
    .folders.map((entry) => join(within, entry))
    .filter((path) => !used.has(path) && !names.has(normalizeName(basename(path))))
    .map((path) => ({
      code: "unlisted-behavior",
      path,
      line: 1,
      message: `${basename(path)} is not listed in ${basename(tree.configFile)} so it is not served`,
      fix: "List it in behaviors, or move the folder elsewhere.",
    }));
}

function inspectConfig(definitions: DefinitionSnapshot, path: string): ReportedFinding[] {
  const value = valueIn(definitions, path);
  if (!isObject(value)) return [];
  const { description, trigger_words: words } = value;
  const name = value.name ?? value.behaviorName ?? value.behavior_name;
  const key = ["name", "behaviorName", "behavior_name"].find((one) => value[one] !== undefined) ?? "name";
  const note = (code: ReportedFinding["code"], key: string, message: string, fix: string): ReportedFinding => ({
    code,
    path,
    line: lineOfPath(definitions, path, [key]),
    message,
    fix,
  });
  const misfit = (key: string, wanted: string): ReportedFinding =>
    note("wrong-type-ignored", key, `${key} must be ${wanted}`, "Fix the value or delete it.");
  const folder = basename(dirname(path));
  const isNamed = typeof name === "string" && normalizeName(name) !== "";
  const differs = isNamed && normalizeName(name) !== normalizeName(folder);
  return [
    ...(name === undefined || isNamed ? [] : [misfit(key, "a string")]),
    ...(differs
      ? [
          note(
            "name-differs-from-folder",
            key,
            `the behavior is named ${normalizeName(name)}, but its folder is ${folder}`,
            "Rename the folder to match the behavior.",
          ),
        ]
      : []),
    ...(description === undefined || typeof description === "string" ? [] : [misfit("description", "a string")]),
    ...(words === undefined || triggerWordsIn(words).isWhole ? [] : [misfit("trigger_words", "a list of strings")]),
  ];
}
