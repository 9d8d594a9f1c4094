import type { EvidenceType, Requirement } from "../../evidence/gate.ts";
import { isObject, type Json, type JsonObject } from "../../evidence/json.ts";
import { evidenceTypeOf } from "../../evidence/type-vocabulary.ts";
import { oneLine } from "../one-line.ts";
import type { Complain } from "./complaints.ts";
import { type RulesRead, ruleOf } from "./rule-names.ts";
import { allOf, fitted, parseValidator, type ValidatorPlace } from "./validator.ts";

/** What the evidence_schema of a gate comes to. */
export type SchemaRead = {
  readonly requirements: readonly Requirement[];
  readonly examples: JsonObject;
};

/** The place of a key in the file. */
export type LineOf = (path: readonly string[]) => number;

/** Understands the evidence that a gate asks for, field by field; complains of everything it does not understand. */
export function readEvidenceSchema(
  schema: unknown,
  named: JsonObject,
  file: string,
  lineOf: LineOf,
  complain: Complain,
): SchemaRead {
  const fields = isObject(schema) ? Object.entries(schema) : [];
  if (fields.length === 0) complain("value", ["evidence_schema"], whyWithoutFields(schema));
  const requirements: Requirement[] = [];
  const examples: [string, Json][] = [];
  for (const [field, written] of fields) {
    const path = ["evidence_schema", field];
    if (!isObject(written)) {
      complain("value", path, `the field ${field} must be a mapping with a type`);
      continue;
    }
    const { example = firstOf(written.examples), examples: _, ...asked } = written;
    const source = { file, line: lineOf(path) };
    const read = requirementOf(field, asked, named, complain);
    if (example !== undefined) examples.push([field, example]);
    if (read !== undefined) requirements.push({ ...read, source });
  }
  return { requirements, examples: Object.fromEntries(examples) };
}

function whyWithoutFields(schema: unknown): string {
  if (!Array.isArray(schema) || schema.length === 0) return "evidence_schema must name at least one field";
  return "evidence_schema is a list, and must be a mapping: the name of each field, a colon, and below it its type";
}

/** Whether a field is required, also in the words that YAML once took for true and false; undefined where it is neither. */
function requiredBy(written: Json): boolean | undefined {
  if (typeof written === "boolean") return written;
  if (typeof written !== "string") return undefined;
  const word = written.trim().toLowerCase();
  if (["yes", "y", "on", "true", "required"].includes(word)) return true;
  return ["no", "n", "off", "false", "optional"].includes(word) ? false : undefined;
}

function requirementOf(
  field: string,
  written: JsonObject,
  named: JsonObject,
  complain: Complain,
): Requirement | undefined {
  const path = ["evidence_schema", field];
  // A default asks for nothing: what is required must be handed in all the same.
  const { type: word, required: said = true, description, default: _, ...asked } = written;
  const required = requiredBy(said);
  const type = evidenceTypeOf(word);
  if (type === undefined) {
    const message = word === undefined ? "has no type" : `has the unknown type ${JSON.stringify(word)}`;
    complain("value", [...path, "type"], `the field ${field} ${message}`);
  }
  if (required === undefined) complain("value", [...path, "required"], `required of ${field} must be true or false`);
  if (isObject(description) || Array.isArray(description))
    complain("value", [...path, "description"], `description of ${field} must be a text`);
  const read = rulesOf(field, asked, { type: type ?? "string", named }, (kind, key, message) => {
    // Without a type nothing can be said of its rules.
    if (type !== undefined || kind === "key") complain(kind, [...path, ...key], message);
  });
  if (type === undefined || required === undefined || read === undefined || "unusable" in read) return undefined;
  const { rules, mayBeEmpty } = read;
  const requirement = { field, type, required, description: describe(description, type), rules };
  // Of a text it goes without saying that it is not empty; of a list since a later day.
  return mayBeEmpty || type === "list" ? { ...requirement, mayBeEmpty: mayBeEmpty === true } : requirement;
}

/** The rules of a field: its validator, and every key that says one by itself ({min: 1}). */
function rulesOf(field: string, asked: JsonObject, place: ValidatorPlace, complain: Complain): RulesRead | undefined {
  const { validator, validators, validator_params: params, ...others } = asked;
  const reads: RulesRead[] = [];
  const note = (key: string, read: RulesRead): void => {
    if ("unusable" in read)
      complain("validator", [key], `the validator of ${field} is not understood: ${read.unusable}`);
    else reads.push(read);
  };
  if (params !== undefined && !isObject(params))
    complain("value", ["validator_params"], `validator_params of ${field} must be a mapping`);
  const inPlace = isObject(params) && Object.keys(params).length > 0 ? { ...place, params } : place;
  if (validator !== undefined && validator !== null) note("validator", parseValidator(validator, inPlace));
  if (validators !== undefined && validators !== null) note("validators", parseValidator(validators, inPlace));
  if (inPlace !== place && validator === undefined && validators === undefined)
    complain("value", ["validator_params"], `validator_params of ${field} has no validator`);
  for (const key of Object.keys(others)) {
    if (key === "flags" && "pattern" in others) continue;
    const read =
      key === "pattern" ? parseValidator(patternOf(others), place) : ruleOf(key, others[key] ?? null, place.type);
    if (read === undefined) complain("key", [key], `the key "${key}" of ${field} is not understood`);
    else note(key, fitted(read, place.type));
  }
  return allOf(reads);
}

function patternOf({ pattern = null, flags }: JsonObject): JsonObject {
  return flags === undefined ? { pattern } : { pattern, flags };
}

function firstOf(examples: Json | undefined): Json | undefined {
  return Array.isArray(examples) ? examples[0] : undefined;
}

function describe(description: Json | undefined, type: EvidenceType): string {
  const words = isObject(description) || Array.isArray(description) ? "" : String(description ?? "");
  return oneLine(words) || type;
}
