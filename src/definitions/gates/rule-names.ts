import type { EvidenceRule, EvidenceType } from "../../evidence/gate.ts";
import { type Idiom, idioms } from "../../evidence/idioms.ts";
import { isObject, type Json } from "../../evidence/json.ts";
import { evidenceTypes, typeVocabulary } from "../../evidence/type-vocabulary.ts";
import { vocabulary } from "../../evidence/vocabulary.ts";

/** What a validator comes to as data; or why the gate must stay closed. */
export type RulesRead =
  | { readonly rules: readonly EvidenceRule[]; readonly mayBeEmpty?: true }
  | { readonly unusable: string };

/** Every name of the vocabulary, for whoever looks for the one that was meant. */
export function validatorNames(): readonly string[] {
  return [...byName.keys()];
}

/** The rules of a name and what stands beside it ({min: 3}); undefined where there is no such name. */
export function ruleOf(name: string, given: Json, type: EvidenceType): RulesRead | undefined {
  const form = byName.get(asName(name));
  if (form === undefined) return undefined;
  if (form.takes === "nothing")
    return given === true ? made(form, [], type) : { unusable: `${name} must be true, or be left out` };
  if (form.takes === "numbers" && isObject(given)) return made(form, Object.values(given), type);
  const isSeveral = form.takes === "numbers" || form.takes === "values";
  return made(form, isSeveral && Array.isArray(given) ? given : [given], type);
}

/** Understands a name with what it holds (`greater_than_0`, `min_length(2)`, `equals: high`); undefined where it is none. */
export function rulesFromName(written: string, type: EvidenceType): RulesRead | undefined {
  const text = written.trim();
  const plain = byName.get(asName(text));
  if (plain?.takes === "nothing") return made(plain, [], type);
  const [, called = "", inBrackets, afterColon = ""] = /^([\p{L}_ -]+?)\s*(?:\((.*)\)|[:=]\s*(.+))$/su.exec(text) ?? [];
  const form = byName.get(asName(called));
  if (called !== "")
    return form === undefined ? undefined : withGiven(form, givenTo(form, inBrackets ?? afterColon), text, type);
  const flat = asName(text);
  const name = longestFirst.find((one) => flat.startsWith(`${one}_`));
  const named = name === undefined ? undefined : byName.get(name);
  if (name === undefined || named === undefined) return undefined;
  const rest = text.slice(text.length - (flat.length - name.length - 1));
  const [, counted = "", unit = ""] = /^(.+?)[_ ](items?|entries|elements|characters|chars|keys)$/i.exec(rest) ?? [];
  if (unit !== "" && named.takes === "number") return rulesFromName(`length_${name}_${counted}`, type);
  // matches_a_url names no pattern.
  if (named.takes === "pattern" && !/[\^$[\]()*+?\\.|{}]/.test(rest)) return undefined;
  return withGiven(named, named.takes === "values" ? parted(rest) : givenTo(named, rest), text, type);
}

/** A name in the one spelling of the vocabulary: small letters, parted by _. */
function asName(written: string): string {
  return written
    .trim()
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1_$2")
    .toLowerCase()
    .replaceAll(/\s+|-(?=\p{L})|(?<=\p{L})-(?=\d)/gu, "_");
}

function withGiven(form: Form, given: readonly string[], written: string, type: EvidenceType): RulesRead {
  const unclear = { unusable: `what ${written} asks for is not clear` };
  if (form.takes === "nothing") return given.join("") === "" ? made(form, [], type) : unclear;
  if (given.includes("") || given.length === 0 || (form.takes === "number" && given.length > 1)) return unclear;
  if (form.takes !== "number" && form.takes !== "numbers") return made(form, given, type);
  const numbers = given.map(numberIn);
  return numbers.every((one) => one !== undefined) ? made(form, numbers, type) : unclear;
}

function made(form: Form, given: readonly Json[], type: EvidenceType): RulesRead {
  const rules = form.make(given, type);
  if ("unusable" in rules) return rules;
  const some = rules.filter((rule) => rule.kind !== "length_at_least" || rule.limit > 0);
  return form.mayBeEmpty || some.length < rules.length ? { rules: some, mayBeEmpty: true } : { rules: some };
}

function givenTo({ takes }: Form, text: string): string[] {
  if (takes === "text" || takes === "pattern" || takes === "value") return [unquoted(text)];
  return takes === "numbers" ? parted(text) : listed(text);
}

/** What stands in brackets or after a colon: a, b or [a, b], in quotes or not. */
function listed(text: string): string[] {
  const bare = /^\[(.*)\]$/s.exec(text.trim())?.[1] ?? text;
  return bare.split(/\s*[,|]\s*/).map(unquoted);
}

/** What follows in one name: 1_and_5, 1_to_5, a_or_b, a_b. */
function parted(text: string): string[] {
  if (/["'[(]/.test(text)) return listed(text);
  const joined = text.split(/_(?:and|to|or)_| (?:and|to|or) /i);
  return (joined.length > 1 ? joined : text.split(/[_ ,-]+/)).map(unquoted);
}

function unquoted(text: string): string {
  const bare = text.trim();
  return /^(["'`/])(.*)\1$/s.exec(bare)?.[2] ?? bare;
}

/** A number as it stands in a name, where _ is the decimal point: 80, 2_0, 0.5, five, 80_percent. 1_000 is no number: who knows? */
function numberIn(text: string): number | undefined {
  const plain = text.toLowerCase().replace(/[_ ]?(?:percent|pct|%)$/, "");
  const word = numberWords.indexOf(plain);
  if (word >= 0) return word;
  const [, whole = "", part = ""] = /^(-?\d+)(?:[._](\d+))?$/.exec(plain) ?? [];
  const isThousand = plain.includes("_") && part.length === 3 && whole !== "0";
  return whole === "" || isThousand ? undefined : Number(part === "" ? whole : `${whole}.${part}`);
}

const numberWords = "zero one two three four five six seven eight nine ten".split(" ");

type Form = Pick<Idiom, "takes" | "make" | "mayBeEmpty">;

const byName: ReadonlyMap<string, Form> = new Map<string, Form>([
  ...Object.values(vocabulary).flatMap((entry) => entry.names.map((name) => [name, entry] as const)),
  ...idioms.flatMap((idiom) => idiom.names.map((name) => [name, idiom] as const)),
  ...evidenceTypes.flatMap((type) => typeVocabulary[type].names.map((name) => [`is_${name}`, isOf(type)] as const)),
]);

const longestFirst: readonly string[] = [...byName]
  .filter(([, { takes }]) => takes !== "nothing")
  .map(([name]) => name)
  .sort((a, b) => b.length - a.length);

/** `is_integer` says again what the type says; of a yes it says that a no will do. */
function isOf(asked: EvidenceType): Form {
  return {
    takes: "nothing",
    make(_, type) {
      if (asked === "boolean" && type === "boolean") return [{ kind: "one_of", values: [true, false] }];
      const isSame = asked === type || (asked === "number" && type === "integer");
      return isSame ? [] : { unusable: `it asks for another type than ${type}` };
    },
  };
}
