import type { Json, JsonObject } from "../kit/json.ts";
import { describeDemand } from "./describe-rules.ts";
import type { EvidenceRule, Gap, Observations, Requirement } from "./gate.ts";
import { describeRule, judgeValue } from "./rule-vocabulary.ts";
import { fieldValue, isEmpty, isOfType, lengthOf, typeName } from "./value-type.ts";

/** Lists what one field lacks: presence, type, then every rule at once. */
export function findFieldGaps(
  requirement: Requirement,
  evidence: JsonObject,
  observed: Observations,
  hints: ReadonlyMap<string, string>,
): Gap[] {
  const { field, type, rules } = requirement;
  const gap = gapBeforeRules(requirement, evidence);
  const value = fieldValue(evidence, field);
  if (gap === "missing") {
    const hint = hints.get(field);
    const meant = hint === undefined ? "" : `; did you send it as ${hint}?`;
    const why = value === null ? "" : "; the submitted value is empty";
    return [gapOf(field, "required", `${describe(requirement)}${why}${meant}`)];
  }
  if (gap === "wrong type") {
    const expected = type === "date" ? "date such as 2026-01-31" : type;
    return [gapOf(field, "wrong_type", `expected ${expected}, got ${typeName(value)}`)];
  }
  if (value === null) return [];
  const unsaid = impliedRule(requirement, value);
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

/** Builds a gap with its text. */
export function gapOf(field: string, kind: Gap["kind"], why: string): Gap {
  return { field, kind, text: `${field} (${kind.replace("_", " ")}: ${why})` };
}

/** Tells if a value is missing or of the wrong type, so nothing more can be said. */
export function isUnusable(requirement: Requirement, evidence: JsonObject): boolean {
  return gapBeforeRules(requirement, evidence) !== undefined;
}

function gapBeforeRules(requirement: Requirement, evidence: JsonObject): "missing" | "wrong type" | undefined {
  const { field, type, required } = requirement;
  const value = fieldValue(evidence, field);
  if (value === null) return required ? "missing" : undefined;
  if (!isOfType(value, type)) return "wrong type";
  return required && isEmpty(value) && !mayBeEmpty(requirement) ? "missing" : undefined;
}

/** Tells if an empty text or list counts as evidence. */
export function mayBeEmpty({ type, rules, mayBeEmpty }: Requirement): boolean {
  const isNamed = rules.some(({ kind }) => kind === "equals" || kind === "one_of");
  return isNamed || (mayBeEmpty ?? type === "list");
}

/** Tells if a rule allows a required boolean to be false; without one it must be true. */
export function admitsFalse({ rules }: Requirement): boolean {
  return rules.some(({ kind }) => kind === "equals" || kind === "one_of" || kind === "differs_from");
}

function impliedRule(requirement: Requirement, value: Json): string[] {
  const { type, required } = requirement;
  return required && type === "boolean" && value !== true && !admitsFalse(requirement) ? ["must be true"] : [];
}

function describe({ description, type, rules }: Requirement): string {
  return description.trim() === "" ? [type, ...rules.map(describeRule)].join(", ") : description;
}

/** The verdict of a rule: nothing, what is wrong, or that it cannot be checked. */
export type RuleVerdict = { readonly failed: string } | { readonly unchecked: string } | null;

/** Judges a value by one rule; what cannot be checked counts as not proved. */
export function judgeRule(rule: EvidenceRule, field: string, value: Json, observed: Observations): RuleVerdict {
  const kept = judgeValue(rule, value);
  if (kept === "outside") return fromObservation(rule, observed.get(observationKey(field, rule.kind)));
  if (typeof kept === "object") return { unchecked: `it ${describeDemand(rule)}, but it ${kept.undecidable}` };
  return kept ? null : { failed: `${describeDemand(rule)}${found(rule, value)}` };
}

/** The key of an observation about a field by one kind of rule. */
export function observationKey(field: string, kind: EvidenceRule["kind"]): string {
  return `${field}:${kind}`;
}

function fromObservation(rule: EvidenceRule, complaint: string | null | undefined): RuleVerdict {
  if (complaint === undefined) return { unchecked: `it could not be checked: it ${describeDemand(rule)}` };
  return complaint === null ? null : { failed: complaint };
}

/** The found value beside a limit; empty for no value. */
function found(rule: EvidenceRule, value: Json): string {
  if (!("limit" in rule)) return "";
  const measured = typeof value === "number" ? value : lengthOf(value);
  return measured === 0 && typeof value !== "number" ? "" : `, is ${measured}`;
}
