import { isObject, type Json, type JsonObject } from "../../evidence/json.ts";
import type { RuleCheck } from "../../evidence/rule.ts";
import type { BehaviorFolder, BotTree } from "../bots/tree.ts";
import { type JsonPath, lineIn } from "../json-place.ts";
import { valueAt, valueIn } from "../json-value.ts";
import { type PlacedRule, placeRules } from "../rules/load-rules.ts";
import { checkKeys, readChecks } from "../rules/read-checks.ts";

/** A rule that the loader read, with the text it stands in. */
export type SourcedRule = PlacedRule & {
  readonly path: string;
  readonly line: number;
  readonly checks: readonly PlacedCheck[];
};

/** One check of a rule and its place in the file. */
export type PlacedCheck = {
  readonly check: RuleCheck;
  readonly rule: string;
  readonly path: string;
  /** The line of one of its keys; of the check itself where it has no such key. */
  lineOf(...keys: readonly string[]): number;
};

/** The rules of a behavior, its own before the bot's, as the engine has them. */
export function sourcedRules(tree: BotTree, behavior: BehaviorFolder): SourcedRule[] {
  return placeRules(tree, behavior).placed.map((placed) => {
    const { path } = placed.file;
    const value = path.toLowerCase().endsWith(".json") ? valueIn(path) : undefined;
    const at = placed.at ?? [];
    return {
      ...placed,
      path,
      line: value === undefined ? 1 : lineIn(path, at),
      checks: value === undefined ? [] : placedChecks(placed, value, path),
    };
  });
}

function placedChecks({ rule, at = [] }: PlacedRule, document: Json, path: string): PlacedCheck[] {
  const places = placesOfChecks(valueAt(document, at), at);
  return rule.checks.map((check, index) => {
    const place = places[index] ?? at;
    const lineOf = (...keys: readonly string[]): number =>
      lineIn(path, keys.map((key) => [...place, key]).find((way) => valueAt(document, way) !== undefined) ?? place);
    return { check, rule: rule.name, path, lineOf };
  });
}

/** The way to each check, in the loader's order; how many checks an entry comes to, the loader says. */
function placesOfChecks(rule: Json | undefined, at: JsonPath): JsonPath[] {
  if (!isObject(rule)) return [];
  return checkKeys.flatMap((key): JsonPath[] => {
    const value = rule[key];
    if (value === undefined) return [];
    if (!Array.isArray(value) || !listKeys.includes(key)) return repeat([...at, key], countOf({ [key]: value }));
    return value.flatMap((entry: Json, index) => repeat([...at, key, index], countOf({ [key]: [entry] })));
  });
}

/** The keys whose lists hold several checks. */
const listKeys = ["checks", "check", "must_match", "must_not_match"];

function countOf(rule: JsonObject): number {
  return readChecks(rule, () => ({ unusable: "" })).length;
}

function repeat(path: JsonPath, times: number): JsonPath[] {
  return Array.from({ length: times }, () => path);
}
