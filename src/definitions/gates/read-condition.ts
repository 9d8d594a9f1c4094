import type { Condition, ConditionOperand, ConditionTest } from "../../gates/condition.ts";
import { isObject, type Json } from "../../kit/json.ts";
import { literalOf, splitComparison, twoSides } from "./comparison.ts";

/** A condition as read, or why it cannot be. */
export type ConditionRead = { readonly condition: Condition } | { readonly unusable: string };

/** Reads a condition: a comparison, a list of which all must hold, or `any` with a list. Names are resolved later. */
export function readCondition(written: Json): ConditionRead {
  if (typeof written === "string") return readTest(written.trim());
  if (Array.isArray(written)) return readAll(written, (all) => ({ all }));
  if (isObject(written) && Object.keys(written).length === 1) {
    if (Array.isArray(written.any)) return readAll(written.any, (any) => ({ any }));
    if (Array.isArray(written.all)) return readAll(written.all, (all) => ({ all }));
  }
  return { unusable: "a condition must be a comparison, a list of which all hold, or {any: [...]}" };
}

function readAll(written: readonly Json[], combine: (read: readonly Condition[]) => Condition): ConditionRead {
  const read = written.map(readCondition);
  const wrong = read.find((one) => "unusable" in one);
  if (wrong !== undefined) return wrong;
  if (read.length === 0) return { unusable: "a list of conditions is empty" };
  return { condition: combine(read.flatMap((one) => ("condition" in one ? [one.condition] : []))) };
}

function readTest(text: string): ConditionRead {
  const split = splitComparison(text);
  if (split === undefined) return { unusable: `${JSON.stringify(text)} is not understood: ${twoSides}` };
  const sides: ConditionOperand[] = [];
  for (const side of split.sides) {
    const parts = side.map(readOperand);
    const wrong = parts.find((part) => "unusable" in part);
    if (wrong !== undefined && "unusable" in wrong) return wrong;
    const operands = parts.flatMap((part) => ("unusable" in part ? [] : [part]));
    const [first] = operands;
    if (first === undefined) return { unusable: twoSides };
    sides.push(operands.length === 1 ? first : { sum: operands });
  }
  const [left, right] = sides;
  if (left === undefined || right === undefined) return { unusable: twoSides };
  const condition: ConditionTest = { left, is: split.is, right };
  return { condition };
}

function readOperand(text: string): ConditionOperand | { readonly unusable: string } {
  const value = literalOf(text);
  if (value !== undefined) return { value };
  const rounds = /^rounds\(\s*([\p{L}\p{N}_-]+)\s*\)$/u.exec(text)?.[1];
  if (rounds !== undefined) return { rounds };
  const [, counted, step, name] =
    /^(?:(len|length|count)\(\s*)?(?:([\p{L}\p{N}_-]+)\.)?([\p{L}_][\p{L}\p{N}_-]*)\s*\)?$/u.exec(text) ?? [];
  if (name === undefined || (counted !== undefined) !== text.endsWith(")"))
    return { unusable: `"${text}" is neither a field nor a value` };
  if (step === "inputs") return counted === undefined ? { input: name } : { unusable: "the length of an input" };
  if (step === "item") return counted === undefined ? { item: name } : { unusable: "the length of an item's field" };
  const at = step === undefined ? {} : { step };
  return counted === undefined ? { field: name, ...at } : { lengthOf: name, ...at };
}
