import type { EvidenceRule, EvidenceType } from "../../gates/gate.ts";
import { type Idiom, idioms } from "../../gates/rule-idioms.ts";
import { describeRule, ruleFits, ruleVocabulary } from "../../gates/rule-vocabulary.ts";
import { isObject, type Json } from "../../kit/json.ts";
import { didYouMean } from "../files/near-miss.ts";
import { findPatternProblem } from "../rules/pattern-problem.ts";

/** A validator as data, or why the gate must stay closed. */
export type RulesRead =
  | { readonly rules: readonly EvidenceRule[]; readonly mayBeEmpty?: true }
  | { readonly unusable: string };

/** An entry or an idiom of the vocabulary of rules. */
export type RuleForm = Pick<Idiom, "names" | "takes" | "make" | "mayBeEmpty">;

/** Builds the rules of a form and its arguments; unusable if they can never hold or be checked. */
export function buildRules(form: RuleForm, given: readonly Json[], type: EvidenceType): RulesRead {
  const made = form.make(given, type);
  if ("unusable" in made) return made;
  const misfit = made.find((rule) => !ruleFits(rule, type));
  if (misfit !== undefined) return { unusable: `"${describeRule(misfit)}" does not apply to the type ${type}` };
  const [pattern] = made.flatMap((rule) => (rule.kind === "matches" ? (findPatternProblem(rule.pattern) ?? []) : []));
  if (pattern !== undefined) return { unusable: pattern };
  const rules = made.filter((rule) => rule.kind !== "length_at_least" || rule.limit > 0);
  return form.mayBeEmpty || rules.length < made.length ? { rules, mayBeEmpty: true } : { rules };
}

/** Combines several validators; the first unusable one makes the whole unusable. */
export function combineRules(reads: readonly RulesRead[]): RulesRead {
  const rules = new Map<string, EvidenceRule>();
  for (const read of reads) {
    if ("unusable" in read) return read;
    for (const rule of read.rules) rules.set(JSON.stringify(rule), rule);
  }
  const mayBeEmpty = reads.some((read) => "mayBeEmpty" in read);
  return { rules: [...rules.values()], ...(mayBeEmpty ? { mayBeEmpty } : {}) };
}

/** The rules of a name with its value ({min: 3}); undefined for an unknown name. */
export function rulesForKey(name: string, given: Json, type: EvidenceType): RulesRead | undefined {
  const form = byName.get(asRuleName(name));
  if (form === undefined) return undefined;
  if (form.takes === "nothing")
    return given === true ? buildRules(form, [], type) : { unusable: `${name} must be true, or be removed` };
  if (form.takes === "numbers" && isObject(given)) return buildRules(form, Object.values(given), type);
  const isSeveral = form.takes === "numbers" || form.takes === "values";
  return buildRules(form, isSeveral && Array.isArray(given) ? given : [given], type);
}

/** Parses a name with its arguments (`greater_than_0`, `min_length(2)`, `equals: high`); undefined if it is unknown. */
export function rulesFromName(written: string, type: EvidenceType): RulesRead | undefined {
  const read = formFromName(written);
  return read === undefined || "unusable" in read ? read : buildRules(read.form, read.given, type);
}

