import type { EvidenceType } from "../../workflow/gate.ts";
import { isObject, type Json, type JsonObject } from "../../workflow/json.ts";
import { didYouMean } from "../near-miss.ts";
import { rulesFromExpression } from "./expression-rules.ts";
import { asName, rulesFromName } from "./validator-names.ts";
import { operationNamed, validatorNames } from "./validator-operations.ts";
import { allOf, fitted, type ValidatorRead } from "./validator-read.ts";

/** What a validator stands beside: the field's type, its name, the validators that the file defines, and parameters. */
export type ValidatorPlace = {
  readonly type: EvidenceType;
  readonly field?: string;
  readonly named?: JsonObject;
  readonly params?: JsonObject;
};

/** Understands a validator as data, whole or not at all: a name, a mapping, an expression that can be translated, or a list of these. */
export function parseValidator(written: unknown, place: ValidatorPlace): ValidatorRead {
  return fitted(readAny(written, place, 0), place.type);
}

const deepest = 5;

function readAny(written: unknown, place: ValidatorPlace, depth: number): ValidatorRead {
  if (depth > deepest) return { unusable: "it leads in a circle" };
  if (typeof written === "string") return readText(written.trim(), place, depth);
  if (Array.isArray(written) && written.length === 0) return { unusable: "it is empty" };
  if (Array.isArray(written)) return allOf(written.map((one) => readAny(one, place, depth + 1)));
  return isObject(written) ? readMapping(written, place, depth) : { unusable: "it is neither a name nor a mapping" };
}

function readText(text: string, place: ValidatorPlace, depth: number): ValidatorRead {
  if (text === "") return { unusable: "it is empty" };
  const { named = {}, params, type } = place;
  // What the author defines wins over what we know by that name.
  if (Object.hasOwn(named, text)) return readNamed(named[text] ?? null, place, depth);
  const known = params === undefined ? rulesFromName(text, type) : withParams(text, params, type);
  if (known !== undefined) return known;
  const parts = text.split(/\s*(?:[,;&]|\band\b)\s*/i);
  const all = parts.length > 1 ? parts.map((part) => rulesFromName(part, type)) : [];
  const understood = all.filter((read) => read !== undefined);
  if (understood.length > 0 && understood.length === all.length) return allOf(understood);
  if (/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(text))
    return { unusable: `there is no validator ${text}${didYouMean(text, validatorNames())}` };
  const read = rulesFromExpression(text, place);
  return "unusable" in read ? { unusable: `${JSON.stringify(text)} cannot be read as a rule: ${read.unusable}` } : read;
}

/** A definition under validators: the same as anywhere, and in a text of its own most often an expression. */
function readNamed(definition: Json, place: ValidatorPlace, depth: number): ValidatorRead {
  const { named = {}, ...rest } = place;
  const isItself = (name: Json): boolean =>
    typeof name === "string" && Object.hasOwn(named, name) && named[name] === name;
  return readAny(definition, isItself(definition) ? rest : place, depth + 1);
}

function withParams(name: string, params: JsonObject, type: EvidenceType): ValidatorRead | undefined {
  const operation = operationNamed(asName(name));
  if (operation === undefined) {
    const isComplete = rulesFromName(name, type) !== undefined;
    return isComplete ? { unusable: `${name} has no use for parameters` } : undefined;
  }
  const entries = Object.entries(params);
  const [only] = entries;
  if (operation.takes === "numbers") {
    const [from, to] = [/min|from|low|start/i, /max|to|high|end/i].map(
      (key) => entries.find(([name]) => key.test(name))?.[1],
    );
    return from === undefined || to === undefined || entries.length !== 2
      ? { unusable: `the parameters of ${name} are not understood` }
      : operation.make([from, to], type);
  }
  if (only === undefined || entries.length !== 1) return { unusable: `the parameters of ${name} are not understood` };
  return operation.make(Array.isArray(only[1]) ? only[1] : [only[1]], type);
}

/** A mapping says one thing per key: {min: 1, max: 5}, {pattern: …, flags: i}, {type: range, min: 1, max: 5}. */
function readMapping(mapping: JsonObject, place: ValidatorPlace, depth: number): ValidatorRead {
  const { description, message, error_message, flags, type: kind, name = kind, params, ...asked } = mapping;
  if (name !== undefined) {
    const beside = isObject(params) ? { ...params, ...asked } : asked;
    if (typeof name !== "string") return { unusable: "its name must be a text" };
    const hasMore = Object.keys(beside).length > 0;
    return readText(name, hasMore ? { ...place, params: beside } : place, depth + 1);
  }
  const keys = Object.keys(asked);
  if (params !== undefined) return { unusable: "its parameters belong to no name" };
  if (keys.length === 0) return { unusable: "the mapping asks for nothing" };
  const reads = keys.map((key) => readKey(key, asked[key] ?? null, place, depth));
  return allOf(flags === undefined ? reads : reads.map((read) => withFlags(read, flags)));
}

/** Understands one key of a mapping: {min: 3}. */
export function readKey(key: string, value: Json, place: ValidatorPlace, depth = 0): ValidatorRead {
  if (["expression", "rule", "lambda", "condition", "check", "validator"].includes(key))
    return readAny(value, place, depth + 1);
  const operation = operationNamed(asName(key));
  if (operation === undefined) return { unusable: `the key "${key}" of a validator is not understood` };
  if (operation.takes === "nothing") {
    return value === true ? operation.make([], place.type) : { unusable: `${key} must be true, or be left out` };
  }
  const args =
    Array.isArray(value) && (operation.takes === "numbers" || operation.takes === "values") ? value : [value];
  const range = operation.takes === "numbers" && isObject(value) ? withParams(key, value, place.type) : undefined;
  return range ?? operation.make(args, place.type);
}

function withFlags(read: ValidatorRead, flags: Json): ValidatorRead {
  if ("unusable" in read) return read;
  if (typeof flags !== "string") return { unusable: "flags must be a text" };
  return { ...read, rules: read.rules.map((rule) => (rule.kind === "matches" ? { ...rule, flags } : rule)) };
}
