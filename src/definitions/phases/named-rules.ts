import type { EvidenceRule, EvidenceType } from "../../workflow/gate.ts";
import { parseValidator } from "../gates/validator.ts";

/** What a validator that a document names comes to; or why it cannot be used. */
export type NamedRules =
  | { readonly rules: readonly EvidenceRule[]; readonly mayBeEmpty: boolean }
  | { readonly unclear: string };

/** Reads the validators of one field by the vocabulary of gate files. */
export function namedRules(written: string, type: EvidenceType, field: string): NamedRules {
  if (/^(?:percent|pct)/i.test(written) && type !== "number" && type !== "integer")
    return { unclear: `the validator "${written}" cannot be asked of a ${type}` };
  const read = parseValidator(written, { type, field });
  if ("rules" in read) return { rules: read.rules, mayBeEmpty: read.mayBeEmpty === true };
  // "min_length_1, max_length_5": several names in one place.
  const parts = written.split(/\s*(?:[,;&]|\band\b)\s*/i).map((part) => parseValidator(part, { type, field }));
  const understood = parts.filter((part) => "rules" in part);
  if (parts.length > 1 && understood.length === parts.length)
    return { rules: understood.flatMap(({ rules }) => rules), mayBeEmpty: understood.some((part) => part.mayBeEmpty) };
  return { unclear: `the validator "${written}" is not understood: ${read.unusable}` };
}

/** The type that a validator is asked of, where nothing else says it. */
export function typeOfValidator(written: string): EvidenceType | undefined {
  if (/^is_(?:true|false)$/i.test(written)) return "boolean";
  if (/^percent_/i.test(written)) return "number";
  if (/^(?:greater|less|at_least|at_most|positive|non_?zero|between|range)/i.test(written)) return "integer";
  return /^(?:file|directory|non_?empty|min_length|max_length|equals|one_of|matches)/i.test(written)
    ? "string"
    : undefined;
}
