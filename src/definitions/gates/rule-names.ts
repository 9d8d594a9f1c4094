import type { EvidenceRule, EvidenceType } from "../../evidence/gate.ts";
import { type Idiom, idioms } from "../../evidence/idioms.ts";
import { isObject, type Json } from "../../evidence/json.ts";
import { describeRule, fits, vocabulary } from "../../evidence/vocabulary.ts";
import { findPatternProblem } from "../rules/pattern-problem.ts";

/** What a validator comes to as data; or why the gate must stay closed. */
export type RulesRead =
  | { readonly rules: readonly EvidenceRule[]; readonly mayBeEmpty?: true }
  | { readonly unusable: string };

/** What is known of a rule by its name or its words: an entry of the vocabulary, or an idiom of it. */
export type Form = Pick<Idiom, "takes" | "make" | "mayBeEmpty">;

/** The rules of a form and what is given to it; one that can never hold, or never be checked, cannot be used. */
export function makeRules(form: Form, given: readonly Json[], type: EvidenceType): RulesRead {
  const made = form.make(given, type);
  if ("unusable" in made) return made;
  const misfit = made.find((rule) => !fits(rule, type));
  if (misfit !== undefined) return { unusable: `"${describeRule(misfit)}" cannot be asked of the type ${type}` };
  const [pattern] = made.flatMap((rule) => (rule.kind === "matches" ? (findPatternProblem(rule.pattern) ?? []) : []));
  if (pattern !== undefined) return { unusable: pattern };
  const rules = made.filter((rule) => rule.kind !== "length_at_least" || rule.limit > 0);
  return form.mayBeEmpty || rules.length < made.length ? { rules, mayBeEmpty: true } : { rules };
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

/** The rules of a name and what stands beside it ({min: 3}); undefined where there is no such name. */
export function ruleOf(name: string, given: Json, type: EvidenceType): RulesRead | undefined {
  const form = byName.get(asName(name));
  if (form === undefined) return undefined;
  if (form.takes === "nothing")
    return given === true ? makeRules(form, [], type) : { unusable: `${name} must be true, or be left out` };
  if (form.takes === "numbers" && isObject(given)) return makeRules(form, Object.values(given), type);
  const isSeveral = form.takes === "numbers" || form.takes === "values";
  return makeRules(form, isSeveral && Array.isArray(given) ? given : [given], type);
}

/** Understands a name with what it holds (`greater_than_0`, `min_length(2)`, `equals: high`); undefined where it is none. */
export function rulesFromName(written: string, type: EvidenceType): RulesRead | undefined {
  const read = formFromName(written);
  return read === undefined || "unusable" in read ? read : makeRules(read.form, read.given, type);
}

/** The form that a name stands for, and what it is given there. */
export function formFromName(
  written: string,
): { readonly form: Form; readonly given: readonly Json[] } | { readonly unusable: string } | undefined {
  const text = written.trim();
  const plain = byName.get(asName(text));
  if (plain?.takes === "nothing") return { form: plain, given: [] };
  const cuts = [...text.matchAll(/[\s_(:=]|(?<=\p{L})-/gu)].map(({ index }) => index).reverse();
  const cut = cuts.find((at) => (byName.get(asName(text.slice(0, at)))?.takes ?? "nothing") !== "nothing");
  const form = cut === undefined ? undefined : byName.get(asName(text.slice(0, cut)));
  if (cut === undefined || form === undefined) return undefined;
  const [, bracketed, rest = ""] =
    /^\s*(?:\((.*)\)|[:=]?\s*(.*))$/s.exec(text.slice(cut).replace(text[cut] === "-" ? "-" : /^[\s_]/, "")) ?? [];
  const isFlat = bracketed === undefined && !/^\s*[:=]/.test(text.slice(cut));
  // matches_a_url names no pattern.
  if (form.takes === "pattern" && isFlat && !/[\^$[\]()*+?\\.|{}]/.test(rest)) return undefined;
  // Of contains(x) and contains(y) each is a validator; what "equals low or high" wants nobody knows.
  if (!isBalanced(bracketed ?? "")) return undefined;
  if ((form.takes === "value" || form.takes === "text") && /^[^"'`/]*\s(?:and|or)\s/i.test(bracketed ?? rest))
    return { unusable: `what ${text} asks for is not clear` };
  const given = givenTo(form, bracketed ?? rest, isFlat);
  if (form.takes === "values" && isFlat) {
    // in_progress names no choice; and whether [3, 7] is a choice or a range nobody knows.
    if (given.length < 2) return undefined;
    const numbers = given.filter((one) => one !== "to");
    const isRange = numbers.length === 2 && numbers.every((one) => numberIn(one) !== undefined);
    if (isRange && asName(text.slice(0, cut)) === "in")
      return { unusable: `${rest} may be a range or a choice; write between, or one_of` };
  }
  const numbers = form.takes === "number" || form.takes === "numbers" ? given.map(numberIn) : given;
  const known = numbers.flatMap((one) => (one === undefined || one === "" ? [] : [one]));
  return known.length < numbers.length ? { unusable: `what ${text} asks for is not clear` } : { form, given: known };
}

/** A name in the one spelling of the vocabulary: small letters, parted by _. */
function asName(written: string): string {
  return written
    .trim()
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1_$2")
    .toLowerCase()
    .replaceAll(/\s+|-(?=\p{L})/gu, "_");
}

/** What is given to a form: one value; or several, as a, b or [a, b], or in one name as 1_and_5, a_or_b, a_b. */
function givenTo({ takes }: Form, text: string, isFlat: boolean): string[] {
  if (takes !== "numbers" && takes !== "values") return [unquoted(text)];
  if (/["'[,|]/.test(text) || (takes === "values" && !isFlat))
    return (/^\[(.*)\]$/s.exec(text)?.[1] ?? text).split(/[,|]/).map(unquoted);
  const joined = text.split(takes === "numbers" ? /[_ ](?:and|to)[_ ]/i : /[_ ](?:and|or)[_ ]/i);
  return (joined.length > 1 ? joined : text.split(/[_ -]+/)).map(unquoted);
}

/** Tells whether no bracket closes that did not open here. */
function isBalanced(text: string): boolean {
  let depth = 0;
  for (const sign of text) {
    depth += sign === "(" ? 1 : sign === ")" ? -1 : 0;
    if (depth < 0) return false;
  }
  return true;
}

function unquoted(text: string): string {
  const bare = text.trim();
  return /^(["'`/])(.*)\1$/s.exec(bare)?.[2] ?? bare;
}

/** A number as it stands in a name, where _ is the decimal point: 80, 2_0, 0.5, 80_percent. 1_000 and 1.000 are none: who knows? */
function numberIn(text: string): number | undefined {
  const [, whole = "", point = "", part = ""] = /^(-?\d+)(?:([._])(\d+))?(?:[_ ]?(?:percent|%))?$/i.exec(text) ?? [];
  const isThousand = part.length === 3 && whole !== "0" && (point === "_" || whole.length < 4);
  return whole === "" || isThousand ? undefined : Number(`${whole}.${part || 0}`);
}

const byName: ReadonlyMap<string, Form> = new Map<string, Form>(
  [...Object.values(vocabulary), ...idioms].flatMap((form) => form.names.map((name) => [name, form])),
);

/** Every name of the vocabulary, for whoever looks for the one that was meant. */
export const validatorNames: readonly string[] = [...byName.keys()];
