import type { Comparison, Requirement } from "../../evidence/gate.ts";
import { isObject } from "../../evidence/json.ts";
import { type Fields, messageOf, parseComparison } from "./comparison.ts";
import type { Complain } from "./complaints.ts";
import type { LineOf } from "./evidence-schema.ts";

/** Understands the demands of a gate on several fields at once; complains of everything it does not understand. */
export function readCrossField(
  written: unknown,
  requirements: readonly Requirement[],
  file: string,
  lineOf: LineOf,
  complain: Complain,
): readonly Comparison[] {
  const key = "cross_field_validation";
  if (!Array.isArray(written)) {
    complain("value", [key], `${key} must be a list`);
    return [];
  }
  const fields: Fields = new Map(requirements.map(({ field, type }) => [field, type]));
  return written.flatMap((item: unknown, index) => {
    const path = [key, String(index)];
    const rule = ruleOf(item, (at, message) => complain("key", [...path, at], message));
    const parts = rule?.text.split(/\s+(?:and|&&)\s+/) ?? [];
    const reads = parts.map((part) => parseComparison(part, fields));
    const bad = rule === undefined ? { unusable: "it has no rule" } : reads.find((read) => "unusable" in read);
    if (bad !== undefined && "unusable" in bad) {
      const shown = rule === undefined ? `item ${index + 1}` : JSON.stringify(rule.text);
      complain("validator", path, `the cross-field rule ${shown} is not understood: ${bad.unusable}`);
      return [];
    }
    const source = { file, line: lineOf(path) };
    return reads.flatMap((read) =>
      "unusable" in read
        ? []
        : [{ ...read.comparison, message: messageOf(read.comparison, rule?.message ?? ""), source }],
    );
  });
}

type CrossFieldRule = { readonly text: string; readonly message: string };

/** A rule as a text, alone or with what to say where it does not hold. */
function ruleOf(item: unknown, complain: (key: string, message: string) => void): CrossFieldRule | undefined {
  if (typeof item === "string") return { text: item, message: "" };
  if (!isObject(item)) return undefined;
  const { rule, message, error_message, error, description, name: _name, fields: _fields, ...unknown } = item;
  if (typeof rule !== "string") return undefined;
  for (const key of Object.keys(unknown)) complain(key, `the key "${key}" of a cross-field rule is not understood`);
  const said = [message, error_message, error, description].find((one) => typeof one === "string") ?? "";
  return { text: rule, message: String(said) };
}
