import { type Correction, checkMessage } from "../../gates/correction.ts";
import { isObject, type Json, type JsonObject } from "../../kit/json.ts";
import { readExamples } from "./rule-examples.ts";

/** The result of adding a correction: the new text, no change, or why it is refused. */
export type AddResult = { readonly text: string } | { readonly unchanged: true } | { readonly refused: string };

/** Adds a correction to the rule at a path of a JSON text, and keeps everything else, layout included. */
export function addToJson(
  text: string,
  at: readonly (string | number)[],
  name: string,
  correction: Correction,
): AddResult {
  let document: Json;
  try {
    document = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return { refused: "its file is no longer valid JSON" };
  }
  const before = valueAt(document, at);
  const rule: JsonObject | undefined = isObject(before)
    ? before
    : typeof before === "string"
      ? { name, description: before }
      : undefined;
  if (rule === undefined) return { refused: "its file has just changed; call again" };
  const added = { ...withExample(rule, correction), ...withCheck(rule, correction) };
  if (Object.keys(added).length === 0) return { unchanged: true };
  return { text: written(replacedAt(document, at, { ...rule, ...added }), text) };
}

function withExample(rule: JsonObject, { do: right, dont }: Correction): JsonObject {
  if (readExamples(rule).some((example) => example.do === right && example.dont === dont)) return {};
  return { examples: [...listed(rule.examples), { do: right, dont }] };
}

function withCheck(rule: JsonObject, correction: Correction): JsonObject {
  const { pattern } = correction;
  if (pattern === undefined) return {};
  const checks = listed(rule.checks);
  const isKnown = checks.some(
    (check) => isObject(check) && (check.type ?? check.kind) === "must_not_match" && check.pattern === pattern,
  );
  if (isKnown) return {};
  const added = { type: "must_not_match", pattern, ...reachOf(checks), message: checkMessage(correction) };
  return { checks: [...checks, added] };
}

/** Copies glob and severity of the rule's first check to a new one. */
function reachOf([first]: readonly Json[]): JsonObject {
  if (!isObject(first)) return {};
  return Object.fromEntries(Object.entries(first).filter(([key]) => key === "glob" || key === "severity"));
}

function listed(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}

function valueAt(document: Json, at: readonly (string | number)[]): Json | undefined {
  return at.reduce<Json | undefined>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)];
    return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }, document);
}

function replacedAt(document: Json, at: readonly (string | number)[], rule: JsonObject): Json {
  const [key, ...rest] = at;
  if (key === undefined) return rule;
  if (Array.isArray(document)) {
    return document.map((item, index) => (index === key ? replacedAt(item, rest, rule) : item));
  }
  if (!isObject(document)) return document;
  return { ...document, [key]: replacedAt(document[key] ?? null, rest, rule) };
}

/** Serializes a document in the layout of its file: indent, line ends, end of file. */
function written(document: Json, before: string): string {
  const indent = /\n([ \t]+)["[{]/.exec(before)?.[1] ?? (before.trim().includes("\n") ? "  " : "");
  const text = JSON.stringify(document, null, indent) + (/\n\s*$/.test(before) ? "\n" : "");
  const mark = before.startsWith("\uFEFF") ? "\uFEFF" : "";
  return mark + (before.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text);
}
