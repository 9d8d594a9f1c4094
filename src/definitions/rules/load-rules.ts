import { dirname, resolve } from "node:path";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import type { Rule } from "../../gates/rule.ts";
import { isObject } from "../../kit/json.ts";
import type { BehaviorFolder, BotTree } from "../bots/tree.ts";
import { readJson, readText } from "../files/json-file.ts";
import { type JsonProblem, type LoaderProblem, locateProblem } from "../loader-problem.ts";
import { isInside } from "./is-inside.ts";
import type { ReadSchema } from "./read-checks.ts";
import { findRuleFiles, type RuleFile } from "./rule-files.ts";
import { rulesInJson } from "./rule-in-json.ts";
import { ruleInMarkdown } from "./rule-in-markdown.ts";

/** A rule with its location: the file, and in a JSON file the path to it. */
export type LocatedRule = { readonly rule: Rule; readonly file: RuleFile; readonly at?: readonly (string | number)[] };

/** Loads the rules of a behavior, its own before the bot's; invalid ones become warnings and failing checks. */
export function loadRules(tree: BotTree, behavior: BehaviorFolder): { rules: Rule[]; problems: LoaderProblem[] } {
  const { placed, problems } = locateRules(tree, behavior);
  return { rules: placed.map(({ rule }) => rule), problems };
}

/** Loads the rules with their locations. */
export function locateRules(
  tree: BotTree,
  behavior: BehaviorFolder,
): { readonly placed: LocatedRule[]; readonly problems: LoaderProblem[] } {
  const placed: LocatedRule[] = [];
  const problems: LoaderProblem[] = [];
  const note = (file: RuleFile, remark: JsonProblem): void => {
    problems.push(locateProblem(tree.definitions, file.path, remark));
  };
  for (const file of findRuleFiles(tree, behavior)) {
    const { found, problem, strangers } = /\.md$/i.test(file.path)
      ? readMarkdown(tree.definitions, file)
      : readRules(tree, file);
    placed.push(...found);
    if (problem !== undefined) note(file, { ...notARule, message: `Waymark cannot use this rule: ${problem}` });
    if (strangers.length > 0) note(file, unknownKeys(strangers));
  }
  for (const { rule, file, at = [] } of placed) {
    for (const check of rule.checks) {
      if (check.kind === "unusable") note(file, { ...cannotRun(rule.name, check.reason), at });
    }
  }
  return { placed, problems };
}

const notARule = { code: "not-a-rule", fix: "Add a description, examples or checks, or delete the file." } as const;

function unknownKeys(keys: readonly string[]): JsonProblem {
  const message = `these keys are unknown and ignored: ${keys.slice(0, 5).join(", ")}`;
  return { code: "unknown-key", message, fix: "Fix the keys or delete them." };
}

function cannotRun(rule: string, reason: string): JsonProblem {
  const message = `a check of ${rule} cannot run and counts as failed: ${reason}`;
  return { code: "unusable-check", message, fix: "Fix the check or delete it." };
}

type RuleFileRead = { found: LocatedRule[]; problem?: string; strangers: readonly string[] };

function readMarkdown(definitions: DefinitionSnapshot, file: RuleFile): RuleFileRead {
  const text = readText(definitions, file.path);
  const rule = text === undefined ? undefined : ruleInMarkdown(text.replaceAll("\r\n", "\n"), file.name);
  if (rule === undefined)
    return { found: [], problem: text === undefined ? "it cannot be read" : "it is empty", strangers: [] };
  return { found: [{ rule: { ...rule, file: file.shown }, file }], strangers: [] };
}

function readRules(tree: BotTree, file: RuleFile): RuleFileRead {
  const read = readJson(tree.definitions, file.path);
  if ("missing" in read) return { found: [], strangers: [] };
  if ("malformed" in read)
    return { found: [broken(file, `the file cannot be read: ${read.malformed}`)], strangers: [] };
  const found = rulesInJson(read.value, file.name, schemaReader(tree, file));
  if (found.length === 0) {
    const isSchema = isObject(read.value) && read.value.$schema !== undefined;
    return {
      found: [],
      strangers: [],
      ...(isSchema ? {} : { problem: "it says neither what to do nor what to check" }),
    };
  }
  return {
    found: found.map(({ rule, at }) => ({ rule: { ...rule, file: file.shown }, file, at })),
    strangers: [...new Set(found.flatMap(({ unknownKeys }) => unknownKeys))],
  };
}

/** A rule for an unreadable file, which fails until it is fixed because the file may hold checks. */
function broken(file: RuleFile, reason: string): LocatedRule {
  const check = { severity: "error", message: "", kind: "unusable", reason } as const;
  return { rule: { name: file.name, description: "", file: file.shown, examples: [], checks: [check] }, file };
}

/** Creates the reader of schema files, limited to the bot's folder. */
function schemaReader(tree: BotTree, file: RuleFile): ReadSchema {
  return (name) => {
    const path = resolve(dirname(file.path), name);
    const read = readJson(tree.definitions, path);
    if ("missing" in read) return { unusable: `its schema_file ${name} does not exist` };
    if (!isInside(tree.definitions, tree.folder, path))
      return { unusable: `its schema_file ${name} is not in the bot's folder` };
    if ("malformed" in read) return { unusable: `its schema_file ${name} cannot be used: ${read.malformed}` };
    return isObject(read.value) ? { schema: read.value } : { unusable: `its schema_file ${name} is not a schema` };
  };
}
