import { describeComparison } from "../../workflow/evidence-words.ts";
import type { Comparison, Requirement } from "../../workflow/gate.ts";
import { isObject, type JsonObject } from "../../workflow/json.ts";
import { comparisonsFromExpression, type Fields, messageOf } from "./comparison.ts";
import type { Complain } from "./complaints.ts";
import type { LineOf, Translation } from "./evidence-schema.ts";
import { asName } from "./validator-names.ts";

/** Understands the demands of a gate on several fields at once; complains of everything it does not understand. */
export function readCrossField(
  written: unknown,
  requirements: readonly Requirement[],
  file: string,
  lineOf: LineOf,
  complain: Complain,
): { readonly comparisons: readonly Comparison[]; readonly translations: readonly Translation[] } {
  const key = "cross_field_validation";
  if (!Array.isArray(written)) {
    complain("value", [key], `${key} must be a list`);
    return { comparisons: [], translations: [] };
  }
  const fields: Fields = new Map(requirements.map(({ field, type }) => [field, type]));
  const comparisons: Comparison[] = [];
  const translations: Translation[] = [];
  for (const [index, item] of written.entries()) {
    const path = [key, String(index)];
    const rule = ruleOf(item, (at, message) => complain("key", [...path, at], message));
    const read = rule === undefined ? { unusable: "it has no rule" } : comparisonsFromExpression(rule.text, fields);
    if ("unusable" in read) {
      const shown = rule === undefined ? `item ${index + 1}` : JSON.stringify(rule.text);
      complain("validator", path, `the cross-field rule ${shown} is not understood: ${read.unusable}`);
      continue;
    }
    const source = { file, line: lineOf(path) };
    for (const bare of read.comparisons)
      comparisons.push({ ...bare, message: messageOf(bare, rule?.message ?? ""), source });
    if (rule?.isExpression && !isPlain(rule.text)) {
      const words = read.comparisons.map(describeComparison).join("; ");
      translations.push({
        line: source.line,
        message: `the cross-field rule ${JSON.stringify(rule.text)} is read as: ${words}`,
      });
    }
  }
  return { comparisons, translations };
}

/** Two names or sums and a sign between them say what they mean; an author need not be told. */
function isPlain(text: string): boolean {
  return /^[\w\s+()]+(?:<=|>=|==|!=|<|>)[\w\s+().-]+$/.test(text) && !/\blambda\b/.test(text);
}

type CrossFieldRule = { readonly text: string; readonly message: string; readonly isExpression: boolean };

/** A rule as a text; {left, operator, right} as the text that says the same. */
function ruleOf(item: unknown, complain: (key: string, message: string) => void): CrossFieldRule | undefined {
  if (typeof item === "string") return { text: item, message: "", isExpression: true };
  if (!isObject(item)) return undefined;
  const { rule, expression, condition, check, left, operator, right, ...others } = item;
  const { error_message, message = error_message, error = message, description = error, ...more } = others;
  const { name: _name, fields: _fields, ...unknown } = more;
  for (const key of Object.keys(unknown)) complain(key, `the key "${key}" of a cross-field rule is not understood`);
  const said = typeof description === "string" ? (firstText(error_message, message, error) ?? description) : "";
  const texts = [rule, expression, condition, check].filter((one) => one !== undefined);
  const [text] = texts;
  if (typeof text === "string" && texts.length === 1 && left === undefined)
    return { text, message: said, isExpression: true };
  const sign = signOf(operator);
  if (texts.length > 0 || sign === undefined || !isSide(left) || !isSide(right)) return undefined;
  return { text: `${String(left)} ${sign} ${String(right)}`, message: said, isExpression: false };
}

function firstText(...values: readonly (JsonObject[string] | undefined)[]): string | undefined {
  return values.find((value) => typeof value === "string");
}

function isSide(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function signOf(operator: unknown): string | undefined {
  if (typeof operator !== "string") return undefined;
  return signs.get(asName(operator));
}

const signs = new Map<string, string>([
  ...["==", "===", "=", "equals", "eq", "equal_to"].map((word) => [word, "=="] as const),
  ...["!=", "!==", "not_equals", "ne", "not_equal_to", "differs_from"].map((word) => [word, "!="] as const),
  ...[">=", "gte", "ge", "at_least", "greater_than_or_equal", "greater_than_or_equal_to"].map(
    (word) => [word, ">="] as const,
  ),
  ...[">", "gt", "greater_than", "more_than"].map((word) => [word, ">"] as const),
  ...["<=", "lte", "le", "at_most", "less_than_or_equal", "less_than_or_equal_to"].map((word) => [word, "<="] as const),
  ...["<", "lt", "less_than"].map((word) => [word, "<"] as const),
]);
