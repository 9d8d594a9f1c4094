import type { EvidenceRule, EvidenceType } from "../../evidence/gate.ts";
import { isObject, type Json, type JsonObject } from "../../evidence/json.ts";
import { describeRule, fits } from "../../evidence/vocabulary.ts";
import { didYouMean } from "../near-miss.ts";
import { findPatternProblem } from "../rules/pattern-problem.ts";
import { type RulesRead, ruleOf, rulesFromName, validatorNames } from "./rule-names.ts";

/** What a validator stands beside: the field's type, the validators that the file defines, and parameters. */
export type ValidatorPlace = { readonly type: EvidenceType; readonly named?: JsonObject; readonly params?: JsonObject };

/** Understands a validator as data, whole or not at all: a name, a mapping, or a list of these. Nothing of it is ever run. */
export function parseValidator(written: unknown, place: ValidatorPlace): RulesRead {
  return fitted(readAny(written, place, 0), place.type);
}

/** All that several validators ask for; the first that cannot be used makes the whole unusable. */
export function allOf(reads: readonly RulesRead[]): RulesRead {
  const rules = new Map<string, EvidenceRule>();
  for (const read of reads) {
    if ("unusable" in read) return read;
    for (const rule of read.rules) rules.set(JSON.stringify(rule), rule);
  }
  const mayBeEmpty = reads.some((read) => "mayBeEmpty" in read);
  return { rules: [...rules.values()], ...(mayBeEmpty ? { mayBeEmpty } : {}) };
}

/** Rules that can be asked of a type; one that can never hold, or never be checked, makes them unusable. */
export function fitted(read: RulesRead, type: EvidenceType): RulesRead {
  if ("unusable" in read) return read;
  const problem = read.rules.map((rule) => misfit(rule, type)).find((one) => one !== undefined);
  return problem === undefined ? read : { unusable: problem };
}

function misfit(rule: EvidenceRule, type: EvidenceType): string | undefined {
  if (!fits(rule, type))
    return `"${describeRule(rule)}" cannot be asked of ${type === "integer" || type === "object" ? "an" : "a"} ${type}`;
  if (rule.kind !== "matches") return undefined;
  const odd = [...rule.flags].find((flag) => !"ims".includes(flag));
  return odd === undefined
    ? findPatternProblem(rule.pattern)
    : `the flags ${rule.flags} are not understood; i, m and s are`;
}

const deepest = 5;

function readAny(written: unknown, place: ValidatorPlace, depth: number): RulesRead {
  if (depth > deepest) return { unusable: "it leads in a circle" };
  if (typeof written === "string") return readText(written.trim(), place, depth);
  if (Array.isArray(written) && written.length === 0) return { unusable: "it is empty" };
  if (Array.isArray(written)) return allOf(written.map((one) => readAny(one, place, depth + 1)));
  return isObject(written) ? readMapping(written, place, depth) : { unusable: "it is neither a name nor a mapping" };
}

function readText(text: string, place: ValidatorPlace, depth: number): RulesRead {
  if (text === "") return { unusable: "it is empty" };
  const { named = {}, params, type } = place;
  // What the author defines wins over what we know by that name.
  const own = Object.hasOwn(named, text) ? named[text] : undefined;
  if (own !== undefined && own !== text) return readAny(own, place, depth + 1);
  if (params !== undefined) return withParams(text, params, type);
  const known = rulesFromName(text, type);
  if (known !== undefined) return known;
  const parts = text.split(/\s*[,;&]\s*|\s+and\s+/i);
  const all = parts.length > 1 ? parts.flatMap((part) => rulesFromName(part, type) ?? []) : [];
  if (all.length === parts.length) return allOf(all);
  return { unusable: `there is no validator ${text}${didYouMean(text, validatorNames())}` };
}

/** `validator: min_length` with `validator_params: {length: 5}`; a range has two of them, the smaller first. */
function withParams(name: string, params: JsonObject, type: EvidenceType): RulesRead {
  const values = Object.values(params);
  const [only = null] = values;
  const numbers = values.filter((value) => typeof value === "number").sort((a, b) => a - b);
  const given: Json = values.length === 1 ? only : numbers.length === values.length ? numbers : null;
  const read =
    rulesFromName(name, type) === undefined || values.length > 1 || only !== true
      ? ruleOf(name, given, type)
      : undefined;
  return read ?? { unusable: `the parameters of ${name} are not understood` };
}

/** A mapping says one thing per key: {min: 1, max: 5}, {pattern: …, flags: i}. */
function readMapping(mapping: JsonObject, place: ValidatorPlace, depth: number): RulesRead {
  const { description: _d, message: _m, error_message: _e, flags, type: kind, name = kind, params, ...asked } = mapping;
  if (typeof name === "string") {
    const beside = isObject(params) ? { ...params, ...asked } : asked;
    return readText(name, Object.keys(beside).length > 0 ? { ...place, params: beside } : place, depth + 1);
  }
  const keys = Object.keys(asked);
  if (name !== undefined || params !== undefined) return { unusable: "its name must be a text" };
  if (keys.length === 0) return { unusable: "the mapping asks for nothing" };
  const reads = keys.map(
    (key): RulesRead =>
      ruleOf(key, asked[key] ?? null, place.type) ?? { unusable: `the key "${key}" of a validator is not understood` },
  );
  return allOf(flags === undefined ? reads : reads.map((read) => withFlags(read, flags)));
}

function withFlags(read: RulesRead, flags: Json): RulesRead {
  if ("unusable" in read) return read;
  if (typeof flags !== "string") return { unusable: "flags must be a text" };
  return { ...read, rules: read.rules.map((rule) => (rule.kind === "matches" ? { ...rule, flags } : rule)) };
}
