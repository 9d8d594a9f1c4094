import type { Correction } from "../../engine/ports.ts";
import type { JsonObject } from "../../evidence/json.ts";

/** The longest text that a correction may hand in. */
export const longestText = 2_000;

/** Reads a correction out of what was handed in; undefined where none of its keys is there, `invalid` where they say too little. */
export function parseCorrection(inputs: JsonObject | undefined): Correction | { readonly invalid: string } | undefined {
  const { rule, dont, do: right, pattern } = inputs ?? {};
  if (rule === undefined && dont === undefined && right === undefined) return undefined;
  if (!isText(rule)) return { invalid: `a correction names its rule in "rule", ${said(rule)}` };
  if (!isText(dont)) return { invalid: `a correction says in "dont" what was wrong, ${said(dont)}` };
  if (!isText(right)) return { invalid: `a correction says in "do" what is right, ${said(right)}` };
  const texts = { rule: rule.trim(), dont: dont.trim(), do: right.trim() };
  if (pattern === undefined || pattern === null) return texts;
  if (!isText(pattern)) return { invalid: `the pattern of a correction is a text, ${said(pattern)}` };
  return { ...texts, pattern };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "" && value.length <= longestText;
}

function said(value: unknown): string {
  if (value === undefined) return "and it is missing";
  if (typeof value !== "string") return "and it is no text";
  return value.trim() === "" ? "and it is empty" : `of at most ${longestText} characters`;
}
