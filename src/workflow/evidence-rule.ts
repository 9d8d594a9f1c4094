import { lengthOf } from "./evidence-type.ts";
import { demand } from "./evidence-words.ts";
import type { EvidenceRule, Observations } from "./gate.ts";
import { isObject, type Json } from "./json.ts";

/** What a rule says of a value: nothing, what is wrong, or that it cannot be told. */
export type Verdict = { readonly failed: string } | { readonly unchecked: string } | null;

/** Holds a value against one rule; what cannot be told counts as not proved. */
export function judgeRule(rule: EvidenceRule, field: string, value: Json, observed: Observations): Verdict {
  switch (rule.kind) {
    case "at_least":
    case "more_than":
    case "at_most":
    case "less_than":
      if (typeof value !== "number") return unchecked(rule, "is no number");
      return isWithin(rule.kind, value, rule.limit) ? null : { failed: `${demand(rule)}, is ${value}` };
    case "length_at_least":
    case "length_at_most": {
      const length = lengthOf(value);
      if (length === undefined) return unchecked(rule, "has no length");
      const holds = rule.kind === "length_at_least" ? length >= rule.limit : length <= rule.limit;
      return holds ? null : { failed: length === 0 ? demand(rule) : `${demand(rule)}, is ${length}` };
    }
    case "equals":
      return isSame(rule.value, value) ? null : { failed: demand(rule) };
    case "differs_from":
      return isSame(rule.value, value) ? { failed: demand(rule) } : null;
    case "one_of":
      return rule.values.some((one) => isSame(one, value)) ? null : { failed: demand(rule) };
    case "contains":
      if (typeof value !== "string" && !Array.isArray(value)) return unchecked(rule, "is neither text nor list");
      return value.includes(rule.text) ? null : { failed: demand(rule) };
    case "matches":
    case "file_exists":
    case "directory_exists":
      return fromOutside(rule, observed.get(observationKey(field, rule.kind)));
  }
}

/** The name of what the server found out about a field by one kind of rule. */
export function observationKey(field: string, kind: EvidenceRule["kind"]): string {
  return `${field}:${kind}`;
}

function fromOutside(rule: EvidenceRule, complaint: string | null | undefined): Verdict {
  if (complaint === undefined) return { unchecked: `it could not be checked: it ${demand(rule)}` };
  return complaint === null ? null : { failed: complaint };
}

function unchecked(rule: EvidenceRule, why: string): Verdict {
  return { unchecked: `it ${demand(rule)}, but it ${why}` };
}

function isWithin(kind: "at_least" | "more_than" | "at_most" | "less_than", value: number, limit: number): boolean {
  switch (kind) {
    case "at_least":
      return value >= limit;
    case "more_than":
      return value > limit;
    case "at_most":
      return value <= limit;
    case "less_than":
      return value < limit;
  }
}

/** Goes only as deep as the author's value does: what a caller sends may be nested without end. */
function isSame(wanted: Json, value: Json | undefined): boolean {
  if (Array.isArray(wanted)) {
    return Array.isArray(value) && wanted.length === value.length && wanted.every((one, at) => isSame(one, value[at]));
  }
  if (!isObject(wanted)) return wanted === value;
  if (!isObject(value)) return false;
  const names = Object.keys(wanted);
  return (
    Object.keys(value).length === names.length &&
    names.every((name) => Object.hasOwn(value, name) && isSame(wanted[name] ?? null, value[name]))
  );
}
