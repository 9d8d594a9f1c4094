import { judgeRule } from "./evidence-rule.ts";
import { isEmpty, isOfType, submitted, typeName } from "./evidence-type.ts";
import type { Gap, Observations, Requirement } from "./gate.ts";
import type { Json, JsonObject } from "./json.ts";
import { describeRule } from "./vocabulary.ts";

/** Lists what one field of the evidence lacks: that it is there, its type, then every rule at once. */
export function findFieldGaps(
  requirement: Requirement,
  evidence: JsonObject,
  observed: Observations,
  hints: ReadonlyMap<string, string>,
): Gap[] {
  const { field, type, rules } = requirement;
  const gap = gapBeforeRules(requirement, evidence);
  const value = submitted(evidence, field);
  if (gap === "missing") {
    const hint = hints.get(field);
    const meant = hint === undefined ? "" : `; did you mean it by ${hint}?`;
    const why = value === null ? "" : "; what was handed in is empty";
    return [gapOf(field, "required", `${describe(requirement)}${why}${meant}`)];
  }
  if (gap === "wrong type") return [gapOf(field, "wrong_type", `expected ${type}, got ${typeName(value)}`)];
  if (value === null) return [];
  const unsaid = unsaidDemand(requirement, value);
  const verdicts = rules.map((rule) => judgeRule(rule, field, value, observed));
  const failed = [
    ...unsaid,
    ...verdicts.flatMap((verdict) => (verdict && "failed" in verdict ? [verdict.failed] : [])),
  ];
  const unchecked = verdicts.flatMap((verdict) => (verdict && "unchecked" in verdict ? [verdict.unchecked] : []));
  return [
    ...(failed.length === 0 ? [] : [gapOf(field, "validation_failed", [...new Set(failed)].join("; "))]),
    ...(unchecked.length === 0 ? [] : [gapOf(field, "validation_error", [...new Set(unchecked)].join("; "))]),
  ];
}

/** A gap, with the words that say it. */
export function gapOf(field: string, kind: Gap["kind"], why: string): Gap {
  return { field, kind, text: `${field} (${kind.replace("_", " ")}: ${why})` };
}

/** A value that is not there, or not of its type: nothing else can be said of it. */
export function isUnusable(requirement: Requirement, evidence: JsonObject): boolean {
  return gapBeforeRules(requirement, evidence) !== undefined;
}

function gapBeforeRules(requirement: Requirement, evidence: JsonObject): "missing" | "wrong type" | undefined {
  const { field, type, required } = requirement;
  const value = submitted(evidence, field);
  if (value === null) return required ? "missing" : undefined;
  if (!isOfType(value, type)) return "wrong type";
  return required && isEmpty(value) && !mayBeEmpty(requirement) ? "missing" : undefined;
}

/** Tells whether a text or list with nothing to see in it is evidence all the same. */
export function mayBeEmpty({ type, rules, mayBeEmpty }: Requirement): boolean {
  const isNamed = rules.some(({ kind }) => kind === "equals" || kind === "one_of");
  return isNamed || (mayBeEmpty ?? type === "list");
}

/** Tells whether an author's rule lets a required boolean be false: without one it must be true. */
export function admitsFalse({ rules }: Requirement): boolean {
  return rules.some(({ kind }) => kind === "equals" || kind === "one_of" || kind === "differs_from");
}

function unsaidDemand(requirement: Requirement, value: Json): string[] {
  const { type, required } = requirement;
  return required && type === "boolean" && value !== true && !admitsFalse(requirement) ? ["must be true"] : [];
}

function describe({ description, type, rules }: Requirement): string {
  return description.trim() === "" ? [type, ...rules.map(describeRule)].join(", ") : description;
}
