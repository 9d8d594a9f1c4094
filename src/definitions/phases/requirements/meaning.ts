import type { Comparison, EvidenceRule, EvidenceType } from "../../../gates/gate.ts";
import { findClash } from "../../../gates/rule-clash.ts";
import { lengthRule } from "../../../gates/rule-entry.ts";
import { asValue } from "../../../gates/rule-value.ts";
import { ruleFits } from "../../../gates/rule-vocabulary.ts";
import { evidenceTypeOf } from "../../../gates/type-vocabulary.ts";
import { parseNumber } from "../../../kit/parse-number.ts";
import { rulesFromName } from "../../gates/rule-names.ts";
import { findPatternProblem } from "../../rules/pattern-problem.ts";
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
  const forms = read.flatMap((one) => one ?? []);
  const all: readonly Form[] = [
    ...(given === undefined ? [] : [{ kind: "type", type: given } as const]),
    ...(choice === undefined ? [] : [{ kind: "choice", values: choice.values } as const]),
    ...forms,
  ];
  const plain = clauses.filter((_, at) => read[at]?.some(({ kind }) => kind === "plain" || kind === "type"));
  return combine(all, field, [field.replaceAll("_", " "), ...plain].join(" "));
}

function combine(forms: readonly Form[], field: string, about: string): Meaning | undefined {
  const types = [...new Set(forms.flatMap((form) => (form.kind === "type" ? [form.type] : [])))];
  const has = (kind: Form["kind"]): boolean => forms.some((form) => form.kind === kind);
  const isSure = forms.some(({ kind }) => !["plain", "optional", "may be empty"].includes(kind));
  const [named] = types;
  if (!isSure || types.length > 1) return undefined;
  const type = named ?? (has("question") ? "boolean" : impliedType(forms, field));
  if (type === undefined) return undefined;
  const rules: EvidenceRule[] = [];
  for (const form of forms) {
    const made = rulesOf(form, type, about);
    if (made === undefined) return undefined;
    rules.push(...made);
  }
  const isAnswered = rules.some(({ kind }) => kind === "equals");
  if (has("question") && type === "boolean" && !isAnswered) rules.push({ kind: "one_of", values: [true, false] });
  if (type === "file" && !rules.some(({ kind }) => kind === "file_exists")) rules.push({ kind: "file_exists" });
  if (rules.some((rule) => !ruleFits(rule, type)) || findClash({ field, type, rules }) !== undefined) return undefined;
  const compared = forms.flatMap((form) => (form.kind === "compared" ? [{ is: form.is, other: form.other }] : []));
  return {
    type,
    rules,
    isOptional: has("optional"),
    mayBeEmpty: has("may be empty"),
    isDescribed: has("plain"),
    compared,
  };
}

/** The type that rules imply where none is named. */
function impliedType(forms: readonly Form[], field: string): EvidenceType | undefined {
  for (const form of forms) {
    if (form.kind === "bound") {
      if (lengthUnit.test(form.unit)) return "string";
      if (itemUnit.test(form.unit)) return "list";
      // "title: at most 60" and "at least 2" of described things may be of a number, a text or the things.
      const isOne = forms.filter(({ kind }) => kind === "bound").length === 1 && Number.isInteger(form.limit);
      const isDescribed = form.bound === "at_least" && forms.some(({ kind }) => kind === "plain");
      if (form.unit === "" && isOne && (isDescribed || !/_|s$/.test(field))) return undefined;
      const isCounted = form.unit !== "" && stemsOf(form.unit).join("_") === stemsOf(field).join("_");
      return isCounted ? "any" : "number";
    }
    if (form.kind === "value")
      return typeof form.value === "number" ? "number" : typeof form.value === "boolean" ? "boolean" : "string";
    if (form.kind === "choice")
      return form.values.every((value) => parseNumber(value) !== undefined) ? "number" : "string";
    if (form.kind === "text" || form.kind === "exists") return "string";
    if (form.kind === "compared") return form.is === "equal_to" ? "any" : "number";
    if (form.kind === "validator")
      return /file|dir|folder|path|length|match|contain|start|end/.test(form.name)
        ? "string"
        : /true|false/.test(form.name)
          ? "boolean"
          : "number";
    if (form.kind === "not empty") return "any";
  }
  return undefined;
}

const lengthUnit = /^(?:characters?|chars?|letters?)(?: long)?$/i;
const itemUnit = /^(?:items?|entries|entry|elements?)$/i;

