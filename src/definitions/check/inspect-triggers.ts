import { join } from "node:path";
import { isObject, type Json } from "../../evidence/json.ts";
import { describeBehavior, describeBot, type ToolDescription } from "../bots/catalog.ts";
import { looksLikePattern, plainWords } from "../bots/trigger-words.ts";
import { type JsonPath, lineIn } from "../json-place.ts";
import { valueIn } from "../json-value.ts";
import { findPatternProblem } from "../rules/pattern-problem.ts";
import { behaviorConfigsIn, botConfigsIn } from "./config-files.ts";
import type { Noted } from "./finding.ts";
import type { Survey } from "./survey.ts";

/** Reports trigger words that are patterns, which nobody runs, and those that no tool's description has room for. */
export function inspectTriggers(survey: Survey): Noted[] {
  const behaviors = survey.bots.flatMap(({ tree }) => tree.behaviors.flatMap(({ folder }) => folder ?? []));
  const bots = survey.bots.flatMap(({ tree }) => [tree.folder, join(tree.folder, "config")]);
  return [
    ...[...botConfigsIn(survey), ...behaviorConfigsIn(survey)].flatMap((path) => inspectFile(path, ["trigger_words"])),
    ...[...bots, ...behaviors].flatMap((folder) => inspectFile(join(folder, "trigger_words.json"), [])),
    ...withoutRoom(survey),
  ];
}

function inspectFile(path: string, from: JsonPath): Noted[] {
  const document = valueIn(path);
  const value = from.length === 0 ? document : isObject(document) ? document.trigger_words : undefined;
  return textsAt(from, value ?? null).flatMap(({ word, at }) =>
    judge(word).map((found) => ({ ...found, path, line: lineIn(path, at) })),
  );
}

function textsAt(at: JsonPath, value: Json): { readonly word: string; readonly at: JsonPath }[] {
  if (typeof value === "string") return [{ word: value, at }];
  if (Array.isArray(value)) return value.flatMap((word: Json, index) => textsAt([...at, index], word));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, part]) => (key === "description" ? [] : textsAt([...at, key], part)));
}

function judge(word: string): Pick<Noted, "code" | "message" | "fix">[] {
  if (!looksLikePattern(word)) return [];
  const shown = JSON.stringify(word);
  const said = plainWords(word);
  const as = said.length === 0 ? "not shown: it has no words in it" : `shown as ${JSON.stringify(said.join(", "))}`;
  const fix = "Write the words that people use, not a pattern.";
  return findPatternProblem(word.replace(/^\/(.+)\/[a-z]*$/s, "$1")) === undefined
    ? [
        {
          code: "pattern-as-trigger",
          message: `the trigger ${shown} is a pattern, which nobody runs; it is ${as}`,
          fix,
        },
      ]
    : [{ code: "invalid-trigger-pattern", message: `the trigger ${shown} is no valid pattern; it is ${as}`, fix }];
}

/** Tools are read in every conversation, so their descriptions have a limit. */
function withoutRoom({ definitions, bots }: Survey): Noted[] {
  const note = (path: string, { leftOut }: ToolDescription): Noted[] => {
    if (leftOut.length === 0) return [];
    const message = `no room in the tool's description for ${leftOut.length} trigger words: ${leftOut.slice(0, 5).join(", ")}`;
    return [
      { code: "trigger-words-left-out", path, line: 1, message, fix: "Keep the words that tell it from the others." },
    ];
  };
  return bots.flatMap(({ tree }) => [
    ...note(join(definitions, "..", tree.configFile), describeBot(tree)),
    ...tree.behaviors.flatMap((behavior) =>
      behavior.folder === undefined ? [] : note(behavior.folder, describeBehavior(definitions, behavior)),
    ),
  ]);
}
