import type { Comparison, EvidenceRule, Operand } from "./gate.ts";
import type { Json } from "./json.ts";

/** Says a rule in words that follow "must be": the same words for authors, formats and refusals. */
export function describeRule(rule: EvidenceRule): string {
  switch (rule.kind) {
    case "at_least":
    case "more_than":
    case "at_most":
    case "less_than":
      return `${bounds[rule.kind]} ${rule.limit}`;
    case "length_at_least":
      return rule.limit === 1 ? notEmpty : `at least ${rule.limit} long`;
    case "length_at_most":
      return `at most ${rule.limit} long`;
    case "equals":
      return typeof rule.value === "boolean" ? String(rule.value) : `exactly ${show(rule.value)}`;
    case "differs_from":
      return `other than ${show(rule.value)}`;
    case "one_of":
      return `one of: ${rule.values.map(show).join(", ")}`;
    case "contains":
      return `something that contains ${show(rule.text)}`;
    case "matches":
      return `a match of /${rule.pattern}/${rule.flags}`;
    case "file_exists":
      return "the path of a file that exists";
    case "directory_exists":
      return "the path of a folder that exists";
  }
}

/** Says what a value must be, as a refusal says it. */
export function demand(rule: EvidenceRule): string {
  const words = describeRule(rule);
  return words === notEmpty ? "must not be empty" : `must be ${words}`;
}

/** Says what must be true of several fields, whether or not its author has put it into words. */
export function describeComparison({ left, is, right }: Pick<Comparison, "left" | "is" | "right">): string {
  return `${describeOperand(left)} must be ${bounds[is]} ${describeOperand(right)}`;
}

const notEmpty = "not empty";

const bounds = {
  at_least: "at least",
  more_than: "more than",
  at_most: "at most",
  less_than: "less than",
  equal_to: "equal to",
  different_from: "different from",
} as const;

function describeOperand(operand: Operand): string {
  if ("field" in operand) return operand.field;
  if ("lengthOf" in operand) return `the length of ${operand.lengthOf}`;
  if ("value" in operand) return show(operand.value);
  return operand.sum.map(describeOperand).join(" + ");
}

/** A plain word as it is; anything that could be taken for something else as JSON. */
function show(value: Json): string {
  const isWord = typeof value === "string" && /^\p{L}[\p{L}\p{N}_-]*$/u.test(value);
  return isWord && !/^(true|false|null)$/i.test(value) ? value : JSON.stringify(value);
}
