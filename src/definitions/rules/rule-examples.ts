import type { RuleExample } from "../../gates/rule.ts";
import { isObject, type Json, type JsonObject } from "../../kit/json.ts";
import { textIn, textsIn } from "./text-in.ts";

/** The keys for what to do, and for what not to do. */
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

/** Reads a rule's examples: pairs in `examples`, and the rule's own `do` and `dont`. */
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
    if (!isObject(item)) return textIn(item) === "" ? [] : [{ do: textIn(item) }];
    const [right, wrong] = [textIn(pick(item, doKeys)), textIn(pick(item, dontKeys))];
    if (right === "" && wrong === "") return textIn(item) === "" ? [] : [{ do: textIn(item) }];
    // Other keys of an example go with its first half.
    const more = Object.entries(item)
      .filter(([key]) => ![...doKeys, ...dontKeys].includes(key.toLowerCase()))
      .map(([, part]) => textIn(part));
    const whole = (text: string): string => [...more, text].filter((one) => one !== "").join("\n");
    if (right === "") return [{ dont: whole(wrong) }];
    return [{ do: whole(right), ...(wrong === "" ? {} : { dont: wrong }) }];
  });
}

/** One text for each piece of guidance. */
function guidance(rule: JsonObject, keys: readonly string[]): string[] {
  const value = pick(rule, keys);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : textsIn(value);
}

function pick(from: JsonObject, keys: readonly string[]): Json | undefined {
  const key = Object.keys(from).find((candidate) => keys.includes(candidate.toLowerCase()));
  return key === undefined ? undefined : from[key];
}
