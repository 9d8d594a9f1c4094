import type { Comparison, EvidenceRule, Operand } from "./gate.ts";
import { show } from "./rule-value.ts";
import { describeRule } from "./rule-vocabulary.ts";

/** Says what a value must be, as a refusal does. */
export function describeDemand(rule: EvidenceRule): string {
  const words = describeRule(rule);
  return words === "not empty" ? "must not be empty" : `must be ${words}`;
}

/** Says what a comparison requires, even if its author gave no description. */
export function describeComparison({ left, is, right }: Pick<Comparison, "left" | "is" | "right">): string {
  return `${describeOperand(left)} must be ${bounds[is]} ${describeOperand(right)}`;
}

/** The same for a comparison shown at its own field, which is not named again. */
export function describeComparisonOf(field: string, { left, is, right }: Comparison): string {
  const isOwn = !("step" in left && left.step !== undefined);
  const demanded = `${bounds[is]} ${describeOperand(right)}`;
  if (isOwn && "field" in left && left.field === field) return demanded;
  if (isOwn && "lengthOf" in left && left.lengthOf === field) return `length ${demanded}`;
  return describeComparison({ left, is, right });
}

const bounds = {
  at_least: "at least",
  more_than: "more than",
  at_most: "at most",
  less_than: "less than",
  equal_to: "equal to",
  different_from: "different from",
} as const;

function describeOperand(operand: Operand): string {
  const of = "step" in operand && operand.step !== undefined ? ` of phase ${operand.step}` : "";
  if ("field" in operand) return `${operand.field}${of}`;
  if ("lengthOf" in operand) return `the length of ${operand.lengthOf}${of}`;
  if ("value" in operand) return show(operand.value);
  return operand.sum.map(describeOperand).join(" + ");
}
