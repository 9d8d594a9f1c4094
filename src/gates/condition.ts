/** How two values are compared. */
export type ComparisonSign = "at_least" | "more_than" | "at_most" | "less_than" | "equal_to" | "different_from";

/** A value that a condition compares. A field without a step belongs to the evidence that is being judged. */
export type ConditionOperand =
  | { readonly value: string | number | boolean }
  | { readonly input: string }
  | { readonly item: string }
  | { readonly rounds: string }
  | { readonly field: string; readonly step?: string }
  | { readonly lengthOf: string; readonly step?: string }
  | { readonly sum: readonly ConditionOperand[] };

/** One comparison of a condition. */
export type ConditionTest = {
  readonly left: ConditionOperand;
  readonly is: ComparisonSign;
  readonly right: ConditionOperand;
};

/** A condition: one comparison, all of several, or any of several. It is data and never evaluated as code. */
export type Condition = ConditionTest | { readonly all: readonly Condition[] } | { readonly any: readonly Condition[] };

/** The operands of a condition that read something, each once. */
export function operandsOf(condition: Condition): readonly ConditionOperand[] {
  const all = testsOf(condition).flatMap(({ left, right }) => [left, right].flatMap(partsOf));
  const known = new Map(all.flatMap((one) => ("value" in one ? [] : [[operandText(one), one] as const])));
  return [...known.values()];
}

/** The comparisons of a condition. */
export function testsOf(condition: Condition): readonly ConditionTest[] {
  if ("left" in condition) return [condition];
  return ("all" in condition ? condition.all : condition.any).flatMap(testsOf);
}

/** The single values of an operand. */
export function partsOf(operand: ConditionOperand): readonly ConditionOperand[] {
  return "sum" in operand ? operand.sum.flatMap(partsOf) : [operand];
}

/** Replaces the operands of a condition. */
export function mapOperands(condition: Condition, change: (operand: ConditionOperand) => ConditionOperand): Condition {
  if ("all" in condition) return { all: condition.all.map((one) => mapOperands(one, change)) };
  if ("any" in condition) return { any: condition.any.map((one) => mapOperands(one, change)) };
  const whole = (operand: ConditionOperand): ConditionOperand =>
    "sum" in operand ? { sum: operand.sum.map(whole) } : change(operand);
  return { ...condition, left: whole(condition.left), right: whole(condition.right) };
}

/** Writes a condition in its normal form, as the record and people see it. */
export function conditionText(condition: Condition): string {
  if ("left" in condition)
    return `${operandText(condition.left)} ${signs[condition.is]} ${operandText(condition.right)}`;
  const [parts, word] = "all" in condition ? [condition.all, " and "] : [condition.any, " or "];
  return parts.length === 1 ? parts.map(conditionText).join("") : `(${parts.map(conditionText).join(word)})`;
}

/** Writes an operand as in a condition. */
export function operandText(operand: ConditionOperand): string {
  if ("value" in operand) return JSON.stringify(operand.value);
  if ("input" in operand) return `inputs.${operand.input}`;
  if ("item" in operand) return `item.${operand.item}`;
  if ("rounds" in operand) return `rounds(${operand.rounds})`;
  if ("sum" in operand) return operand.sum.map(operandText).join(" + ");
  const at = operand.step === undefined ? "" : `${operand.step}.`;
  return "field" in operand ? `${at}${operand.field}` : `length(${at}${operand.lengthOf})`;
}

const signs: Readonly<Record<ComparisonSign, string>> = {
  equal_to: "==",
  different_from: "!=",
  at_least: ">=",
  more_than: ">",
  at_most: "<=",
  less_than: "<",
};
