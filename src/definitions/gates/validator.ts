import type { EvidenceType } from "../../gates/gate.ts";
import { isObject, type JsonObject } from "../../kit/json.ts";
import { combineRules, knownValidators, type RulesRead, rulesForKey, rulesFromName } from "./rule-names.ts";

/** The context of a validator: the field's type, and the validators defined in the file. */
export type ValidatorContext = { readonly type: EvidenceType; readonly named?: JsonObject };

/** Parses a validator as data, whole or not at all: a name, a mapping, or a list of these. Never runs any of it. */
export function parseValidator(written: unknown, place: ValidatorContext, depth = 0): RulesRead {
  if (depth > deepest) return { unusable: "it refers to itself" };
  if (typeof written === "string") return readText(written.trim(), place, depth);
  if (Array.isArray(written) && written.length > 0)
    return combineRules(written.map((one) => parseValidator(one, place, depth + 1)));
  return isObject(written) ? readMapping(written, place) : { unusable: "it must be a name or a mapping" };
}

const deepest = 5;

function readText(text: string, place: ValidatorContext, depth: number): RulesRead {
  const { named = {}, type } = place;
  // The author's own definition wins over the built-in of that name.
  const own = Object.hasOwn(named, text) ? named[text] : undefined;
  if (own !== undefined && own !== text) return parseValidator(own, place, depth + 1);
  const known = rulesFromName(text, type);
  if (known !== undefined) return known;
  const parts = text.split(/\s*[,;&]\s*|\s+and\s+/i);
  const all = parts.length > 1 ? parts.flatMap((part) => rulesFromName(part, type) ?? []) : [];
  if (all.length === parts.length) return combineRules(all);
  return { unusable: `the validator ${text} is unknown${knownValidators(text)}` };
}

/** Parses a mapping with one rule for each key: {min: 1, max: 5}, {pattern: …, flags: i}. */
function readMapping(mapping: JsonObject, { type }: ValidatorContext): RulesRead {
  const { description: _d, message: _m, error_message: _e, flags = "", ...asked } = mapping;
  if (Object.keys(asked).length === 0) return { unusable: "the mapping is empty" };
  if (typeof flags !== "string" || [...flags].some((flag) => !"ims".includes(flag)))
    return { unusable: `the flags ${JSON.stringify(flags)} are invalid; use i, m and s` };
  const read = combineRules(
    Object.entries(asked).map(
      ([key, given]) =>
        rulesForKey(key, given, type) ?? {
          unusable: `the key "${key}" of a validator is unknown${knownValidators(key)}`,
        },
    ),
  );
  if (flags === "" || "unusable" in read) return read;
  return { ...read, rules: read.rules.map((rule) => (rule.kind === "matches" ? { ...rule, flags } : rule)) };
}
