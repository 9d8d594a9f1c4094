import type { Verdict } from "./evidence-rule.ts";
import { lengthOf, submitted, typeName } from "./evidence-type.ts";
import { describeComparison } from "./evidence-words.ts";
import type { Comparison, Operand } from "./gate.ts";
import type { Json, JsonObject } from "./json.ts";

/** Holds the fields of a comparison against each other. */
export function judgeComparison(comparison: Comparison, evidence: JsonObject): Verdict {
  const { left, is, right, message } = comparison;
  const a = worth(left, evidence);
  const b = worth(right, evidence);
  const isOrder = is !== "equal_to" && is !== "different_from";
  if (a === undefined || b === undefined || (isOrder && (typeof a !== "number" || typeof b !== "number")))
    return { unchecked: `these values cannot be compared, and ${describeComparison(comparison)}` };
  return holds(is, a, b) ? null : { failed: message.trim() === "" ? describeComparison(comparison) : message };
}

/** The fields that a comparison is about, each once. */
export function fieldsOf({ left, right }: Pick<Comparison, "left" | "right">): string[] {
  return [...new Set([...fieldsIn(left), ...fieldsIn(right)])];
}

function fieldsIn(operand: Operand): string[] {
  if ("field" in operand) return [operand.field];
  if ("lengthOf" in operand) return [operand.lengthOf];
  return "sum" in operand ? operand.sum.flatMap(fieldsIn) : [];
}

type Plain = number | string | boolean;

/** What an operand comes to; undefined where that is not a plain value. */
function worth(operand: Operand, evidence: JsonObject): Plain | undefined {
  if ("value" in operand) return plain(operand.value);
  if ("field" in operand) return plain(submitted(evidence, operand.field));
  if ("lengthOf" in operand) return lengthOf(submitted(evidence, operand.lengthOf));
  let total = 0;
  for (const part of operand.sum) {
    const value = worth(part, evidence);
    if (typeof value !== "number") return undefined;
    total += value;
  }
  return total;
}

function plain(value: Json): Plain | undefined {
  if (typeof value === "number") return typeName(value) === "infinity" ? undefined : value;
  return typeof value === "string" || typeof value === "boolean" ? value : undefined;
}

function holds(is: Comparison["is"], a: Plain, b: Plain): boolean {
  const same = a === b || (typeof a === "number" && typeof b === "number" && isHair(a, b));
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

/** 0.1 + 0.2 is 0.3 to whoever wrote the rule. Whole numbers are what they are. */
function isHair(a: number, b: number): boolean {
  if (Number.isInteger(a) && Number.isInteger(b)) return false;
  return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
}
