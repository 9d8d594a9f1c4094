import { inOneOrder } from "./gate-meaning.ts";
import { digestOf, type JsonObject } from "./json.ts";
import type { Rule, RuleCheck } from "./rule.ts";

/** A check that a correction added to a rule. */
export type AddedCheck = { readonly pattern: string; readonly at: string };

/** Names what rules demand: every check that a machine runs, without names, words, examples and places. */
export function rulesMeaning(rules: readonly Rule[], without: readonly AddedCheck[] = []): string {
  const taken = new Set(without.map(({ pattern }) => pattern));
  const checks = rules
    .flatMap((rule) => rule.checks)
    .filter((check) => !(check.kind === "must_not_match" && check.flags === "" && taken.has(check.pattern)));
  return digestOf(inOneOrder(checks.map(checkMeaning))).slice(0, 32);
}

function checkMeaning(check: RuleCheck): JsonObject {
  const { message: _, ...rest } = check;
  return rest.kind === "unusable" ? { kind: rest.kind } : { ...rest };
}
