import { describeComparison } from "../../evidence/evidence-words.ts";
import type { Comparison, Requirement } from "../../evidence/gate.ts";
import { isObject, type JsonObject } from "../../evidence/json.ts";
import { oneLine } from "../one-line.ts";
import { parseComparison } from "./comparison.ts";
import type { Written } from "./complaints.ts";

/** Understands the demands of a gate on several fields at once; complains of everything it does not understand. */
export function readCrossField(
  written: unknown,
  requirements: readonly Requirement[],
  { file, lineOf, complain }: Written,
): readonly Comparison[] {
  const key = "cross_field_validation";
  if (!Array.isArray(written)) {
    complain("value", [key], `${key} must be a list`);
    return [];
  }
  const fields = new Map(requirements.map(({ field, type }) => [field, type]));
  return written.flatMap((item: unknown, index): Comparison[] => {
    const path = [key, String(index)];
    // A rule as a text, alone or with what to say where it does not hold.
    const mapping: JsonObject = isObject(item) ? item : typeof item === "string" ? { rule: item } : {};
    const { rule, message, error_message: said = message, ...unknown } = mapping;
    const read = typeof rule === "string" ? parseComparison(rule, fields) : { unusable: "it has no rule" };
    if ("unusable" in read) {
      const shown = typeof rule === "string" ? JSON.stringify(rule) : `item ${index + 1}`;
      complain("validator", path, `the cross-field rule ${shown} is not understood: ${read.unusable}`);
      return [];
    }
    for (const odd of Object.keys(unknown))
      complain("key", [...path, odd], `the key "${odd}" of a cross-field rule is not understood`);
    // What a comparison says where its author has left it unsaid.
    const words = oneLine(typeof said === "string" ? said : "") || describeComparison(read.comparison);
    return [{ ...read.comparison, message: words, source: { file, line: lineOf(path) } }];
  });
}
