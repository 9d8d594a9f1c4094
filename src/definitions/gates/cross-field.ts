import type { Comparison, Requirement } from "../../evidence/gate.ts";
import { isObject } from "../../evidence/json.ts";
import { type Fields, messageOf, parseComparison, signs } from "./comparison.ts";
import type { Complain } from "./complaints.ts";
import type { LineOf } from "./evidence-schema.ts";
import { asName } from "./rule-names.ts";

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

/** A rule as a text; {left, operator, right} as the text that says the same. */
function ruleOf(item: unknown, complain: (key: string, message: string) => void): CrossFieldRule | undefined {
  if (typeof item === "string") return { text: item, message: "" };
  if (!isObject(item)) return undefined;
  const { rule, left, operator, right, message, error_message, error, description, ...more } = item;
  const { name: _name, fields: _fields, ...unknown } = more;
  for (const key of Object.keys(unknown)) complain(key, `the key "${key}" of a cross-field rule is not understood`);
  const said = [message, error_message, error, description].find((one) => typeof one === "string") ?? "";
  if (typeof rule === "string" && left === undefined) return { text: rule, message: String(said) };
  const is = typeof operator === "string" ? signs.get(asName(operator)) : undefined;
  const sign = [...signs].find(([, one]) => one === is)?.[0];
  if (rule !== undefined || sign === undefined || !isSide(left) || !isSide(right)) return undefined;
  return { text: `${String(left)} ${sign} ${String(right)}`, message: String(said) };
}

function isSide(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
