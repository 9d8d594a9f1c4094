import { isObject, type Json, type JsonObject } from "../../evidence/json.ts";
import type { Rule } from "../../evidence/rule.ts";
import { doKeys, dontKeys, readExamples } from "./examples.ts";
import { checkKeys, type ReadSchema, readChecks } from "./read-checks.ts";
import { textOf } from "./text-of.ts";

/** A rule as it stands in a JSON file, where in it, and the keys that nobody understood. */
export type JsonRule = {
  readonly rule: Omit<Rule, "file">;
  readonly at: readonly (string | number)[];
  readonly strangers: readonly string[];
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
    const description = textOf(value);
    return description === ""
      ? []
      : [{ rule: { name: fallback, description, examples: [], checks: [] }, at, strangers: [] }];
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
  return [{ rule, at, strangers: Object.keys(value).filter((key) => !understood.includes(key.toLowerCase())) }];
}

/** Keys whose words are said elsewhere, or are for machines. */
const saidElsewhere: readonly string[] = [
  ...[...nameKeys, ...doKeys, ...dontKeys, ...checkKeys, "examples", "example", "glob", "severity", "message", "flags"],
  ...["$schema", "comment", "version", "scanner", "scanners"],
];

/** Everything else that a rule says, by its keys: whatever an author wrote reaches the assistant. */
function notesIn(rule: JsonObject): string[] {
  const told = descriptionKeys.find((key) => textOf(rule[key]) !== "");
  return Object.keys(rule)
    .filter((key) => key !== told && !saidElsewhere.includes(key.toLowerCase()) && textOf(rule[key]) !== "")
    .map((key) => `- ${key.replaceAll("_", " ")}: ${textOf(rule[key]).replaceAll("\n", "\n  ")}`);
}

function firstText(from: JsonObject, keys: readonly string[]): string {
  return keys.map((key) => textOf(from[key])).find((text) => text !== "") ?? "";
}

/** A schema that lies beside the rules that use it. */
function isSchema(value: Json): boolean {
  return isObject(value) && value.$schema !== undefined && isObject(value.properties);
}
