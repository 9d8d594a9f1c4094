import type { Json, JsonObject } from "../kit/json.ts";
import { type Condition, type ConditionOperand, type ConditionTest, operandsOf, operandText } from "./condition.ts";
import { compareValues } from "./judge-comparison.ts";
import { fieldValue, lengthOf, typeName } from "./value-type.ts";

/** The recorded values a condition may read. */
export type ConditionFacts = {
  /** The evidence that is being judged; absent where none is. */
  readonly evidence?: JsonObject;
  readonly inputs: JsonObject;
  /** The fields of the item that the session is for. */
  readonly item?: JsonObject;
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
  if ("item" in operand) return plainValue(fieldValue(facts.item ?? {}, operand.item));
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