function rulesOf(form: Form, type: EvidenceType, about: string): readonly EvidenceRule[] | undefined {
  if (form.kind === "bound") return boundRules(form, type, about);
  if (form.kind === "not empty") return type === "any" ? [] : [{ kind: "length_at_least", limit: 1 }];
  if (form.kind === "exists") return [{ kind: "file_exists" }];
  if (form.kind === "value") {
    const value = asValue(form.value, type);
    return value === undefined ? undefined : [{ kind: form.isNot ? "differs_from" : "equals", value }];
  }
  if (form.kind === "choice") {
    const values = form.values.flatMap((value) => asValue(value, type) ?? []);
    return values.length === form.values.length ? [{ kind: "one_of", values }] : undefined;
  }
  if (form.kind === "text") {
    const isBroken = form.rule.kind === "matches" && findPatternProblem(form.rule.pattern) !== undefined;
    return isBroken ? undefined : [form.rule];
  }
  if (form.kind !== "validator") return [];
  const made = rulesFromName(form.name, type);
  return made === undefined || "unusable" in made ? undefined : made.rules;
}

/** A limit counts what its unit names, which must be what the field is about. */
function boundRules(
  { bound, limit, unit }: Form & { kind: "bound" },
  type: EvidenceType,
  about: string,
): readonly EvidenceRule[] | undefined {
  const isLong = type === "list" || type === "object" || (type === "string" && lengthUnit.test(unit));
  const isNamed =
    /^(?:%|percent)?$/i.test(unit) || (lengthUnit.test(unit) === (type === "string") && isAbout(unit, about, type));
  if (!isNamed || (type === "string" && !isLong)) return undefined;
  if (!isLong) return [{ kind: bound, limit }];
  const made = unit.includes("%") ? undefined : lengthRule(bound, limit);
  return made === undefined || "unusable" in made ? undefined : made;
}

function isAbout(unit: string, about: string, type: EvidenceType): boolean {
  if (lengthUnit.test(unit)) return type === "string";
  if (itemUnit.test(unit)) return type === "list" || type === "object";
  if (mayBeRule(unit.replaceAll("%", ""))) return false;
  const stems = new Set(stemsOf(about));
  return stemsOf(unit)
    .slice(-1)
    .some((stem) => stems.has(stem));
}

function stemsOf(words: string): string[] {
  return (words.toLowerCase().match(/\p{L}{2,}/gu) ?? []).map((word) =>
    word.replace(/(?:ies|y)$/, "i").replace(/e?s$/, ""),
  );
}

type Choice = { readonly values: readonly string[]; readonly rest: string };

/** Finds the allowed values: after "one of" and the like, or as everything that is said. */
function choiceIn(masked: string, quoted: readonly Quoted[]): Choice | undefined {
  const found =
    /(?:\b(?:must be |is |be )?(?:any )?one of(?: the following)?|(?<=^|[^\s\w]\s*|\b(?:is|be) )either|\b(?:choose|pick)(?: one)? (?:from|of)|\b(?:(?:allowed|valid|possible) )?(?:values|options|choices)(?: are)?|\benum|\bin(?= *[[{]))\s*[:=]?\s*[([{]?\s*([^;()[\]{}.]+(?:\.\d[^;()[\]{}.]*)*)[)\]}]?/i.exec(
      masked,
    );
  if (found?.[1] !== undefined) {
    const items = itemsIn(found[1]);
    const end = items.findIndex((item) => /^(?:optional|required|string|text|may be empty)$/i.test(item));
    const values = end === -1 ? items : items.slice(0, end);
    const rest = `${masked.slice(0, found.index)}; ${end === -1 ? "" : items.slice(end).join("; ")}; ${masked.slice(found.index + found[0].length)}`;
    return usable(
      values.map((value) => quoteIn(value, quoted)?.text ?? value),
      values,
      rest,
    );
  }
  const bare = masked.replace(/^[\s:(–—-]+|[).\s]+$/g, "");
  const isList = /\sor\s|\||^[^\s/]+(?:\s?\/\s?[^\s/]+)+$/i.test(bare) && !/^(?:yes|true)\b|\sand\s|[;:()]/i.test(bare);
  const values = isList ? itemsIn(bare) : [];
  // "screenshot or log" may describe; three words, quotes, capitals and bars are a choice.
  const isSure =
    values.length > 2 ||
    bare.includes("|") ||
    values.every((value) => /^(?:[\uE000-\uF8FF]|[\p{Lu}\d_-]+)$/u.test(value));
  const isPlain = values.every(
    (value) =>
      /^\S+$/.test(value) &&
      (bare.includes("|") || /^-?\d+$/.test(value) || !mayBeRule(value)) &&
      evidenceTypeOf(value.toLowerCase()) === undefined,
  );
  if (!isSure || !isPlain) return undefined;
  return usable(
    values.map((value) => quoteIn(value, quoted)?.text ?? value),
    values,
    "",
  );
}

function itemsIn(list: string): string[] {
  return list
    .split(/\s*(?:,\s*(?:or|and)\s+|,|\s\/\s|\/|\||\s+or\s+|\s+and\s+)\s*/i)
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

function usable(values: readonly string[], written: readonly string[], rest: string): Choice | undefined {
  const isPlain = written.every(
    (value) => /^\S+$/.test(value) || (value.split(/\s+/).length <= 3 && !mayBeRule(value)),
  );
  return values.length >= 2 && isPlain ? { values, rest } : undefined;
}
