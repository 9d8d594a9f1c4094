import { dirname, resolve } from "node:path";
import { isObject } from "../../workflow/json.ts";
import type { Rule } from "../../workflow/rule.ts";
import type { BehaviorFolder, BotTree } from "../bots/tree.ts";
import { readJson, readText } from "../json-file.ts";
import { isInside } from "./inside.ts";
import type { ReadSchema } from "./read-checks.ts";
import { findRuleFiles, type RuleFile } from "./rule-files.ts";
import { rulesInJson } from "./rule-in-json.ts";
import { ruleInMarkdown } from "./rule-in-markdown.ts";

/** A rule with its place: the file, and in a JSON file the keys that lead to it. */
export type PlacedRule = { readonly rule: Rule; readonly file: RuleFile; readonly at?: readonly (string | number)[] };

/** Loads the rules of a behavior, its own before the bot's; what cannot be understood is a warning, and a check that breaks. */
export function loadRules(tree: BotTree, behavior: BehaviorFolder): { rules: Rule[]; warnings: string[] } {
  const { placed, warnings } = placeRules(tree, behavior);
  return { rules: placed.map(({ rule }) => rule), warnings };
}

/** The same, with the place of every rule. */
export function placeRules(
  tree: BotTree,
  behavior: BehaviorFolder,
): { readonly placed: PlacedRule[]; readonly warnings: string[] } {
  const placed: PlacedRule[] = [];
  const warnings: string[] = [];
  const strange: string[] = [];
  for (const file of findRuleFiles(tree, behavior)) {
    const { found, problem, strangers } = /\.md$/i.test(file.path) ? readMarkdown(file) : readRules(tree, file);
    placed.push(...found);
    if (problem !== undefined) warnings.push(`${file.shown} is no rule that Waymark can use: ${problem}.`);
    if (strangers.length > 0) strange.push(`${file.shown} (${strangers.slice(0, 5).join(", ")})`);
  }
  if (strange.length > 0) warnings.push(`Not understood and left out of the rules: ${strange.join("; ")}.`);
  for (const { rule } of placed) {
    for (const check of rule.checks) {
      if (check.kind !== "unusable") continue;
      warnings.push(`A check of the rule ${rule.name} in ${rule.file} cannot be run: ${check.reason}.`);
    }
  }
  return { placed, warnings };
}

type Read = { found: PlacedRule[]; problem?: string; strangers: readonly string[] };

function readMarkdown(file: RuleFile): Read {
  const text = readText(file.path);
  const rule = text === undefined ? undefined : ruleInMarkdown(text.replaceAll("\r\n", "\n"), file.name);
  if (rule === undefined)
    return { found: [], problem: text === undefined ? "it cannot be read" : "it is empty", strangers: [] };
  return { found: [{ rule: { ...rule, file: file.shown }, file }], strangers: [] };
}

function readRules(tree: BotTree, file: RuleFile): Read {
  const read = readJson(file.path);
  if ("missing" in read) return { found: [], strangers: [] };
  if ("malformed" in read) return { found: [broken(file, `the file is broken: ${read.malformed}`)], strangers: [] };
  const found = rulesInJson(read.value, file.name, schemaReader(tree, file));
  if (found.length === 0) {
    const isSchema = isObject(read.value) && read.value.$schema !== undefined;
    return {
      found: [],
      strangers: [],
      ...(isSchema ? {} : { problem: "nothing in it says what to do or what to check" }),
    };
  }
  return {
    found: found.map(({ rule, at }) => ({ rule: { ...rule, file: file.shown }, file, at })),
    strangers: [...new Set(found.flatMap(({ strangers }) => strangers))],
  };
}

/** A file that cannot be read may hold checks: until it is mended it counts as a broken one. */
function broken(file: RuleFile, reason: string): PlacedRule {
  const check = { severity: "error", message: "", kind: "unusable", reason } as const;
  return { rule: { name: file.name, description: "", file: file.shown, examples: [], checks: [check] }, file };
}

/** Reads a schema beside the rule; one outside the bot's folder is not read, whatever way leads there. */
function schemaReader(tree: BotTree, file: RuleFile): ReadSchema {
  return (name) => {
    const path = resolve(dirname(file.path), name);
    const read = readJson(path);
    if ("missing" in read) return { unusable: `its schema_file ${name} is not there` };
    if (!isInside(tree.folder, path)) return { unusable: `its schema_file ${name} is not in the bot's folder` };
    if ("malformed" in read) return { unusable: `its schema_file ${name} cannot be used: ${read.malformed}` };
    return isObject(read.value) ? { schema: read.value } : { unusable: `its schema_file ${name} is no schema` };
  };
}
