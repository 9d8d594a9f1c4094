import type { BehaviorFolder, BotTree } from "../definitions/bots/tree.ts";
import { lineOfPath } from "../definitions/files/json-locations.ts";
import { valueAt, valueIn } from "../definitions/files/json-value.ts";
import { type LocatedRule, locateRules } from "../definitions/rules/load-rules.ts";
import { writtenChecks } from "../definitions/rules/read-checks.ts";
import type { DefinitionSnapshot } from "../engine/ports/definition-snapshot.ts";
import type { RuleCheck } from "../gates/rule.ts";
import { isObject, type Json } from "../kit/json.ts";

/** A rule that the loader read, with its location. */
export type SourcedRule = LocatedRule & {
  readonly path: string;
  readonly line: number;
  readonly checks: readonly LocatedCheck[];
};

/** One check of a rule with its location. */
export type LocatedCheck = {
  readonly check: RuleCheck;
  readonly rule: string;
  readonly path: string;
  /** The line of the first of these keys that exists, otherwise of the check itself. */
  lineOf(...keys: readonly string[]): number;
};

/** The rules of a behavior in the engine's order: its own before the bot's. */
export function sourcedRules(tree: BotTree, behavior: BehaviorFolder): SourcedRule[] {
  return locateRules(tree, behavior).placed.map((placed) => {
    const { path } = placed.file;
    const value = path.toLowerCase().endsWith(".json") ? valueIn(tree.definitions, path) : undefined;
    const at = placed.at ?? [];
    return {
      ...placed,
      path,
      line: value === undefined ? 1 : lineOfPath(tree.definitions, path, at),
      checks: value === undefined ? [] : locateChecks(tree.definitions, placed, value, path),
    };
  });
}

function locateChecks(
  definitions: DefinitionSnapshot,
  { rule, at = [] }: LocatedRule,
  document: Json,
  path: string,
): LocatedCheck[] {
  const written = valueAt(document, at);
  const places = isObject(written) ? writtenChecks(written).map((one) => [...at, ...one.at]) : [];
  return rule.checks.map((check, index) => {
    const place = places[index] ?? at;
    const lineOf = (...keys: readonly string[]): number =>
      lineOfPath(
        definitions,
        path,
        keys.map((key) => [...place, key]).find((way) => valueAt(document, way) !== undefined) ?? place,
      );
    return { check, rule: rule.name, path, lineOf };
  });
}
