import type { Json } from "../kit/json.ts";
import { describeDemand } from "./describe-rules.ts";
import type { EvidenceRule, Observations } from "./gate.ts";
import { judgeValue } from "./rule-vocabulary.ts";
import { lengthOf } from "./value-type.ts";

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
