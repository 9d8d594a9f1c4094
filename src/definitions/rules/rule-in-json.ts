import type { Rule } from "../../gates/rule.ts";
import { isObject, type Json, type JsonObject } from "../../kit/json.ts";
import { checkKeys, type ReadSchema, readChecks } from "./read-checks.ts";
import { doKeys, dontKeys, readExamples } from "./rule-examples.ts";
import { textIn } from "./text-in.ts";

/** A rule in a JSON file with its path and its unknown keys. */
export type JsonRule = {
  readonly rule: Omit<Rule, "file">;
  readonly at: readonly (string | number)[];
  readonly unknownKeys: readonly string[];
};

const nameKeys = ["name", "rule_name", "id"];
const descriptionKeys = ["description", "rule", "text", "summary", "principle", "statement", "guidance", "title"];
const understood: readonly string[] = [
  ...[...nameKeys, ...descriptionKeys, ...doKeys, ...dontKeys, ...checkKeys, "examples", "example"],
  ...[
    "glob",
    "severity",
    "message",
    "flags",
    "priority",
    "tags",
    "category",
    "version",
    "source",
    "rationale",
    "notes",
  ],
  ...["comment", "$schema", "scanner", "scanners"],
];

/** Finds the rules in a JSON value: one, a list, or a list under `rules`. */
export function rulesInJson(value: Json, fileName: string, readSchema: ReadSchema): JsonRule[] {
  const inside = isObject(value) ? value.rules : undefined;
  if (Array.isArray(value)) return fromList(value, [], fileName, readSchema);
  if (Array.isArray(inside)) return fromList(inside, ["rules"], fileName, readSchema);
  if (isObject(inside)) {
    return Object.entries(inside).flatMap(([key, rule]) => readRule(rule, ["rules", key], key, readSchema));
  }
  return isSchema(value) ? [] : readRule(value, [], fileName, readSchema);
}

function fromList(rules: readonly Json[], at: readonly string[], fileName: string, readSchema: ReadSchema): JsonRule[] {
  return rules.flatMap((rule, index) => readRule(rule, [...at, index], `${fileName}_${index + 1}`, readSchema));
}

function readRule(value: Json, at: readonly (string | number)[], fallback: string, readSchema: ReadSchema): JsonRule[] {
  if (!isObject(value)) {
    const description = textIn(value);
    return description === ""
      ? []
      : [{ rule: { name: fallback, description, examples: [], checks: [] }, at, unknownKeys: [] }];
  }
  const notes = notesIn(value);
  const rule = {
    name: firstText(value, nameKeys).replaceAll(/\s+/g, " ").slice(0, 100) || fallback,
    description: firstText(value, descriptionKeys),
    ...(notes.length === 0 ? {} : { notes }),
    examples: readExamples(value),
    checks: readChecks(value, readSchema),
  };
  const isEmpty = rule.description === "" && rule.examples.length === 0 && rule.checks.length === 0;
  if (isEmpty) return [];
  return [{ rule, at, unknownKeys: Object.keys(value).filter((key) => !understood.includes(key.toLowerCase())) }];
}

/** Keys shown elsewhere or meant for machines. */
const saidElsewhere: readonly string[] = [
  ...[...nameKeys, ...doKeys, ...dontKeys, ...checkKeys, "examples", "example", "glob", "severity", "message", "flags"],
  ...["$schema", "comment", "version", "scanner", "scanners"],
];

/** The other keys of a rule as notes, so that everything an author wrote reaches the assistant. */
function notesIn(rule: JsonObject): string[] {
  const described = descriptionKeys.find((key) => textIn(rule[key]) !== "");
  return Object.keys(rule)
    .filter((key) => key !== described && !saidElsewhere.includes(key.toLowerCase()) && textIn(rule[key]) !== "")
    .map((key) => `- ${key.replaceAll("_", " ")}: ${textIn(rule[key]).replaceAll("\n", "\n  ")}`);
}

function firstText(from: JsonObject, keys: readonly string[]): string {
  return keys.map((key) => textIn(from[key])).find((text) => text !== "") ?? "";
}

/** True for a JSON Schema beside the rules that use it. */
function isSchema(value: Json): boolean {
  return isObject(value) && value.$schema !== undefined && isObject(value.properties);
}
