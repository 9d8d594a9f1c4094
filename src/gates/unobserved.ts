import type { JsonObject } from "../kit/json.ts";
import { observationKey } from "./field-gaps.ts";
import { type Gate, isOutside, type Observations, type OutsideRule } from "./gate.ts";
import { fieldValue, isOfType } from "./value-type.ts";

/** An outside requirement that could not be observed. */
export type Unobserved = { readonly field: string; readonly rule: OutsideRule };

/** The outside requirements on the evidence without an observation. */
export function unobservedOf(gate: Gate, evidence: JsonObject, observed: Observations): readonly Unobserved[] {
  return gate.requirements.flatMap(({ field, type, rules }) => {
    const value = fieldValue(evidence, field);
    if (value === null || !isOfType(value, type)) return [];
    return rules
      .filter(isOutside)
      .filter(({ kind }) => !observed.has(observationKey(field, kind)))
      .map((rule) => ({ field, rule }));
  });
}
