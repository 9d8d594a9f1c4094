import type { BotTree } from "../../definitions/bots/tree.ts";
import { lineOfPath } from "../../definitions/files/json-locations.ts";
import { valueAt, valueIn } from "../../definitions/files/json-value.ts";
import { didYouMean } from "../../definitions/files/near-miss.ts";
import { findRuleFiles } from "../../definitions/rules/rule-files.ts";
import { type JsonRule, rulesInJson } from "../../definitions/rules/rule-in-json.ts";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { isObject, type Json } from "../../kit/json.ts";
import type { ReportedFinding } from "../reported-finding.ts";

/** Reports JSON rule files without a rule, and keys and values in them that have no effect. */
export function inspectRuleFiles(tree: BotTree): ReportedFinding[] {
  const files = new Map(
    tree.behaviors.flatMap((behavior) => findRuleFiles(tree, behavior)).map((file) => [file.path, file]),
  );
  return [...files.values()].flatMap(({ path, name }) => {
    const value = path.toLowerCase().endsWith(".json") ? valueIn(tree.definitions, path) : undefined;
    if (value === undefined) return [];
    const rules = rulesInJson(value, name, () => ({ unusable: "" }));
    if (rules.length > 0)
      return rules.flatMap((rule) => [
        ...unknownKeysIn(tree.definitions, path, rule),
        ...wrongSeverities(tree.definitions, path, value, rule),
      ]);
    const isSchema = isObject(value) && value.$schema !== undefined && isObject(value.properties);
    const message = "the file has no rule: it says neither what to do nor what to check";
    const fix = "Add a description, examples or checks, or delete the file.";
    return isSchema ? [] : [{ code: "not-a-rule", path, line: 1, message, fix }];
  });
}

/** The keys to suggest; the loader accepts more spellings. */
const suggested = ["name", "description", "examples", "checks", "do", "dont", "glob", "severity", "message", "flags"];

function unknownKeysIn(
  definitions: DefinitionSnapshot,
  path: string,
  { unknownKeys, at, rule }: JsonRule,
): ReportedFinding[] {
  return unknownKeys.map((key) => ({
    code: "unknown-key",
    path,
    line: lineOfPath(definitions, path, [...at, key]),
    message: `the key "${key}" of the rule ${rule.name} is unknown and ignored${didYouMean(key, suggested)}`,
    fix: "Fix the key or delete it.",
  }));
}

function wrongSeverities(
  definitions: DefinitionSnapshot,
  path: string,
  value: Json,
  { at }: JsonRule,
): ReportedFinding[] {
  const rule = valueAt(value, at);
  if (!isObject(rule)) return [];
  const listed = Array.isArray(rule.checks)
    ? rule.checks.map((check, index) => ({ check, place: [...at, "checks", index] }))
    : [];
  return [{ check: rule, place: [...at] }, ...listed].flatMap(({ check, place }): ReportedFinding[] => {
    const severity = isObject(check) ? check.severity : undefined;
    if (severity === undefined || severity === "error" || severity === "warning") return [];
    const message = `severity must be "error" or "warning"; ${JSON.stringify(severity)} is read as ${String(severity).toLowerCase().startsWith("warn") ? "warning" : "error"}`;
    return [
      {
        code: "wrong-type-ignored",
        path,
        line: lineOfPath(definitions, path, [...place, "severity"]),
        message,
        fix: `Write "error" or "warning".`,
      },
    ];
  });
}
