import type { JsonObject } from "../kit/json.ts";
import { describeComparisonOf } from "./describe-rules.ts";
import { admitsFalse } from "./field-gaps.ts";
import type { Gate, Requirement } from "./gate.ts";
import { fieldsOf } from "./judge-comparison.ts";
import { describeRule } from "./rule-vocabulary.ts";

/** Describes what a gate asks for, field by field, for an assistant. */
export function requiredFormat(gate: Gate): { readonly [field: string]: JsonObject } {
  return Object.fromEntries(gate.requirements.map((requirement) => [requirement.field, formatOf(requirement, gate)]));
}

/** The comparisons that are shown at no field. */
export function comparisonsBeside({ requirements, comparisons }: Gate): Gate["comparisons"] {
  const fields = new Set(requirements.map(({ field }) => field));
  return comparisons.filter((comparison) => !fields.has(fieldsOf(comparison)[0] ?? ""));
}

/** Describes everything required of a field besides its type. */
export function describeRules(requirement: Requirement, gate: Gate): string[] {
  const { field, type, required, rules, mayBeEmpty } = requirement;
  const isFound = (gate.checks ?? []).some((check) => check.kind === "command" && Object.hasOwn(check.gives, field));
  const unsaid = [
    ...(isFound ? ["found by Waymark, so leave it out"] : []),
    ...(type === "boolean" && required && !admitsFalse(requirement) ? ["true"] : []),
    ...(type !== "boolean" && mayBeEmpty ? ["may be empty"] : []),
  ];
  const comparisons = gate.comparisons.filter((comparison) => fieldsOf(comparison)[0] === field);
  return [
    ...new Set([...rules.map(describeRule), ...unsaid, ...comparisons.map((one) => describeComparisonOf(field, one))]),
  ];
}

function formatOf(requirement: Requirement, gate: Gate): JsonObject {
  const { type, required, description } = requirement;
  const rules = describeRules(requirement, gate);
  const rule = rules.length === 0 ? {} : { rule: rules.join("; ") };
  return { type, required, checked: requirement.checked !== false, description, ...rule };
}
