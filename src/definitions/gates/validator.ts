import type { EvidenceType } from "../../evidence/gate.ts";
import { isObject, type JsonObject } from "../../evidence/json.ts";
import { didYouMean } from "../near-miss.ts";
import { allOf, type RulesRead, ruleOf, rulesFromName, validatorNames } from "./rule-names.ts";

/** What a validator stands beside: the field's type, and the validators that the file defines. */
export type ValidatorPlace = { readonly type: EvidenceType; readonly named?: JsonObject };

/** Understands a validator as data, whole or not at all: a name, a mapping, or a list of these. Nothing of it is ever run. */
export function parseValidator(written: unknown, place: ValidatorPlace, depth = 0): RulesRead {
  if (depth > deepest) return { unusable: "it leads in a circle" };
  if (typeof written === "string") return readText(written.trim(), place, depth);
  if (Array.isArray(written) && written.length > 0)
    return allOf(written.map((one) => parseValidator(one, place, depth + 1)));
  return isObject(written) ? readMapping(written, place) : { unusable: "it is neither a name nor a mapping" };
}

const deepest = 5;

function readText(text: string, place: ValidatorPlace, depth: number): RulesRead {
  const { named = {}, type } = place;
  // What the author defines wins over what we know by that name.
  const own = Object.hasOwn(named, text) ? named[text] : undefined;
  if (own !== undefined && own !== text) return parseValidator(own, place, depth + 1);
  const known = rulesFromName(text, type);
  if (known !== undefined) return known;
  const parts = text.split(/\s*[,;&]\s*|\s+and\s+/i);
  const all = parts.length > 1 ? parts.flatMap((part) => rulesFromName(part, type) ?? []) : [];
  if (all.length === parts.length) return allOf(all);
  return { unusable: `there is no validator ${text}${didYouMean(text, validatorNames)}` };
}

/** A mapping says one thing per key: {min: 1, max: 5}, {pattern: …, flags: i}. */
function readMapping(mapping: JsonObject, { type }: ValidatorPlace): RulesRead {
  const { description: _d, message: _m, error_message: _e, flags = "", ...asked } = mapping;
  if (Object.keys(asked).length === 0) return { unusable: "the mapping asks for nothing" };
  if (typeof flags !== "string" || [...flags].some((flag) => !"ims".includes(flag)))
    return { unusable: `the flags ${JSON.stringify(flags)} are not understood; i, m and s are` };
  const read = allOf(
    Object.entries(asked).map(
      ([key, given]) => ruleOf(key, given, type) ?? { unusable: `the key "${key}" of a validator is not understood` },
    ),
  );
  if (flags === "" || "unusable" in read) return read;
  return { ...read, rules: read.rules.map((rule) => (rule.kind === "matches" ? { ...rule, flags } : rule)) };
}
