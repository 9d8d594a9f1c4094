import type { Comparison, EvidenceRule, EvidenceType } from "../../../gates/gate.ts";
import { findClash } from "../../../gates/rule-clash.ts";
import { evidenceTypeOf } from "../../../gates/type-vocabulary.ts";
import { combineRules, type RulesRead, rulesForKey, rulesFromName } from "../../gates/rule-names.ts";
import { clausesOf, maskQuotes, mayBeRule, type Quoted, quoteIn } from "./clauses.ts";
import { type Form, formsOf } from "./forms.ts";

/** The type and rules of a field that Waymark is sure of. */
export type Meaning = {
  readonly type: EvidenceType;
  readonly rules: readonly EvidenceRule[];
  readonly isOptional: boolean;
  readonly mayBeEmpty: boolean;
  /** True if some words only describe the field. */
  readonly isDescribed: boolean;
  readonly compared: readonly { readonly is: Comparison["is"]; readonly other: string }[];
};

/** Reads words about a field whole; undefined if any of them may be a rule that is not understood, or if none is a type or rule. */
export function meaningOf(
  words: string,
  field: string,
  fields: ReadonlySet<string>,
  given?: EvidenceType,
): Meaning | undefined {
  const { masked, quoted } = maskQuotes(words);
  const choice = choiceIn(masked, quoted);
  const clauses = clausesOf(choice === undefined ? masked : choice.rest);
  const read = clauses.map((clause) => formsOf(clause, { quoted, fields, field }));
  if (read.includes(undefined)) return undefined;
  const about = clauses.filter((_, at) => read[at]?.some(({ says, type }) => says === "nothing" || type !== undefined));
  const forms: readonly Form[] = [
    ...(given === undefined ? [] : [{ type: given }]),
    ...(choice === undefined ? [] : [{ rule: { name: "one_of", given: choice.values } }]),
    ...read.flatMap((one) => one ?? []),
  ];
  const has = (what: Form["says"]): boolean => forms.some(({ says }) => says === what);
  const [named, another] = new Set(forms.flatMap(({ type }) => type ?? []));
  const isSure = forms.some(({ says }) => says === undefined || says === "question");
  const type = named ?? (has("question") ? "boolean" : impliedType(forms, field));
  if (!isSure || another !== undefined || type === undefined) return undefined;
  const made = combineRules(forms.map((form) => rulesOf(form, type, [field.replaceAll("_", " "), ...about].join(" "))));
  if ("unusable" in made) return undefined;
  const rules = [...made.rules];
  const isAnswered = rules.some(({ kind }) => kind === "equals");
  if (has("question") && type === "boolean" && !isAnswered) rules.push({ kind: "one_of", values: [true, false] });
  if (type === "file" && !rules.some(({ kind }) => kind === "file_exists")) rules.push({ kind: "file_exists" });
  if (findClash({ field, type, rules }) !== undefined) return undefined;
  return {
    type,
    rules,
    isOptional: has("optional"),
    mayBeEmpty: has("may be empty") || made.mayBeEmpty === true,
    isDescribed: has("nothing"),
    compared: forms.flatMap(({ compared }) => compared ?? []),
  };
}

/** The type that rules imply where none is named. */
function impliedType(forms: readonly Form[], field: string): EvidenceType | undefined {
  const [first] = forms.filter(({ rule, compared }) => rule !== undefined || compared !== undefined);
  const { rule, unit, compared } = first ?? {};
  if (unit !== undefined) return limitedType(forms, rule?.name === "at_least", unit, field);
  if (rule?.name === "non_empty" || compared?.is === "equal_to") return "any";
  if (compared !== undefined) return "number";
  const types = typeof rule?.given === "string" ? (["string"] as const) : (["number", "string", "boolean"] as const);
  return types.find((type) => first !== undefined && !("unusable" in rulesOf(first, type, "")));
}

/** The type of what has a limit: "title: at most 60" may be of a number or a text, "at least 2" of described things of the things. */
function limitedType(forms: readonly Form[], isLeast: boolean, unit: string, field: string): EvidenceType | undefined {
  if (lengthUnit.test(unit)) return "string";
  if (itemUnit.test(unit)) return "list";
  const given = forms.flatMap((form) => (form.unit === undefined ? [] : [form.rule?.given]));
  const isDescribed = isLeast && forms.some(({ says }) => says === "nothing");
  if (unit === "" && given.length === 1 && Number.isInteger(given[0]) && (isDescribed || !/_|s$/.test(field)))
    return undefined;
  const isCounted = unit !== "" && stemsOf(unit).join("_") === stemsOf(field).join("_");
  return isCounted ? "any" : "number";
}

