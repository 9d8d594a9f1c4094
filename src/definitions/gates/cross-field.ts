import { describeComparison } from "../../gates/describe-rules.ts";
import type { Comparison, Requirement } from "../../gates/gate.ts";
import { isObject, type JsonObject } from "../../kit/json.ts";
import { oneLine } from "../files/single-spaced.ts";
import { parseComparison } from "./comparison.ts";
import type { GateSource } from "./gate-errors.ts";

/** Parses the cross-field rules of a gate and reports everything it does not understand. */
export function readCrossField(
  written: unknown,
  requirements: readonly Requirement[],
  { file, lineOf, complain }: GateSource,
): readonly Comparison[] {
  const key = "cross_field_validation";
  if (!Array.isArray(written)) {
    complain("value", [key], `${key} must be a list`);
    return [];
  }
  const fields = new Map(requirements.map(({ field, type }) => [field, type]));
  return written.flatMap((item: unknown, index): Comparison[] => {
    const path = [key, String(index)];
    // A rule is a string, alone or with a message.
    const mapping: JsonObject = isObject(item) ? item : typeof item === "string" ? { rule: item } : {};
    const { rule, message, error_message: said = message, ...unknown } = mapping;
    const read =
      typeof rule === "string"
        ? parseComparison(rule, fields)
        : { unusable: `it has no rule; use rule: "a >= b", and message` };
    if ("unusable" in read) {
      const shown = typeof rule === "string" ? JSON.stringify(rule) : `item ${index + 1}`;
      complain("validator", path, `the cross-field rule ${shown} is not understood: ${read.unusable}`);
      return [];
    }
    for (const odd of Object.keys(unknown))
      complain("key", [...path, odd], `the key "${odd}" of a cross-field rule is unknown; use rule and message`);
    // The default message describes the comparison.
    const words = oneLine(typeof said === "string" ? said : "") || describeComparison(read.comparison);
    return [{ ...read.comparison, message: words, source: { file, line: lineOf(path) } }];
  });
}
