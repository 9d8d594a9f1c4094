import type { ApprovalRule } from "../../gates/approval-rule.ts";
import { type Condition, conditionText } from "../../gates/condition.ts";
import { describeComparison } from "../../gates/describe-rules.ts";
import type { Comparison, Gate, Operand, Requirement } from "../../gates/gate.ts";
import type { Route, Routing } from "../../gates/route.ts";
import { writtenRule } from "../../gates/rule-vocabulary.ts";
import { defined } from "../../kit/defined.ts";
import { durationOf } from "../../kit/duration.ts";
import type { Json, JsonObject } from "../../kit/json.ts";
import { yaml } from "../../kit/libraries.ts";

/** Formats a gate as a gate file; reading it back gives the same gate. */
export function gateText({ requirements, comparisons, approval, approvalNeeds, edits, routing = {} }: Gate): string {
  const fields = requirements.map((one): [string, JsonObject] => [one.field, fieldOf(one)]);
  const gate: JsonObject = {
    ...(fields.length === 0 ? {} : { evidence_schema: Object.fromEntries(fields) }),
    ...(comparisons.length === 0 ? {} : { cross_field_validation: comparisons.map(ruleOf) }),
    ...(approval ? { approval: approvalNeeds === undefined ? "required" : approvalOf(approvalNeeds) } : {}),
    ...defined({ edits }),
    ...routingOf(routing),
  };
  return yaml().stringify(gate, { lineWidth: 0 });
}

function routingOf({ when, routes, role }: Routing): JsonObject {
  const written: [string, Json][] = [
    ...(when === undefined ? [] : [["when", conditionOf(when)] as [string, Json]]),
    ...(routes === undefined ? [] : [["then", routes.map(routeOf)] as [string, Json]]),
    ...(role === undefined ? [] : [["role", role] as [string, Json]]),
  ];
  return Object.fromEntries(written);
}

function routeOf({ when, to, atMost }: Route): JsonObject {
  const target: JsonObject = "back" in to ? { back_to: to.back } : "end" in to ? { end: to.end } : { continue: true };
  return {
    ...(when === undefined ? {} : { when: conditionOf(when) }),
    ...target,
    ...(atMost === undefined ? {} : { at_most: atMost }),
  };
}

function conditionOf(condition: Condition): Json {
  if ("all" in condition) return condition.all.map(conditionOf);
  return "any" in condition ? { any: condition.any.map(conditionOf) } : conditionText(condition);
}

function approvalOf({ level, by, count, expires, question }: ApprovalRule): JsonObject {
  return {
    level,
    ...defined({ by, question }),
    ...(count === 1 ? {} : { count }),
    ...(expires === undefined ? {} : { expires: durationOf(expires) }),
  };
}

function fieldOf({ type, required, description, rules, mayBeEmpty, checked }: Requirement): JsonObject {
  const said = rules.map((rule): JsonObject => {
    const { name, given } = writtenRule(rule);
    const isFlagged = rule.kind === "matches" && rule.flags !== "";
    return { [name]: given, ...(isFlagged ? { flags: rule.flags } : {}) };
  });
  const all = [...said, ...(mayBeEmpty === true ? [{ may_be_empty: true }] : [])];
  const validator: Json | undefined = all.length > 1 ? all : all[0];
  return { type, required, description, ...defined({ validator, checked }) };
}

function ruleOf(comparison: Comparison): JsonObject {
  const { left, is, right, message } = comparison;
  const rule = `${sideOf(left)} ${signs[is]} ${sideOf(right)}`;
  return message === describeComparison(comparison) ? { rule } : { rule, message };
}

const signs: Readonly<Record<Comparison["is"], string>> = {
  equal_to: "==",
  different_from: "!=",
  at_least: ">=",
  more_than: ">",
  at_most: "<=",
  less_than: "<",
};

function sideOf(operand: Operand): string {
  if ("sum" in operand) return operand.sum.map(sideOf).join(" + ");
  if ("value" in operand) return typeof operand.value === "string" ? `'${operand.value}'` : String(operand.value);
  const phase = operand.step === undefined ? "" : `phase_${operand.step}.`;
  return "field" in operand ? `${phase}${operand.field}` : `length(${phase}${operand.lengthOf})`;
}