const lengthUnit = /^(?:characters?|chars?|letters?)(?: long)?$/i;
const itemUnit = /^(?:items?|entries|entry|elements?)$/i;
function rulesOf({ rule, unit }: Form, type: EvidenceType, about: string): RulesRead {
  if (rule === undefined) return { rules: [] };
  const { name, given } = rule;
  if (given === undefined) return rulesFromName(name, type) ?? { unusable: name };
  if (unit !== undefined && !isCountable(unit, type, about)) return { unusable: unit };
  // A limit of a text is on its length, as that of a list.
  const counted = unit !== undefined && type === "string" ? "list" : type;
  return rulesForKey(name, given, counted) ?? { unusable: name };
}

/** A limit counts what its unit names, which must be what the field is about. */
function isCountable(unit: string, type: EvidenceType, about: string): boolean {
  const isLong = type === "list" || type === "object";
  if (lengthUnit.test(unit) || type === "string") return lengthUnit.test(unit) && type === "string";
  if (itemUnit.test(unit)) return isLong;
  if (isLong && unit.includes("%")) return false;
  if (/^(?:%|percent)?$/i.test(unit)) return true;
  const [counted = ""] = stemsOf(unit).slice(-1);
  return !mayBeRule(unit.replaceAll("%", "")) && stemsOf(about).includes(counted);
}

function stemsOf(words: string): string[] {
  return (words.toLowerCase().match(/\p{L}{2,}/gu) ?? []).map((word) =>
    word.replace(/(?:ies|y)$/, "i").replace(/e?s$/, ""),
  );
}

type Choice = { readonly values: readonly string[]; readonly rest: string };

/** Finds the allowed values: after "one of" and the like, or as everything that is said. */
function choiceIn(masked: string, quoted: readonly Quoted[]): Choice | undefined {
  const [found, list] = announced.exec(masked) ?? [];
  const bare = masked.replace(/^[\s:(–—-]+|[).\s]+$/g, "");
  const isBare =
    found === undefined &&
    /\sor\s|\||^[^\s/]+(?:\s?\/\s?[^\s/]+)+$/i.test(bare) &&
    !/^(?:yes|true)\b|\sand\s|[;:()]/i.test(bare);
  if (list === undefined && !isBare) return undefined;
  const items = itemsIn(list ?? bare);
  const end = items.findIndex((item) => /^(?:optional|required|string|text|may be empty)$/i.test(item));
  const values = end === -1 || isBare ? items : items.slice(0, end);
  const isWord = (word: string): boolean =>
    isBare
      ? /^\S+$/.test(word) &&
        (bare.includes("|") || /^-?\d+$/.test(word) || !mayBeRule(word)) &&
        evidenceTypeOf(word) === undefined
      : /^\S+$/.test(word) || (word.split(/\s+/).length <= 3 && !mayBeRule(word));
  // "screenshot or log" may describe; three words, quotes, capitals and bars are a choice.
  const isSure =
    !isBare ||
    values.length > 2 ||
    bare.includes("|") ||
    values.every((word) => /^(?:[\uE000-\uF8FF]|[\p{Lu}\d_-]+)$/u.test(word));
  if (values.length < 2 || !isSure || !values.every(isWord)) return undefined;
  const rest = isBare ? "" : masked.replace(found ?? "", () => `; ${items.slice(values.length).join("; ")}; `);
  return { values: values.map((word) => quoteIn(word, quoted)?.text ?? word), rest };
}

const announced =
  /(?:\b(?:must be |is |be )?(?:any )?one of(?: the following)?|(?<=^|[^\s\w]\s*|\b(?:is|be) )either|\b(?:choose|pick)(?: one)? (?:from|of)|\b(?:(?:allowed|valid|possible) )?(?:values|options|choices)(?: are)?|\benum|\bin(?= *[[{]))\s*[:=]?\s*[([{]?\s*([^;()[\]{}.]+(?:\.\d[^;()[\]{}.]*)*)[)\]}]?/i;

function itemsIn(list: string): string[] {
  return list
    .split(/\s*(?:,\s*(?:or|and)\s+|,|\s\/\s|\/|\||\s+or\s+|\s+and\s+)\s*/i)
    .map((item) => item.trim())
    .filter((item) => item !== "");
}
