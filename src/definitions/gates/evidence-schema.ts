import { evidenceTypes, type Requirement } from "../../gates/gate.ts";
import { findClash } from "../../gates/rule-clash.ts";
import { evidenceTypeOf } from "../../gates/type-vocabulary.ts";
import { isObject, type Json, type JsonObject } from "../../kit/json.ts";
import { oneLine } from "../files/single-spaced.ts";
import type { GateSource, ReportGateError } from "./gate-errors.ts";
import { combineRules, type RulesRead, rulesForKey } from "./rule-names.ts";
import { parseValidator, type ValidatorContext } from "./validator.ts";

/** Parses the evidence fields of a gate and reports everything it does not understand. */
export function readEvidenceSchema(
  schema: unknown,
  named: JsonObject,
  { file, lineOf, complain }: GateSource,
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

const noFields = "evidence_schema must be a mapping with at least one field, each with a type";

function requirementOf(
  field: string,
  written: JsonObject,
  named: JsonObject,
  complain: ReportGateError,
): Requirement | undefined {
  // A default changes nothing: a required field must still be submitted.
  const { type: word, required: said = true, description = "", default: _, checked = true, ...asked } = written;
  const required = requiredBy(said);
  const type = evidenceTypeOf(word);
  if (required === undefined) complain("value", ["required"], `required of ${field} must be true or false`);
  if (typeof description === "object") complain("value", ["description"], `description of ${field} must be a string`);
  if (typeof checked !== "boolean") complain("value", ["checked"], `checked of ${field} must be true or false`);
  // The rules of a field depend on its type.
  if (type === undefined) {
    const message =
      word === undefined
        ? "has no type"
        : `has the unknown type ${JSON.stringify(word)}; use ${evidenceTypes.join(", ")}`;
    complain("value", ["type"], `the field ${field} ${message}`);
    return undefined;
  }
  const read = rulesOf(field, asked, { type, named }, complain);
  if (required === undefined || "unusable" in read) return undefined;
  const { rules, mayBeEmpty } = read;
  const clash = findClash({ field, type, rules });
  if (clash !== undefined) complain("value", [], clash);
  const isAsked = checked === false ? ({ checked } as const) : {};
  const described = oneLine(String(description)) || type;
  const requirement = { field, type, required, description: described, rules: withFile(type, rules), ...isAsked };
  // Strings are never empty by default; for lists this default came later, so it is recorded.
  return mayBeEmpty || type === "list" ? { ...requirement, mayBeEmpty: mayBeEmpty === true } : requirement;
}

/** A file must exist, even if no validator says so. */
function withFile(type: Requirement["type"], rules: Requirement["rules"]): Requirement["rules"] {
  return type !== "file" || rules.some(({ kind }) => kind === "file_exists")
    ? rules
    : [...rules, { kind: "file_exists" }];
}

/** Parses `required`, including YAML 1.1 words such as yes and off; undefined if it is neither. */
function requiredBy(written: Json): boolean | undefined {
  const word = String(written).trim().toLowerCase();
  if (["yes", "y", "on", "true", "required"].includes(word)) return true;
  return ["no", "n", "off", "false", "optional"].includes(word) ? false : undefined;
}

const knownKeys = "use type, required, description, default, checked, validator, or a rule such as min, max or one_of";

/** The rules of a field: its validator, and each key that is a rule itself ({min: 1}). */
function rulesOf(
  field: string,
  { validator = null, ...others }: JsonObject,
  place: ValidatorContext,
  complain: ReportGateError,
): RulesRead {
  const reads = [
    ...(validator === null ? [] : [["validator", parseValidator(validator, place)] as const]),
    ...Object.entries(others).map(([key, given]) => [key, rulesForKey(key, given, place.type)] as const),
  ];
  for (const [key, read] of reads)
    if (read === undefined) complain("key", [key], `the key "${key}" of ${field} is unknown; ${knownKeys}`);
    else if ("unusable" in read)
      complain("validator", [key], `the validator of ${field} is not understood: ${read.unusable}`);
  return combineRules(reads.flatMap(([, read]) => (read === undefined || "unusable" in read ? [] : [read])));
}
