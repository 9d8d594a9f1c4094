import { fieldsOf } from "./evidence-comparison.ts";
import { admitsFalse } from "./evidence-gap.ts";
import { describeComparisonOf } from "./evidence-words.ts";
import type { Gate, Requirement } from "./gate.ts";
import type { JsonObject } from "./json.ts";
import { describeRule } from "./vocabulary.ts";

/** Says what a gate asks for, field by field, in words that an assistant can follow. */
export function requiredFormat(gate: Gate): { readonly [field: string]: JsonObject } {
  return Object.fromEntries(gate.requirements.map((requirement) => [requirement.field, formatOf(requirement, gate)]));
}

/** The comparisons that no field of the gate speaks of. */
export function comparisonsBeside({ requirements, comparisons }: Gate): Gate["comparisons"] {
  const fields = new Set(requirements.map(({ field }) => field));
  return comparisons.filter((comparison) => !fields.has(fieldsOf(comparison)[0] ?? ""));
}

/** Everything that must be true of a field besides its type, in words; an empty list where nothing must. */
export function describeRules(requirement: Requirement, gate: Gate): string[] {
  const { field, type, required, rules, mayBeEmpty } = requirement;
  const isFound = (gate.checks ?? []).some((check) => check.kind === "command" && Object.hasOwn(check.gives, field));
  const unsaid = [
    ...(isFound ? ["found by Waymark, so leave it out"] : []),
    ...(type === "boolean" && required && !admitsFalse(requirement) ? ["true"] : []),
    ...((type === "string" || type === "list") && mayBeEmpty ? ["may be empty"] : []),
  ];
  const comparisons = gate.comparisons.filter((comparison) => fieldsOf(comparison)[0] === field);
  return [
    ...new Set([...rules.map(describeRule), ...unsaid, ...comparisons.map((one) => describeComparisonOf(field, one))]),
  ];
}

function formatOf(requirement: Requirement, gate: Gate): JsonObject {
  const { type, required, description } = requirement;
  const rules = describeRules(requirement, gate);
  return { type, required, description, ...(rules.length === 0 ? {} : { rule: rules.join("; ") }) };
}
