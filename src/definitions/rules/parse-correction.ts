import type { Correction } from "../../gates/correction.ts";
import type { JsonObject } from "../../kit/json.ts";

/** The maximum length of a correction, since a person must see all of it before approving. */
const longestCorrection = 1500;

/** Characters a person would not see: control, direction and zero-width marks. Joiners belong to scripts. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

const seen = /\n|\t|\u200C|\u200D|\uFE0F/g;

/** Parses a correction from the inputs: undefined if none of its keys is present, `invalid` if it is incomplete or too long. */
export function parseCorrection(inputs: JsonObject | undefined): Correction | { readonly invalid: string } | undefined {
  const { rule, dont, do: right, pattern } = inputs ?? {};
  if (rule === undefined && dont === undefined && right === undefined) return undefined;
  if (!isText(rule)) return { invalid: `a correction needs its rule's name in "rule", ${describeValue(rule)}` };
  if (!isText(dont)) return { invalid: `a correction needs what was wrong in "dont", ${describeValue(dont)}` };
  if (!isText(right)) return { invalid: `a correction needs what is right in "do", ${describeValue(right)}` };
  const texts = { rule: rule.trim(), dont: dont.trim(), do: right.trim() };
  if (pattern === undefined || pattern === null) return fullyVisible(texts);
  if (!isText(pattern)) return { invalid: `the pattern of a correction must be a string, ${describeValue(pattern)}` };
  return fullyVisible({ ...texts, pattern });
}

/** Accepts a correction only if a person can be shown every character. */
function fullyVisible(correction: Correction): Correction | { readonly invalid: string } {
  const texts = Object.values(correction);
  const length = texts.reduce((sum, text) => sum + JSON.stringify(text).length - 2, 0);
  if (length > longestCorrection)
    return {
      invalid: `the correction has ${length} characters; the limit is ${longestCorrection}, because a person must see all of it before approving`,
    };
  if (texts.some((text) => unseen.test(text.replaceAll(seen, ""))))
    return {
      invalid: "the correction has invisible characters, but a person must see all of it before approving",
    };
  return correction;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function describeValue(value: unknown): string {
  if (value === undefined) return "but it is missing";
  return typeof value === "string" ? "but it is empty" : "but it is not a string";
}
