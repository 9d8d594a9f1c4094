import { isObject, type Json, type JsonObject } from "../../evidence/json.ts";
import type { RuleExample } from "../../evidence/rule.ts";
import { textOf, textsOf } from "./text-of.ts";

/** The keys under which authors say what to do, and what not. */
export const doKeys: readonly string[] = ["do", "good", "correct", "right", "prefer", "positive"];
export const dontKeys: readonly string[] = [
  "dont",
  "don't",
  "do_not",
  "bad",
  "wrong",
  "incorrect",
  "avoid",
  "negative",
];

/** Reads a rule's examples: pairs in `examples`, and what stands under `do` and `dont` of the rule itself. */
export function readExamples(rule: JsonObject): RuleExample[] {
  return [
    ...guidance(rule, doKeys).map((text) => ({ do: text })),
    ...guidance(rule, dontKeys).map((text) => ({ dont: text })),
    ...examplesIn(rule.examples),
    ...examplesIn(rule.example),
  ];
}

function examplesIn(value: Json | undefined): RuleExample[] {
  const items = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return items.flatMap((item): RuleExample[] => {
    if (!isObject(item)) return textOf(item) === "" ? [] : [{ do: textOf(item) }];
    const [right, wrong] = [textOf(pick(item, doKeys)), textOf(pick(item, dontKeys))];
    if (right === "" && wrong === "") return textOf(item) === "" ? [] : [{ do: textOf(item) }];
    // What else is said of the example goes with its first half.
    const more = Object.entries(item)
      .filter(([key]) => ![...doKeys, ...dontKeys].includes(key.toLowerCase()))
      .map(([, part]) => textOf(part));
    const whole = (text: string): string => [...more, text].filter((one) => one !== "").join("\n");
    if (right === "") return [{ dont: whole(wrong) }];
    return [{ do: whole(right), ...(wrong === "" ? {} : { dont: wrong }) }];
  });
}

/** One text for each piece of guidance. */
function guidance(rule: JsonObject, keys: readonly string[]): string[] {
  const value = pick(rule, keys);
  return isObject(value) ? Object.values(value).flatMap(textsOf) : textsOf(value);
}

function pick(from: JsonObject, keys: readonly string[]): Json | undefined {
  const key = Object.keys(from).find((candidate) => keys.includes(candidate.toLowerCase()));
  return key === undefined ? undefined : from[key];
}
