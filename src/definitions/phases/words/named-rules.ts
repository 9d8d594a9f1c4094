import type { EvidenceRule, EvidenceType } from "../../../workflow/gate.ts";
import { parseValidator } from "../../gates/validator.ts";
import { existenceRules } from "./existence-words.ts";
import { onlyAllowsZero } from "./relations.ts";
import { readRules } from "./rule-words.ts";

/** What a validator that a document names comes to; or why it cannot be used. */
export type NamedRules =
  | { readonly rules: readonly EvidenceRule[]; readonly mayBeEmpty: boolean }
  | { readonly unclear: string };

/** Reads the validators of one field by the vocabulary of gate files. */
export function namedRules(written: string, type: EvidenceType, field: string): NamedRules {
  if (/^(?:percent|pct)/i.test(written) && type !== "number" && type !== "integer")
    return { unclear: `the validator "${written}" cannot be asked of a ${type}` };
  if (onlyAllowsZero(written)) return { rules: [], mayBeEmpty: type === "list" || type === "object" };
  const isThere = /^(?:(?:must|should|has to) )?exists?$/i.test(written) && (type === "string" || type === "list");
  if (isThere) return { rules: existenceRules(`path ${written}`, type, field), mayBeEmpty: false };
  const worded = isWords(written) ? readRules(written, type, field) : undefined;
  if (worded !== undefined && worded.unclear === undefined && worded.rules.length > 0)
    return { rules: worded.rules, mayBeEmpty: worded.mayBeEmpty };
  const read = parseValidator(written, { type });
  if ("rules" in read) return { rules: read.rules, mayBeEmpty: read.mayBeEmpty === true };
  // "min_length_1, max_length_5": several names in one place.
  const parts = written.split(/\s*(?:[,;&]|\band\b)\s*/i).map((part) => parseValidator(part, { type }));
  const understood = parts.filter((part) => "rules" in part);
  if (parts.length > 1 && understood.length === parts.length)
    return { rules: understood.flatMap(({ rules }) => rules), mayBeEmpty: understood.some((part) => part.mayBeEmpty) };
  return { unclear: `the validator "${written}" is not understood: ${read.unusable}` };
}

/** "exactly 64 characters" is a way to speak, not a name of the vocabulary. */
function isWords(written: string): boolean {
  if (/^(?:∈|(?:in|within|between) ?[[(])/i.test(written)) return true;
  return spoken.test(written) && /^\S+ .*\p{L}/u.test(written) && !/[_=<>[\]{}]/.test(written);
}

const spoken =
  /^(?:exactly|not|no|never|must|may|cannot|can't|should|up to|equal|greater|less|more|fewer|larger|smaller|higher|lower|at|min\.?|max\.?|minimum|maximum|between|from|\d[\d,.]*) /i;

/** The type that a validator is asked of, where nothing else says it. */
export function typeOfValidator(written: string): EvidenceType | undefined {
  if (/^is_(?:true|false)$/i.test(written)) return "boolean";
  if (/^percent_/i.test(written)) return "number";
  if (/^(?:greater|less|at_least|at_most|positive|non_?zero|between|range)/i.test(written)) return "integer";
  return /^(?:file|directory|non_?empty|min_length|max_length|equals|one_of|matches)/i.test(written)
    ? "string"
    : undefined;
}
