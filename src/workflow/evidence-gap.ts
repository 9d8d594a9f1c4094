import { judgeRule } from "./evidence-rule.ts";
import { isBlank, isOfType, submitted, typeName } from "./evidence-type.ts";
import { describeRule } from "./evidence-words.ts";
import type { Observations, Requirement } from "./gate.ts";
import type { Json, JsonObject } from "./json.ts";

/** Lists what one field of the evidence lacks: that it is there, its type, then every rule at once. */
export function findFieldGaps(
  requirement: Requirement,
  evidence: JsonObject,
  observed: Observations,
  hints: ReadonlyMap<string, string>,
): string[] {
  const { field, type, rules } = requirement;
  const gap = gapBeforeRules(requirement, evidence);
  if (gap === "missing") {
    const hint = hints.get(field);
    const meant = hint === undefined ? "" : `; did you mean it by ${hint}?`;
    return [`${field} (required: ${describe(requirement)}${meant})`];
  }
  const value = submitted(evidence, field);
  if (gap === "wrong type") return [`${field} (wrong type: expected ${type}, got ${typeName(value)})`];
  if (value === null) return [];
  const unsaid = unsaidDemand(requirement, value);
  const verdicts = rules.map((rule) => judgeRule(rule, field, value, observed));
  const failed = [
    ...unsaid,
    ...verdicts.flatMap((verdict) => (verdict && "failed" in verdict ? [verdict.failed] : [])),
  ];
  const unchecked = verdicts.flatMap((verdict) => (verdict && "unchecked" in verdict ? [verdict.unchecked] : []));
  return [
    ...(failed.length === 0 ? [] : [`${field} (validation failed: ${[...new Set(failed)].join("; ")})`]),
    ...(unchecked.length === 0 ? [] : [`${field} (validation error: ${[...new Set(unchecked)].join("; ")})`]),
  ];
}

/** A value that is not there, or not of its type: nothing else can be said of it. */
export function isUnusable(requirement: Requirement, evidence: JsonObject): boolean {
  return gapBeforeRules(requirement, evidence) !== undefined;
}

function gapBeforeRules(
  { field, type, required }: Requirement,
  evidence: JsonObject,
): "missing" | "wrong type" | undefined {
  const value = submitted(evidence, field);
  if (value === null) return required ? "missing" : undefined;
  return isOfType(value, type) ? undefined : "wrong type";
}

/** Tells whether an author's rule lets a required boolean be false: without one it must be true. */
export function admitsFalse({ rules }: Requirement): boolean {
  return rules.some(({ kind }) => kind === "equals" || kind === "one_of" || kind === "differs_from");
}

function unsaidDemand(requirement: Requirement, value: Json): string[] {
  const { type, required, rules, mayBeEmpty } = requirement;
  if (!required) return [];
  if (type === "boolean" && value !== true && !admitsFalse(requirement)) return ["must be true"];
  const isNamed = rules.some(({ kind }) => kind === "equals" || kind === "one_of");
  return typeof value === "string" && isBlank(value) && mayBeEmpty !== true && !isNamed ? ["must not be empty"] : [];
}

function describe({ description, type, rules }: Requirement): string {
  return description.trim() === "" ? [type, ...rules.map(describeRule)].join(", ") : description;
}
