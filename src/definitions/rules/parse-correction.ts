import type { Correction } from "../../evidence/correction.ts";
import type { JsonObject } from "../../evidence/json.ts";

/** A person is shown a correction whole before it counts, and a window for questions has no room for more than this. */
const longestCorrection = 1500;

/** What a person who is shown a text would not see of it: marks of control and direction, and what has no width. Joiners belong to scripts. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

const seen = /\n|\t|\u200C|\u200D|\uFE0F/g;

/** Reads a correction out of what was handed in; undefined where none of its keys is there, `invalid` where they say too little or too much. */
export function parseCorrection(inputs: JsonObject | undefined): Correction | { readonly invalid: string } | undefined {
  const { rule, dont, do: right, pattern } = inputs ?? {};
  if (rule === undefined && dont === undefined && right === undefined) return undefined;
  if (!isText(rule)) return { invalid: `a correction names its rule in "rule", ${said(rule)}` };
  if (!isText(dont)) return { invalid: `a correction says in "dont" what was wrong, ${said(dont)}` };
  if (!isText(right)) return { invalid: `a correction says in "do" what is right, ${said(right)}` };
  const texts = { rule: rule.trim(), dont: dont.trim(), do: right.trim() };
  if (pattern === undefined || pattern === null) return shownWhole(texts);
  if (!isText(pattern)) return { invalid: `the pattern of a correction is a text, ${said(pattern)}` };
  return shownWhole({ ...texts, pattern });
}

/** A correction of which a person can be shown every character. */
function shownWhole(correction: Correction): Correction | { readonly invalid: string } {
  const texts = Object.values(correction);
  const length = texts.reduce((sum, text) => sum + JSON.stringify(text).length - 2, 0);
  if (length > longestCorrection)
    return {
      invalid: `the correction has ${length} characters and may have ${longestCorrection}: a person is shown it whole before it counts`,
    };
  if (texts.some((text) => unseen.test(text.replaceAll(seen, ""))))
    return {
      invalid: "the correction holds characters that nobody sees, and a person is shown it whole before it counts",
    };
  return correction;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function said(value: unknown): string {
  if (value === undefined) return "and it is missing";
  return typeof value === "string" ? "and it is empty" : "and it is no text";
}
