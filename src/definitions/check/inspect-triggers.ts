import { join } from "node:path";
import { isObject, type Json } from "../../workflow/json.ts";
import { type JsonPath, lineIn } from "../json-place.ts";
import { findPatternProblem } from "../rules/pattern-problem.ts";
import { behaviorConfigsIn, botConfigsIn } from "./config-files.ts";
import type { Noted } from "./finding.ts";
import { valueIn } from "./json-source.ts";
import { isDangerous, looksLikePattern } from "./pattern-danger.ts";
import type { Survey } from "./survey.ts";

/** Reports trigger words that are patterns: Waymark shows them as words, so they bring nobody here. */
export function inspectTriggers(survey: Survey): Noted[] {
  const behaviors = survey.bots.flatMap(({ tree }) => tree.behaviors.flatMap(({ folder }) => folder ?? []));
  return [
    ...[...botConfigsIn(survey), ...behaviorConfigsIn(survey)].flatMap((path) => inspectFile(path, wordsInConfig)),
    ...behaviors.flatMap((folder) => inspectFile(join(folder, "trigger_words.json"), wordsInFile)),
  ];
}

function inspectFile(path: string, find: (document: Json) => readonly Entry[]): Noted[] {
  return find(valueIn(path) ?? null).flatMap(({ word, at }) =>
    judge(word).map((found) => ({ ...found, path, line: lineIn(path, at) })),
  );
}

type Entry = { readonly word: string; readonly at: JsonPath };

function wordsInConfig(document: Json): Entry[] {
  return isObject(document) ? textsAt(["trigger_words"], document.trigger_words ?? null) : [];
}

/** A file of its own holds the list, or an object with the list under its first key. */
function wordsInFile(document: Json): Entry[] {
  const [first] = isObject(document) ? Object.keys(document) : [];
  return first === undefined || !isObject(document) ? textsAt([], document) : textsAt([first], document[first] ?? null);
}

function textsAt(at: JsonPath, value: Json): Entry[] {
  if (typeof value === "string") return [{ word: value, at }];
  if (!Array.isArray(value)) return [];
  return value.flatMap((word: Json, index) => (typeof word === "string" ? [{ word, at: [...at, index] }] : []));
}

function judge(word: string): Pick<Noted, "code" | "message" | "fix">[] {
  if (!looksLikePattern(word)) return [];
  const shown = JSON.stringify(word);
  const fix = "Write the words that people use, not a pattern.";
  const problem = findPatternProblem(word.replace(/^\/(.+)\/[a-z]*$/s, "$1"));
  if (problem !== undefined)
    return [
      { code: "invalid-trigger-pattern", message: `the trigger ${shown} is a pattern that RE2 cannot compile`, fix },
    ];
  if (isDangerous(word)) {
    const message = `the trigger ${shown} is a pattern that repeats what already repeats: an engine may never come to an end with it`;
    return [{ code: "dangerous-trigger-pattern", message, fix }];
  }
  return [
    {
      code: "pattern-as-trigger",
      message: `the trigger ${shown} is a pattern: it is shown as it stands and never run`,
      fix,
    },
  ];
}
