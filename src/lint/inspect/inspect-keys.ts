import { join } from "node:path";
import { actionConfigFile } from "../../definitions/bots/action-config-file.ts";
import { type JsonPath, lineOfPath } from "../../definitions/files/json-locations.ts";
import { valueIn } from "../../definitions/files/json-value.ts";
import { didYouMean } from "../../definitions/files/near-miss.ts";
import { gateKeys } from "../../definitions/gates/gate-file.ts";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { isObject, type Json } from "../../kit/json.ts";
import { behaviorConfigsIn, botConfigsIn } from "../config-files.ts";
import type { DefinitionsSurvey } from "../load-for-check.ts";
import type { ReportedFinding } from "../reported-finding.ts";

/** Reports unknown keys in configs and settings, and suggests the closest known key. */
export function inspectKeys(survey: DefinitionsSurvey): ReportedFinding[] {
  const actions = survey.folders
    .filter(({ files }) => files.includes(actionConfigFile))
    .map(({ path }) => join(path, actionConfigFile));
  return [
    ...actions.flatMap((path) => unknownKeysIn(survey.definitions, path, actionKeys, () => [], gateKeys)),
    ...botConfigsIn(survey).flatMap((path) => unknownKeysIn(survey.definitions, path, botKeys, listedBehaviors)),
    ...behaviorConfigsIn(survey).flatMap((path) => unknownKeysIn(survey.definitions, path, behaviorKeys)),
    ...unknownKeysIn(survey.definitions, join(survey.definitions.folder, "config.json"), settingKeys),
  ];
}

const actionKeys = ["name", "workflow", "order", "next_action", "auto_progress", "description", "instructions"];
const botKeys = ["name", "behaviors", "description", "goal", "instructions", "trigger_words", "project_area"];
const behaviorKeys = [
  ...["name", "order", "description", "goal", "inputs", "outputs", "instructions"],
  ...["actions", "actions_workflow", "trigger_words"],
];
const listedBehaviorKeys = ["name", "folder", "actions", "actions_workflow", "description"];
/** Aliases of known keys. */
const otherNames = ["auto_confirm", "behaviorName", "behavior_name"];
/** Keys that other engines keep in these files. */
const foreignKeys = [
  "action_class",
  "baseActionsPath",
  "base_actions_path",
  "verbose_mode",
  "command description",
  "version",
];
const settingKeys = ["behaviors", "external_edits", "strict", "history", "search", "standards", "checks", "approvals"];
/** Notes for editors and people, allowed in any object. */
const noteKeys = /^(?:\$schema|\$comment|comment|_comment|x-.*)$/;

type ConfigPart = { readonly at: JsonPath; readonly value: Json; readonly known: readonly string[] };

function unknownKeysIn(
  definitions: DefinitionSnapshot,
  path: string,
  known: readonly string[],
  partsOf: (document: Json) => readonly ConfigPart[] = () => [],
  saidElsewhere: readonly string[] = [],
): ReportedFinding[] {
  const value = valueIn(definitions, path);
  if (value === undefined) return [];
  const whole: ConfigPart = { at: [], value, known };
  return [whole, ...partsOf(value)].flatMap((part) =>
    unknownKeysOf(part, saidElsewhere).map((key) => ({
      path,
      line: lineOfPath(definitions, path, [...part.at, key]),
      ...(foreignKeys.includes(key) ? ofOtherEngine(key) : unknown(key, part.known)),
    })),
  );
}

function unknown(key: string, known: readonly string[]): Pick<ReportedFinding, "code" | "message" | "fix"> {
  const message = `the key "${key}" is unknown and ignored${didYouMean(key, known)}`;
  return { code: "unknown-key", message, fix: `Use one of ${known.join(", ")}, or delete it.` };
}

function ofOtherEngine(key: string): Pick<ReportedFinding, "code" | "message" | "fix"> {
  const message = `the key "${key}" belongs to another engine and is ignored here`;
  return { code: "foreign-key", message, fix: "Keep it if the other engine still reads it; otherwise delete it." };
}

function unknownKeysOf({ value, known }: ConfigPart, saidElsewhere: readonly string[]): string[] {
  const all = [...known, ...otherNames, ...saidElsewhere];
  return isObject(value) ? Object.keys(value).filter((key) => !all.includes(key) && !noteKeys.test(key)) : [];
}

function listedBehaviors(document: Json): readonly ConfigPart[] {
  const listed = isObject(document) ? document.behaviors : undefined;
  if (!Array.isArray(listed)) return [];
  return listed.map((value: Json, index) => ({ at: ["behaviors", index], value, known: listedBehaviorKeys }));
}