/** The form of a name and its arguments. */
export function formFromName(
  written: string,
): { readonly form: RuleForm; readonly given: readonly Json[] } | { readonly unusable: string } | undefined {
  const text = written.trim();
  const plain = byName.get(asRuleName(text));
  if (plain?.takes === "nothing") return { form: plain, given: [] };
  const cuts = [...text.matchAll(/[\s_(:=]|(?<=\p{L})-/gu)].map(({ index }) => index).reverse();
  const cut = cuts.find((at) => (byName.get(asRuleName(text.slice(0, at)))?.takes ?? "nothing") !== "nothing");
  const form = cut === undefined ? undefined : byName.get(asRuleName(text.slice(0, cut)));
  if (cut === undefined || form === undefined) return undefined;
  const [, bracketed, rest = ""] =
    /^\s*(?:\((.*)\)|[:=]?\s*(.*))$/s.exec(text.slice(cut).replace(text[cut] === "-" ? "-" : /^[\s_]/, "")) ?? [];
  const isFlat = bracketed === undefined && !/^\s*[:=]/.test(text.slice(cut));
  // matches_a_url names no pattern.
  if (form.takes === "pattern" && isFlat && !/[\^$[\]()*+?\\.|{}]/.test(rest)) return undefined;
  // contains(x) and contains(y) are two validators, and "equals low or high" is ambiguous.
  if (!isBalanced(bracketed ?? "")) return undefined;
  if ((form.takes === "value" || form.takes === "text") && /^[^"'`/]*\s(?:and|or)\s/i.test(bracketed ?? rest))
    return { unusable: `the meaning of ${text} is unclear` };
  const given = givenTo(form, bracketed ?? rest, isFlat);
  if (form.takes === "values" && isFlat) {
    // in_progress names no choice, and [3, 7] may be a choice or a range.
    if (given.length < 2) return undefined;
    const numbers = given.filter((one) => one !== "to");
    const isRange = numbers.length === 2 && numbers.every((one) => numberIn(one) !== undefined);
    if (isRange && asRuleName(text.slice(0, cut)) === "in")
      return { unusable: `${rest} may be a range or a choice; write between or one_of` };
  }
  const numbers = form.takes === "number" || form.takes === "numbers" ? given.map(numberIn) : given;
  const known = numbers.flatMap((one) => (one === undefined || one === "" ? [] : [one]));
  return known.length < numbers.length ? { unusable: `the meaning of ${text} is unclear` } : { form, given: known };
}

/** Normalizes a name to the vocabulary's spelling: lower case with underscores. */
function asRuleName(written: string): string {
  return written
    .trim()
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1_$2")
    .toLowerCase()
    .replaceAll(/\s+|-(?=\p{L})/gu, "_");
}

/** Splits the arguments of a form: one value, or several as a, b or [a, b], or 1_and_5, a_or_b, a_b in a name. */
function givenTo({ takes }: RuleForm, text: string, isFlat: boolean): string[] {
  if (takes !== "numbers" && takes !== "values") return [unquoted(text)];
  if (/["'[,|]/.test(text) || (takes === "values" && !isFlat))
    return (/^\[(.*)\]$/s.exec(text)?.[1] ?? text).split(/[,|]/).map(unquoted);
  const joined = text.split(takes === "numbers" ? /[_ ](?:and|to)[_ ]/i : /[_ ](?:and|or)[_ ]/i);
  return (joined.length > 1 ? joined : text.split(/[_ -]+/)).map(unquoted);
}

/** True if every closing bracket was opened in this text. */
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

/** Parses a number in a name, with _ as decimal point: 80, 2_0, 0.5, 80_percent. 1_000 and 1.000 are ambiguous. */
function numberIn(text: string): number | undefined {
  const [, whole = "", point = "", part = ""] = /^(-?\d+)(?:([._])(\d+))?(?:[_ ]?(?:percent|%))?$/i.exec(text) ?? [];
  const isThousand = part.length === 3 && whole !== "0" && (point === "_" || whole.length < 4);
  return whole === "" || isThousand ? undefined : Number(`${whole}.${part || 0}`);
}

const byName: ReadonlyMap<string, RuleForm> = new Map<string, RuleForm>(
  [...Object.values(ruleVocabulary), ...idioms].flatMap((form) => form.names.map((name) => [name, form])),
);

/** Says which validators there are, the nearest one first. */
export function knownValidators(written: string): string {
  const first = [...new Set(byName.values())].flatMap(({ names }) => names[0] ?? []);
  return `${didYouMean(written, [...byName.keys()])}; use ${first.join(", ")}`;
}
