import type { Requirement } from "../../evidence/gate.ts";
import { isObject, type Json, type JsonObject } from "../../evidence/json.ts";
import { findClash } from "../../evidence/rule-clash.ts";
import { evidenceTypeOf } from "../../evidence/type-vocabulary.ts";
import { oneLine } from "../one-line.ts";
import type { Complain, Written } from "./complaints.ts";
import { allOf, type RulesRead, ruleOf } from "./rule-names.ts";
import { parseValidator, type ValidatorPlace } from "./validator.ts";

/** Understands the evidence that a gate asks for, field by field; complains of everything it does not understand. */
export function readEvidenceSchema(
  schema: unknown,
  named: JsonObject,
  { file, lineOf, complain }: Written,
): { readonly requirements: readonly Requirement[]; readonly examples: JsonObject } {
  const fields = isObject(schema) ? Object.entries(schema) : [];
  if (fields.length === 0) complain("value", ["evidence_schema"], noFields);
  const requirements: Requirement[] = [];
  const examples: [string, Json][] = [];
  for (const [field, written] of fields) {
    const path = ["evidence_schema", field];
    if (!isObject(written)) {
      complain("value", path, `the field ${field} must be a mapping with a type`);
      continue;
    }
    const { example, ...asked } = written;
    const read = requirementOf(field, asked, named, (kind, key, message) => complain(kind, [...path, ...key], message));
    if (example !== undefined) examples.push([field, example]);
    if (read !== undefined) requirements.push({ ...read, source: { file, line: lineOf(path) } });
  }
  return { requirements, examples: Object.fromEntries(examples) };
}

const noFields = "evidence_schema must be a mapping with at least one field: its name, a colon, and below it its type";

function requirementOf(
  field: string,
  written: JsonObject,
  named: JsonObject,
  complain: Complain,
): Requirement | undefined {
  // A default asks for nothing: what is required must be handed in all the same.
  const { type: word, required: said = true, description = "", default: _, ...asked } = written;
  const required = requiredBy(said);
  const type = evidenceTypeOf(word);
  if (required === undefined) complain("value", ["required"], `required of ${field} must be true or false`);
  if (typeof description === "object") complain("value", ["description"], `description of ${field} must be a text`);
  // Without a type nothing can be said of its rules.
  if (type === undefined) {
    const message = word === undefined ? "has no type" : `has the unknown type ${JSON.stringify(word)}`;
    complain("value", ["type"], `the field ${field} ${message}`);
    return undefined;
  }
  const read = rulesOf(field, asked, { type, named }, complain);
  if (required === undefined || "unusable" in read) return undefined;
  const { rules, mayBeEmpty } = read;
  const clash = findClash({ field, type, rules });
  if (clash !== undefined) complain("value", [], clash);
  const requirement = { field, type, required, description: oneLine(String(description)) || type, rules };
  // Of a text it goes without saying that it is not empty; of a list since a later day.
  return mayBeEmpty || type === "list" ? { ...requirement, mayBeEmpty: mayBeEmpty === true } : requirement;
}

/** Whether a field is required, also in the words that YAML once took for true and false; undefined where it is neither. */
function requiredBy(written: Json): boolean | undefined {
  const word = String(written).trim().toLowerCase();
  if (["yes", "y", "on", "true", "required"].includes(word)) return true;
  return ["no", "n", "off", "false", "optional"].includes(word) ? false : undefined;
}

/** The rules of a field: its validator, and every key that says one by itself ({min: 1}). */
function rulesOf(
  field: string,
  { validator = null, ...others }: JsonObject,
  place: ValidatorPlace,
  complain: Complain,
): RulesRead {
  const reads = [
    ...(validator === null ? [] : [["validator", parseValidator(validator, place)] as const]),
    ...Object.entries(others).map(([key, given]) => [key, ruleOf(key, given, place.type)] as const),
  ];
  for (const [key, read] of reads)
    if (read === undefined) complain("key", [key], `the key "${key}" of ${field} is not understood`);
    else if ("unusable" in read)
      complain("validator", [key], `the validator of ${field} is not understood: ${read.unusable}`);
  return allOf(reads.flatMap(([, read]) => (read === undefined || "unusable" in read ? [] : [read])));
}
