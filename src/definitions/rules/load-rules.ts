import { dirname, resolve } from "node:path";
import { isObject } from "../../evidence/json.ts";
import type { Rule } from "../../evidence/rule.ts";
import { definitionsOf } from "../bots/place.ts";
import type { BehaviorFolder, BotTree } from "../bots/tree.ts";
import { readJson, readText } from "../json-file.ts";
import { type Flaw, flawIn, type Remark } from "../problem.ts";
import { isInside } from "./inside.ts";
import type { ReadSchema } from "./read-checks.ts";
import { findRuleFiles, type RuleFile } from "./rule-files.ts";
import { rulesInJson } from "./rule-in-json.ts";
import { ruleInMarkdown } from "./rule-in-markdown.ts";

/** A rule with its place: the file, and in a JSON file the keys that lead to it. */
export type PlacedRule = { readonly rule: Rule; readonly file: RuleFile; readonly at?: readonly (string | number)[] };

/** Loads the rules of a behavior, its own before the bot's; what cannot be understood is a warning, and a check that breaks. */
export function loadRules(tree: BotTree, behavior: BehaviorFolder): { rules: Rule[]; problems: Flaw[] } {
  const { placed, problems } = placeRules(tree, behavior);
  return { rules: placed.map(({ rule }) => rule), problems };
}

/** The same, with the place of every rule. */
export function placeRules(
  tree: BotTree,
  behavior: BehaviorFolder,
): { readonly placed: PlacedRule[]; readonly problems: Flaw[] } {
  const placed: PlacedRule[] = [];
  const problems: Flaw[] = [];
  const note = (file: RuleFile, remark: Remark): void => {
    problems.push(flawIn(definitionsOf(tree), file.path, remark));
  };
  for (const file of findRuleFiles(tree, behavior)) {
    const { found, problem, strangers } = /\.md$/i.test(file.path) ? readMarkdown(file) : readRules(tree, file);
    placed.push(...found);
    if (problem !== undefined) note(file, { ...notARule, message: `it is no rule that Waymark can use: ${problem}` });
    if (strangers.length > 0) note(file, leftOut(strangers));
  }
  for (const { rule, file, at = [] } of placed) {
    for (const check of rule.checks) {
      if (check.kind === "unusable") note(file, { ...cannotRun(rule.name, check.reason), at });
    }
  }
  return { placed, problems };
}

const notARule = { code: "not-a-rule", fix: "Write a description, examples or checks, or delete the file." } as const;

function leftOut(keys: readonly string[]): Remark {
  const message = `not understood and left out of the rules: ${keys.slice(0, 5).join(", ")}`;
  return { code: "unknown-key", message, fix: "Mend the keys, or delete them." };
}

function cannotRun(rule: string, reason: string): Remark {
  const message = `a check of ${rule} cannot be run and counts as broken: ${reason}`;
  return { code: "unusable-check", message, fix: "Mend the check, or delete it." };
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
