import type { Json, JsonObject } from "../kit/json.ts";
import { describeComparison } from "./describe-rules.ts";
import type { RuleVerdict } from "./field-gaps.ts";
import type { Comparison, Earlier, Operand } from "./gate.ts";
import { fieldValue, lengthOf, typeName } from "./value-type.ts";

/** Judges a comparison by the evidence and the recorded evidence of earlier steps. */
export function judgeComparison(
  comparison: Comparison,
  evidence: JsonObject,
  earlier: Earlier = new Map(),
): RuleVerdict {
  const { left, is, right, message } = comparison;
  const absent = operandsIn(left, right).filter(
    (one) => one.step !== undefined && lookUp(one, evidence, earlier) === null,
  );
  if (absent.length > 0) return { unchecked: `${absent.map(describeField).join(", ")} is not on record` };
  const a = operandValue(left, evidence, earlier);
  const b = operandValue(right, evidence, earlier);
  const isOrder = is !== "equal_to" && is !== "different_from";
  if (a === undefined || b === undefined || (isOrder && (typeof a !== "number" || typeof b !== "number")))
    return { unchecked: `these values cannot be compared; ${describeComparison(comparison)}` };
  return compareValues(is, a, b) ? null : { failed: message.trim() === "" ? describeComparison(comparison) : message };
}

/** The fields of this evidence that a comparison uses, each once. */
export function fieldsOf({ left, right }: Pick<Comparison, "left" | "right">): string[] {
  return [...new Set(operandsIn(left, right).flatMap((one) => (one.step === undefined ? [operandField(one)] : [])))];
}

/** The fields of earlier steps that a comparison uses. */
export function earlierFields({ left, right }: Pick<Comparison, "left" | "right">): readonly EarlierField[] {
  return operandsIn(left, right).flatMap((one) =>
    one.step === undefined ? [] : [{ step: one.step, field: operandField(one), isLength: "lengthOf" in one }],
  );
}

/** A field of an earlier step, or its length. */
export type EarlierField = { readonly step: number; readonly field: string; readonly isLength: boolean };

type Named = Extract<Operand, { readonly field: string } | { readonly lengthOf: string }>;

function operandsIn(...operands: readonly Operand[]): Named[] {
  return operands.flatMap((operand) => {
    if ("field" in operand || "lengthOf" in operand) return [operand];
    return "sum" in operand ? operandsIn(...operand.sum) : [];
  });
}

function operandField(operand: Named): string {
  return "field" in operand ? operand.field : operand.lengthOf;
}

function describeField(operand: Named): string {
  return `${operandField(operand)} of phase ${operand.step}`;
}

function lookUp(operand: Named, evidence: JsonObject, earlier: Earlier): Json {
  const record = operand.step === undefined ? evidence : (earlier.get(operand.step) ?? {});
  return fieldValue(record, operandField(operand));
}

type Plain = number | string | boolean;

/** The value of an operand; undefined if it is not a plain value. */
function operandValue(operand: Operand, evidence: JsonObject, earlier: Earlier): Plain | undefined {
  if ("value" in operand) return plain(operand.value);
  if ("field" in operand) return plain(lookUp(operand, evidence, earlier));
  if ("lengthOf" in operand) return lengthOf(lookUp(operand, evidence, earlier));
  let total = 0;
  for (const part of operand.sum) {
    const value = operandValue(part, evidence, earlier);
    if (typeof value !== "number") return undefined;
    total += value;
  }
  return total;
}

function plain(value: Json): Plain | undefined {
  if (typeof value === "number") return typeName(value) === "infinity" ? undefined : value;
  return typeof value === "string" || typeof value === "boolean" ? value : undefined;
}

/** Compares two values of one type. */
export function compareValues(is: Comparison["is"], a: Plain, b: Plain): boolean {
  const same = a === b || (typeof a === "number" && typeof b === "number" && isAlmostEqual(a, b));
  switch (is) {
    case "equal_to":
      return same;
    case "different_from":
      return !same;
    case "at_least":
      return same || a > b;
    case "more_than":
      return !same && a > b;
    case "at_most":
      return same || a < b;
    case "less_than":
      return !same && a < b;
  }
}

/** 0.1 + 0.2 equals 0.3 for the author of a rule; whole numbers compare exactly. */
function isAlmostEqual(a: number, b: number): boolean {
  if (Number.isInteger(a) && Number.isInteger(b)) return false;
  return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
}
