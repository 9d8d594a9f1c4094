import { lengthOf } from "./evidence-type.ts";
import { demand } from "./evidence-words.ts";
import type { EvidenceRule, Observations } from "./gate.ts";
import type { Json } from "./json.ts";
import { judge } from "./vocabulary.ts";

/** What a rule says of a value: nothing, what is wrong, or that it cannot be told. */
export type Verdict = { readonly failed: string } | { readonly unchecked: string } | null;

/** Holds a value against one rule; what cannot be told counts as not proved. */
export function judgeRule(rule: EvidenceRule, field: string, value: Json, observed: Observations): Verdict {
  const kept = judge(rule, value);
  if (kept === "outside") return fromOutside(rule, observed.get(observationKey(field, rule.kind)));
  if (typeof kept === "object") return { unchecked: `it ${demand(rule)}, but it ${kept.untold}` };
  return kept ? null : { failed: `${demand(rule)}${found(rule, value)}` };
}

/** The name of what the server found out about a field by one kind of rule. */
export function observationKey(field: string, kind: EvidenceRule["kind"]): string {
  return `${field}:${kind}`;
}

function fromOutside(rule: EvidenceRule, complaint: string | null | undefined): Verdict {
  if (complaint === undefined) return { unchecked: `it could not be checked: it ${demand(rule)}` };
  return complaint === null ? null : { failed: complaint };
}

/** Beside a limit, what was found; of nothing there is nothing to say. */
function found(rule: EvidenceRule, value: Json): string {
  if (!("limit" in rule)) return "";
  const measured = typeof value === "number" ? value : lengthOf(value);
  return measured === 0 && typeof value !== "number" ? "" : `, is ${measured}`;
}
