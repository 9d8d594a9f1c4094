import { canonical, digestOf, type Json, type JsonObject } from "../kit/json.ts";
import { type ApprovalRule, defaultExpiry } from "./approval-rule.ts";
import { callsMeaning } from "./calls.ts";
import type { Check, FileCheck } from "./check.ts";
import { canonicalText, checkMeaning } from "./check-verdict.ts";
import { conditionText } from "./condition.ts";
import { admitsFalse, mayBeEmpty } from "./field-gaps.ts";
import type { Gate, Requirement } from "./gate.ts";
import type { Route, Routing } from "./route.ts";

/**
 * The normal form of what a gate requires: without descriptions, examples, positions, order and source document. Unused parts are left
 * out, so that new kinds of requirement do not change it.
 */
export function gateMeaning(
  gate: Gate | undefined,
  person: boolean | "unless_proved",
  edits: readonly string[] = [],
  routing: Routing = {},
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
    ...routingMeaning(routing),
    ...(closed === undefined ? {} : { closed: true }),
  };
}

/** The normal form of conditions and routes; their order counts. */
function routingMeaning({ when, approvalWhen, routes, calls }: Routing): JsonObject {
  return {
    ...(when === undefined ? {} : { when: conditionText(when) }),
    ...(approvalWhen === undefined ? {} : { approval_when: conditionText(approvalWhen) }),
    ...(routes === undefined ? {} : { routes: routes.map(routeMeaning) }),
    ...(calls === undefined ? {} : callsMeaning(calls)),
  };
}

function routeMeaning({ when, to, atMost, only }: Route): JsonObject {
  return {
    ...(when === undefined ? {} : { when: conditionText(when) }),
    ...to,
    ...(atMost === undefined ? {} : { at_most: atMost }),
    ...(only === undefined ? {} : { only }),
  };
}

/** The normal form of an approval beyond the default, which keeps its original form. */
function approvalMeaning({ level, by, count, expires }: ApprovalRule): JsonObject {
  const more: JsonObject = {
    ...(level === "relayed" ? {} : { level }),
    ...(by === undefined ? {} : { by: inOneOrder(by) }),
    ...(count === 1 ? {} : { count }),
    ...(expires === undefined || expires === defaultExpiry ? {} : { expires }),
  };
  return Object.keys(more).length === 0 ? {} : { approval: more };
}

function fieldMeaning(requirement: Requirement): [string, JsonObject] {
  const { field, type, required, rules } = requirement;
  const said = rules.map((rule): JsonObject => ({ ...rule }));
  // A required boolean must be true even if no rule says so.
  const isUnsaid = type === "boolean" && required && !admitsFalse(requirement);
  const all = inOneOrder(isUnsaid ? [...said, { kind: "equals", value: true }] : said);
  const form: JsonObject = {
    type,
    ...(required ? {} : { optional: true }),
    ...(all.length === 0 ? {} : { rules: all }),
    // The words of an asked requirement are all there is to it.
    ...(requirement.checked === false ? { asked: requirement.description } : {}),
    ...((type === "string" || type === "list" || type === "any") && required && mayBeEmpty(requirement)
      ? { may_be_empty: true }
      : {}),
  };
  return [field, form];
}

/** The values without duplicates, in canonical order. */
export function inOneOrder(values: readonly Json[]): readonly Json[] {
  const texts = [...new Set(values.map(canonical))].sort();
  return texts.map((text): Json => JSON.parse(text));
}

/** Hashes the meaning of the checks' schemas; undefined if there are none, so that such gates keep their form. */
export function schemasMeaning(checks: readonly Check[] = []): string | undefined {
  const said = checks.flatMap((check) =>
    check.kind === "file" && check.schema !== undefined ? [[check.name, schemaMeaning(check)] as const] : [],
  );
  return said.length === 0 ? undefined : canonicalText(Object.fromEntries(said));
}

/** The schema's meaning independent of key order; its text if it is not JSON. */
export function schemaMeaning({ schemaText = "" }: FileCheck): string {
  try {
    return digestOf(JSON.parse(schemaText));
  } catch {
    return digestOf(schemaText);
  }
}
