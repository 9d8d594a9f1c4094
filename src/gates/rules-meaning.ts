import { digestOf, type JsonObject } from "../kit/json.ts";
import { type Correction, checkMessage } from "./correction.ts";
import { inOneOrder } from "./gate-meaning.ts";
import type { Rule, RuleCheck } from "./rule.ts";

/** A check that a recorded correction added to a rule, and when. */
export type AddedCheck = { readonly correction: Correction; readonly at: string };

/** Hashes what rules require: every machine check, without names, messages, examples and positions. */
export function rulesMeaning(rules: readonly Rule[], without: readonly AddedCheck[] = []): string {
  const checks = rules.flatMap((rule) =>
    rule.checks.filter((check) => !without.some(({ correction }) => isAddedBy(correction, rule, check))),
  );
  return digestOf(inOneOrder(checks.map(checkMeaning))).slice(0, 32);
}

/** Tells if a check was written by a correction; an author's own check for the same is not. */
function isAddedBy(correction: Correction, rule: Rule, check: RuleCheck): boolean {
  const { place = `${correction.rule} (`, pattern } = correction;
  if (check.kind !== "must_not_match" || check.flags !== "" || check.pattern !== pattern) return false;
  return place.startsWith(`${rule.name} (`) && check.message === checkMessage(correction);
}

function checkMeaning(check: RuleCheck): JsonObject {
  const { message: _, ...rest } = check;
  return rest.kind === "unusable" ? { kind: rest.kind } : { ...rest };
}
