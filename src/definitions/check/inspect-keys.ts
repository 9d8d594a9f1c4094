import { join } from "node:path";
import { isObject, type Json } from "../../evidence/json.ts";
import { actionConfigFile } from "../bots/action-config-file.ts";
import { gateKeys } from "../gates/gate-file.ts";
import { type JsonPath, lineIn } from "../json-place.ts";
import { valueIn } from "../json-value.ts";
import { didYouMean } from "../near-miss.ts";
import { behaviorConfigsIn, botConfigsIn } from "./config-files.ts";
import type { Noted } from "./finding.ts";
import type { Survey } from "./survey.ts";

/** Reports the keys of configs and settings that Waymark does not know, with the one that was most likely meant. */
export function inspectKeys(survey: Survey): Noted[] {
  const actions = survey.folders
    .filter(({ files }) => files.includes(actionConfigFile))
    .map(({ path }) => join(path, actionConfigFile));
  return [
    ...actions.flatMap((path) => strangersIn(path, actionKeys, () => [], gateKeys)),
    ...botConfigsIn(survey).flatMap((path) => strangersIn(path, botKeys, listedBehaviors)),
    ...behaviorConfigsIn(survey).flatMap((path) => strangersIn(path, behaviorKeys)),
    ...strangersIn(join(survey.definitions, "config.json"), settingKeys),
  ];
}

const actionKeys = ["name", "workflow", "order", "next_action", "auto_progress", "description", "instructions"];
const botKeys = ["name", "behaviors", "description", "goal", "instructions", "trigger_words", "project_area"];
const behaviorKeys = [
  ...["name", "order", "description", "goal", "inputs", "outputs", "instructions"],
  ...["actions", "actions_workflow", "trigger_words"],
];
const listedBehaviorKeys = ["name", "folder", "actions", "actions_workflow", "description"];
/** Other names for keys that are known. */
const otherNames = ["auto_confirm", "behaviorName", "behavior_name"];
/** What other engines keep in these files. */
const foreign = [
  "action_class",
  "baseActionsPath",
  "base_actions_path",
  "verbose_mode",
  "command description",
  "version",
];
const settingKeys = ["behaviors", "external_edits", "strict", "history", "search", "checks", "approvals"];
/** Notes for editors and for people may stand anywhere. */
const notes = /^(?:\$schema|\$comment|comment|_comment|x-.*)$/;

type Part = { readonly at: JsonPath; readonly value: Json; readonly known: readonly string[] };

function strangersIn(
  path: string,
  known: readonly string[],
  partsOf: (document: Json) => readonly Part[] = () => [],
  saidElsewhere: readonly string[] = [],
): Noted[] {
  const value = valueIn(path);
  if (value === undefined) return [];
  const whole: Part = { at: [], value, known };
  return [whole, ...partsOf(value)].flatMap((part) =>
    strangersOf(part, saidElsewhere).map((key) => ({
      path,
      line: lineIn(path, [...part.at, key]),
      ...(foreign.includes(key) ? ofOtherEngine(key) : unknown(key, part.known)),
    })),
  );
}

function unknown(key: string, known: readonly string[]): Pick<Noted, "code" | "message" | "fix"> {
  const message = `the key "${key}" is not known and changes nothing${didYouMean(key, known)}`;
  return { code: "unknown-key", message, fix: `Use one of ${known.join(", ")}, or delete it.` };
}

function ofOtherEngine(key: string): Pick<Noted, "code" | "message" | "fix"> {
  const message = `the key "${key}" is for another engine and changes nothing here`;
  return { code: "foreign-key", message, fix: "Nothing, where the other engine still reads it; else delete it." };
}

function strangersOf({ value, known }: Part, saidElsewhere: readonly string[]): string[] {
  const all = [...known, ...otherNames, ...saidElsewhere];
  return isObject(value) ? Object.keys(value).filter((key) => !all.includes(key) && !notes.test(key)) : [];
}

function listedBehaviors(document: Json): readonly Part[] {
  const listed = isObject(document) ? document.behaviors : undefined;
  if (!Array.isArray(listed)) return [];
  return listed.map((value: Json, index) => ({ at: ["behaviors", index], value, known: listedBehaviorKeys }));
}
