import { join } from "node:path";
import { describeBehavior, describeBot, type ToolDescription } from "../../definitions/bots/tool-descriptions.ts";
import { looksLikePattern, plainWords } from "../../definitions/bots/trigger-words.ts";
import { type JsonPath, lineOfPath } from "../../definitions/files/json-locations.ts";
import { valueIn } from "../../definitions/files/json-value.ts";
import { findPatternProblem } from "../../definitions/rules/pattern-problem.ts";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { isObject, type Json } from "../../kit/json.ts";
import { behaviorConfigsIn, botConfigsIn } from "../config-files.ts";
import type { DefinitionsSurvey } from "../load-for-check.ts";
import type { ReportedFinding } from "../reported-finding.ts";

/** Reports trigger words that are patterns, and those that do not fit into a tool's description. */
export function inspectTriggers(survey: DefinitionsSurvey): ReportedFinding[] {
  const behaviors = survey.bots.flatMap(({ tree }) => tree.behaviors.flatMap(({ folder }) => folder ?? []));
  const bots = survey.bots.flatMap(({ tree }) => [tree.folder, join(tree.folder, "config")]);
  return [
    ...[...botConfigsIn(survey), ...behaviorConfigsIn(survey)].flatMap((path) =>
      inspectFile(survey.definitions, path, ["trigger_words"]),
    ),
    ...[...bots, ...behaviors].flatMap((folder) =>
      inspectFile(survey.definitions, join(folder, "trigger_words.json"), []),
    ),
    ...withoutRoom(survey),
  ];
}

function inspectFile(definitions: DefinitionSnapshot, path: string, from: JsonPath): ReportedFinding[] {
  const document = valueIn(definitions, path);
  const value = from.length === 0 ? document : isObject(document) ? document.trigger_words : undefined;
  return textsAt(from, value ?? null).flatMap(({ word, at }) =>
    judge(word).map((found) => ({ ...found, path, line: lineOfPath(definitions, path, at) })),
  );
}

function textsAt(at: JsonPath, value: Json): { readonly word: string; readonly at: JsonPath }[] {
  if (typeof value === "string") return [{ word: value, at }];
  if (Array.isArray(value)) return value.flatMap((word: Json, index) => textsAt([...at, index], word));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, part]) => (key === "description" ? [] : textsAt([...at, key], part)));
}

function judge(word: string): Pick<ReportedFinding, "code" | "message" | "fix">[] {
  if (!looksLikePattern(word)) return [];
  const shown = JSON.stringify(word);
  const said = plainWords(word);
  const as =
    said.length === 0 ? "not shown because it contains no words" : `shown as ${JSON.stringify(said.join(", "))}`;
  const fix = "Write the words people use instead of a pattern.";
  return findPatternProblem(word.replace(/^\/(.+)\/[a-z]*$/s, "$1")) === undefined
    ? [
        {
          code: "pattern-as-trigger",
          message: `the trigger ${shown} is a pattern, and patterns are not matched; it is ${as}`,
          fix,
        },
      ]
    : [{ code: "invalid-trigger-pattern", message: `the trigger ${shown} is not a valid pattern; it is ${as}`, fix }];
}

/** Every conversation pays for tool descriptions, so they have a limit. */
function withoutRoom({ definitions, bots }: DefinitionsSurvey): ReportedFinding[] {
  const note = (path: string, { leftOut }: ToolDescription): ReportedFinding[] => {
    if (leftOut.length === 0) return [];
    const message = `${leftOut.length} trigger words do not fit into the tool's description: ${leftOut.slice(0, 5).join(", ")}`;
    return [
      {
        code: "trigger-words-left-out",
        path,
        line: 1,
        message,
        fix: "Keep the words that set it apart from other tools.",
      },
    ];
  };
  return bots.flatMap(({ tree }) => [
    ...note(join(definitions.folder, "..", tree.configFile), describeBot(tree)),
    ...tree.behaviors.flatMap((behavior) =>
      behavior.folder === undefined ? [] : note(behavior.folder, describeBehavior(definitions, behavior)),
    ),
  ]);
}
