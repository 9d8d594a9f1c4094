import type { Json, JsonObject } from "../kit/json.ts";
import type { Comparison } from "./gate.ts";
import { compareValues } from "./judge-comparison.ts";
import { fieldValue, lengthOf, typeName } from "./value-type.ts";

/** A value that a condition compares. A field without a step belongs to the evidence that is being judged. */
export type ConditionOperand =
  | { readonly value: string | number | boolean }
  | { readonly input: string }
  | { readonly rounds: string }
  | { readonly field: string; readonly step?: string }
  | { readonly lengthOf: string; readonly step?: string }
  | { readonly sum: readonly ConditionOperand[] };

/** One comparison of a condition. */
export type ConditionTest = {
  readonly left: ConditionOperand;
  readonly is: Comparison["is"];
  readonly right: ConditionOperand;
};

/** A condition: one comparison, all of several, or any of several. It is data and never evaluated as code. */
export type Condition = ConditionTest | { readonly all: readonly Condition[] } | { readonly any: readonly Condition[] };

/** The recorded values a condition may read. */
export type ConditionFacts = {
  /** The evidence that is being judged; absent where none is. */
  readonly evidence?: JsonObject;
  readonly inputs: JsonObject;
  /** The evidence of the completion of a step that counts; undefined if there is none. */
  evidenceOf(step: string): JsonObject | undefined;
  roundsOf(step: string): number;
};

/** The result of a condition, undefined if it is unknown, and the values it read. */
export type ConditionResult = { readonly holds: boolean | undefined; readonly read: JsonObject };

/** Judges a condition; a value that is not recorded, or of another type than it is compared with, makes it unknown. */
export function judgeCondition(condition: Condition, facts: ConditionFacts): ConditionResult {
  const read = Object.fromEntries(
    operandsOf(condition).map((operand): [string, Json] => [operandText(operand), plain(operand, facts) ?? null]),
  );
  return { holds: judge(condition, facts), read };
}

function judge(condition: Condition, facts: ConditionFacts): boolean | undefined {
  if ("left" in condition) return test(condition, facts);
  const isAll = "all" in condition;
  const results = (isAll ? condition.all : condition.any).map((one) => judge(one, facts));
  if (results.includes(!isAll)) return !isAll;
  return results.includes(undefined) ? undefined : isAll;
}

function test({ left, is, right }: ConditionTest, facts: ConditionFacts): boolean | undefined {
  const [a, b] = [plain(left, facts), plain(right, facts)];
  if (a === undefined || b === undefined || typeof a !== typeof b) return undefined;
  const isOrder = is !== "equal_to" && is !== "different_from";
  return isOrder && typeof a !== "number" ? undefined : compareValues(is, a, b);
}

function plain(operand: ConditionOperand, facts: ConditionFacts): string | number | boolean | undefined {
  if ("value" in operand) return operand.value;
  if ("input" in operand) return plainValue(fieldValue(facts.inputs, operand.input));
  if ("rounds" in operand) return facts.roundsOf(operand.rounds);
  if ("sum" in operand) return total(operand.sum.map((part) => plain(part, facts)));
  const evidence = operand.step === undefined ? facts.evidence : facts.evidenceOf(operand.step);
  if (evidence === undefined) return undefined;
  return "field" in operand
    ? plainValue(fieldValue(evidence, operand.field))
    : lengthOf(fieldValue(evidence, operand.lengthOf));
}

function total(values: readonly (string | number | boolean | undefined)[]): number | undefined {
  let sum = 0;
  for (const value of values) {
    if (typeof value !== "number") return undefined;
    sum += value;
  }
  return sum;
}

function plainValue(value: Json): string | number | boolean | undefined {
  if (typeof value === "number") return typeName(value) === "infinity" ? undefined : value;
  return typeof value === "string" || typeof value === "boolean" ? value : undefined;
}

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

function operandText(operand: ConditionOperand): string {
  if ("value" in operand) return JSON.stringify(operand.value);
  if ("input" in operand) return `inputs.${operand.input}`;
  if ("rounds" in operand) return `rounds(${operand.rounds})`;
  if ("sum" in operand) return operand.sum.map(operandText).join(" + ");
  const at = operand.step === undefined ? "" : `${operand.step}.`;
  return "field" in operand ? `${at}${operand.field}` : `length(${at}${operand.lengthOf})`;
}

const signs: Readonly<Record<Comparison["is"], string>> = {
  equal_to: "==",
  different_from: "!=",
  at_least: ">=",
  more_than: ">",
  at_most: "<=",
  less_than: "<",
};
