import { isOfType } from "../../workflow/evidence-type.ts";
import { describeRule } from "../../workflow/evidence-words.ts";
import type { EvidenceRule, EvidenceType } from "../../workflow/gate.ts";
import { findPatternProblem } from "../rules/pattern-problem.ts";

/** What a validator comes to as data; or why the gate must stay closed. */
export type ValidatorRead =
  | {
      readonly rules: readonly EvidenceRule[];
      /** The author says that a blank text will do. */
      readonly mayBeEmpty?: true;
      /** It was written as an expression, and this is how it was understood. */
      readonly translated?: true;
    }
  | { readonly unusable: string };

/** All that several validators ask for; the first that cannot be used makes the whole unusable. */
export function allOf(reads: readonly ValidatorRead[]): ValidatorRead {
  const rules: EvidenceRule[] = [];
  for (const read of reads) {
    if ("unusable" in read) return read;
    rules.push(...read.rules);
  }
  const isSaid = (key: "mayBeEmpty" | "translated"): boolean => reads.some((read) => key in read);
  return {
    rules: [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()],
    ...(isSaid("mayBeEmpty") ? { mayBeEmpty: true } : {}),
    ...(isSaid("translated") ? { translated: true } : {}),
  };
}

/** A validator whose rules can be asked of a type; one that can never hold, or never be checked, is unusable. */
export function fitted(read: ValidatorRead, type: EvidenceType): ValidatorRead {
  if ("unusable" in read) return read;
  const problem = read.rules.map((rule) => misfit(rule, type)).find((one) => one !== undefined);
  return problem === undefined ? read : { unusable: problem };
}

function misfit(rule: EvidenceRule, type: EvidenceType): string | undefined {
  const wrong = `"${describeRule(rule)}" cannot be asked of ${type === "integer" || type === "object" ? "an" : "a"} ${type}`;
  switch (rule.kind) {
    case "at_least":
    case "more_than":
    case "at_most":
    case "less_than":
      return type === "integer" || type === "number" ? undefined : wrong;
    case "length_at_least":
    case "length_at_most":
      return type === "string" || type === "list" || type === "object" ? undefined : wrong;
    case "equals":
    case "differs_from":
      return isOfType(rule.value, type) ? undefined : wrong;
    case "one_of":
      return rule.values.length > 0 && rule.values.every((value) => isOfType(value, type)) ? undefined : wrong;
    case "contains":
    case "file_exists":
    case "directory_exists":
      return type === "string" || type === "list" ? undefined : wrong;
    case "matches":
      if (!/^[ims]*$/.test(rule.flags)) return `the flags ${rule.flags} are not understood; i, m and s are`;
      return type === "string" ? findPatternProblem(rule.pattern) : wrong;
  }
}
