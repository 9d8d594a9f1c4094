import { observationKey } from "./evidence-rule.ts";
import { isOfType, submitted } from "./evidence-type.ts";
import { type Gate, isOutside, type Observations, type OutsideRule } from "./gate.ts";
import type { JsonObject } from "./json.ts";

/** A demand of a gate on the outside that nobody could look at. */
export type Unobserved = { readonly field: string; readonly rule: OutsideRule };

/** The demands on the outside that evidence is held to and that nothing was found out about. */
export function unobservedOf(gate: Gate, evidence: JsonObject, observed: Observations): readonly Unobserved[] {
  return gate.requirements.flatMap(({ field, type, rules }) => {
    const value = submitted(evidence, field);
    if (value === null || !isOfType(value, type)) return [];
    return rules
      .filter(isOutside)
      .filter(({ kind }) => !observed.has(observationKey(field, kind)))
      .map((rule) => ({ field, rule }));
  });
}
