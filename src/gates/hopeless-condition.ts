import { type Condition, type ConditionOperand, type ConditionTest, conditionText, operandText } from "./condition.ts";
import { admitsFalse } from "./field-gaps.ts";
import type { EvidenceRule, EvidenceType, Requirement } from "./gate.ts";
import { findClash } from "./rule-clash.ts";

/** The rules that the values of an operand are known to keep: those of its gate, or the choices of an input. */
export type KnownValues = { readonly type: EvidenceType; readonly rules: readonly EvidenceRule[] };

/** Finds a part of a condition that no values can fulfil, where that is certain: as the condition is written. */
export function hopelessPart(
  condition: Condition,
  known: (operand: ConditionOperand) => KnownValues | undefined,
): string | undefined {
  if ("any" in condition) return condition.any.map((one) => hopelessPart(one, known)).find((one) => one !== undefined);
  const { tests, others } = conjunction(condition);
  const limits = tests.flatMap((test) => limitOf(test) ?? []);
  for (const { operand } of limits) {
    const values = known(operand);
    if (values === undefined) continue;
    const own = limits.filter((one) => operandText(one.operand) === operandText(operand));
    const rules = [...values.rules, ...own.map(({ rule }) => rule)];
    if (findClash({ field: operandText(operand), type: values.type, rules }) !== undefined)
      return own.map(({ test }) => conditionText(test)).join(" and ");
  }
  return others.map((one) => hopelessPart(one, known)).find((one) => one !== undefined);
}

/** The rules that a field's gate enforces on its values. */
export function knownOfField(requirement: Requirement): KnownValues {
  const { type, rules, required } = requirement;
  const isTrue = type === "boolean" && required && !admitsFalse(requirement);
  return { type, rules: isTrue ? [...rules, { kind: "equals", value: true }] : rules };
}

/** The rules that hold of the length of a field. */
export function knownOfLength({ rules }: Requirement): KnownValues {
  const own = rules.flatMap((rule): readonly EvidenceRule[] => {
    if (rule.kind === "length_at_least") return [{ kind: "at_least", limit: rule.limit }];
    return rule.kind === "length_at_most" ? [{ kind: "at_most", limit: rule.limit }] : [];
  });
  return { type: "integer", rules: [{ kind: "at_least", limit: 0 }, ...own] };
}

/** The tests that must all hold, and the parts of which one must. */
function conjunction(condition: Condition): {
  readonly tests: readonly ConditionTest[];
  readonly others: readonly Condition[];
} {
  if ("left" in condition) return { tests: [condition], others: [] };
  if ("any" in condition) return { tests: [], others: [condition] };
  const parts = condition.all.map(conjunction);
  return { tests: parts.flatMap(({ tests }) => tests), others: parts.flatMap(({ others }) => others) };
}

type Limit = { readonly operand: ConditionOperand; readonly rule: EvidenceRule; readonly test: ConditionTest };

/** A test of one operand against a fixed value, as a rule. */
function limitOf(test: ConditionTest): Limit | undefined {
  const { left, is, right } = test;
  if ("value" in right && !("sum" in left)) return limit(left, is, right.value, test);
  return "value" in left && !("sum" in right) ? limit(right, mirrored[is], left.value, test) : undefined;
}

function limit(
  operand: ConditionOperand,
  is: ConditionTest["is"],
  value: string | number | boolean,
  test: ConditionTest,
): Limit | undefined {
  if (is === "equal_to") return { operand, rule: { kind: "equals", value }, test };
  if (is === "different_from") return { operand, rule: { kind: "differs_from", value }, test };
  return typeof value === "number" ? { operand, rule: { kind: is, limit: value }, test } : undefined;
}

const mirrored = {
  equal_to: "equal_to",
  different_from: "different_from",
  at_least: "at_most",
  more_than: "less_than",
  at_most: "at_least",
  less_than: "more_than",
} as const;
