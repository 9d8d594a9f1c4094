import { type Approval, usualExpiry } from "./approval.ts";
import { checkMeaning } from "./check-verdict.ts";
import { admitsFalse, mayBeEmpty } from "./evidence-gap.ts";
import type { Gate, Requirement } from "./gate.ts";
import { canonical, type Json, type JsonObject } from "./json.ts";

/**
 * What a gate asks for, in its normal form: without descriptions, examples and places, whatever the order it is written in,
 * and whichever document says it. What a gate does not use is not in its form, so that a later kind of demand leaves it as it is.
 */
export function gateMeaning(
  gate: Gate | undefined,
  person: boolean | "unless_proved",
  edits: readonly string[] = [],
): JsonObject {
  const { requirements = [], comparisons = [], rulesHold = false, checks = [], fresh = [], closed } = gate ?? {};
  const { approval = false, approvalNeeds: needs } = gate ?? {};
  const relations = comparisons.map(({ left, is, right }): JsonObject => ({ left, is, right }));
  return {
    ...(requirements.length === 0 ? {} : { evidence: Object.fromEntries(requirements.map(fieldMeaning)) }),
    ...(relations.length === 0 ? {} : { comparisons: inOneOrder(relations) }),
    ...(rulesHold ? { rules_hold: true } : {}),
    ...(checks.length === 0 ? {} : { checks: inOneOrder(checks.map(checkMeaning)) }),
    ...(fresh.length === 0 ? {} : { fresh: inOneOrder(fresh) }),
    ...(person === false ? {} : { person }),
    ...(approval && needs !== undefined ? approvalMeaning(needs) : {}),
    ...(edits.length === 0 ? {} : { edits: inOneOrder(edits) }),
    ...(closed === undefined ? {} : { closed: true }),
  };
}

/** What an approval asks for beyond a person's word; one that asks for no more has the form that it always had. */
function approvalMeaning({ level, by, count, expires }: Approval): JsonObject {
  const more: JsonObject = {
    ...(level === "relayed" ? {} : { level }),
    ...(by === undefined ? {} : { by: inOneOrder(by) }),
    ...(count === 1 ? {} : { count }),
    ...(expires === undefined || expires === usualExpiry ? {} : { expires }),
  };
  return Object.keys(more).length === 0 ? {} : { approval: more };
}

function fieldMeaning(requirement: Requirement): [string, JsonObject] {
  const { field, type, required, rules } = requirement;
  const said = rules.map((rule): JsonObject => ({ ...rule }));
  // A required boolean must be true, also where nobody says so.
  const isUnsaid = type === "boolean" && required && !admitsFalse(requirement);
  const all = inOneOrder(isUnsaid ? [...said, { kind: "equals", value: true }] : said);
  const form: JsonObject = {
    type,
    ...(required ? {} : { optional: true }),
    ...(all.length === 0 ? {} : { rules: all }),
    ...((type === "string" || type === "list") && required && mayBeEmpty(requirement) ? { may_be_empty: true } : {}),
  };
  return [field, form];
}

/** Each thing once, in an order that follows from what they say. */
export function inOneOrder(values: readonly Json[]): readonly Json[] {
  const texts = [...new Set(values.map(canonical))].sort();
  return texts.map((text): Json => JSON.parse(text));
}
