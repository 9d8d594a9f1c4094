import { isObject, type Json } from "../../evidence/json.ts";
import type { BotTree } from "../bots/tree.ts";
import { lineIn } from "../json-place.ts";
import { valueAt, valueIn } from "../json-value.ts";
import { didYouMean } from "../near-miss.ts";
import { findRuleFiles } from "../rules/rule-files.ts";
import { type JsonRule, rulesInJson } from "../rules/rule-in-json.ts";
import type { Noted } from "./finding.ts";

/** Reports JSON rule files that hold no rule, and keys and values in them that count for nothing. */
export function inspectRuleFiles(tree: BotTree): Noted[] {
  const files = new Map(
    tree.behaviors.flatMap((behavior) => findRuleFiles(tree, behavior)).map((file) => [file.path, file]),
  );
  return [...files.values()].flatMap(({ path, name }) => {
    const value = path.toLowerCase().endsWith(".json") ? valueIn(path) : undefined;
    if (value === undefined) return [];
    const rules = rulesInJson(value, name, () => ({ unusable: "" }));
    if (rules.length > 0)
      return rules.flatMap((rule) => [...strangersIn(path, rule), ...wrongSeverities(path, value, rule)]);
    const isSchema = isObject(value) && value.$schema !== undefined && isObject(value.properties);
    const message = "nothing in it says what to do or what to check";
    const fix = "Write a description, examples or checks, or delete the file.";
    return isSchema ? [] : [{ code: "not-a-rule", path, line: 1, message, fix }];
  });
}

/** Only to suggest a key: the loader knows many more spellings. */
const suggested = ["name", "description", "examples", "checks", "do", "dont", "glob", "severity", "message", "flags"];

function strangersIn(path: string, { strangers, at, rule }: JsonRule): Noted[] {
  return strangers.map((key) => ({
    code: "unknown-key",
    path,
    line: lineIn(path, [...at, key]),
    message: `the key "${key}" of the rule ${rule.name} is not known and left out${didYouMean(key, suggested)}`,
    fix: "Mend the key, or delete it.",
  }));
}

function wrongSeverities(path: string, value: Json, { at }: JsonRule): Noted[] {
  const rule = valueAt(value, at);
  if (!isObject(rule)) return [];
  const listed = Array.isArray(rule.checks)
    ? rule.checks.map((check, index) => ({ check, place: [...at, "checks", index] }))
    : [];
  return [{ check: rule, place: [...at] }, ...listed].flatMap(({ check, place }): Noted[] => {
    const severity = isObject(check) ? check.severity : undefined;
    if (severity === undefined || severity === "error" || severity === "warning") return [];
    const message = `severity is "error" or "warning"; ${JSON.stringify(severity)} is read as ${String(severity).toLowerCase().startsWith("warn") ? "warning" : "error"}`;
    return [
      {
        code: "wrong-type-ignored",
        path,
        line: lineIn(path, [...place, "severity"]),
        message,
        fix: `Write "error" or "warning".`,
      },
    ];
  });
}
