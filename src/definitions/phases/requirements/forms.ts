import type { Comparison, EvidenceType } from "../../../gates/gate.ts";
import { evidenceTypeOf } from "../../../gates/type-vocabulary.ts";
import type { Json } from "../../../kit/json.ts";
import { parseNumber } from "../../../kit/parse-number.ts";
import { mayBeRule, type Quoted, quoteIn } from "./clauses.ts";

/** One statement of a clause about a field. */
export type Form = {
  /** The type that it names. */
  readonly type?: EvidenceType;
  /** The rule that it states, by its name in gate files, with its value. */
  readonly rule?: { readonly name: string; readonly given?: Json | undefined };
  /** The words behind the number of a limit. */
  readonly unit?: string;
  readonly compared?: { readonly is: Comparison["is"]; readonly other: string };
  readonly says?: "nothing" | "optional" | "may be empty" | "question";
};

/** The surroundings of a clause: its quotes, its field, and the other fields. */
export type FormContext = {
  readonly quoted: readonly Quoted[];
  readonly fields: ReadonlySet<string>;
  readonly field: string;
};

/** Reads one clause as forms, whole or not at all. */
export function formsOf(clause: string, context: FormContext): readonly Form[] | undefined {
  const said = clause.replace(/^(?:and|but|which|that|it|with|as|of|in|the value)\s+/i, "").trim();
  const whole = phraseForms(said, context.quoted) ?? typeForms(said) ?? ruleForms(said, context);
  if (whole !== undefined) return whole;
  if (!mayBeRule(said)) return [plain];
  // "text of at least 40 characters", "array with 2 to 5 entries", "coverage is at least 80"
  for (const { index, 0: cut } of said.matchAll(joint)) {
    const [before, after] = [said.slice(0, index), said.slice(/ing$/.test(cut.trim()) ? index : index + cut.length)];
    const isJoined = /and|but|which|that/i.test(cut);
    const first = isJoined ? formsOf(before, context) : (typeForms(before) ?? ownWords(before, context));
    const second = first === undefined ? undefined : formsOf(after, context);
    if (first !== undefined && second?.some(({ says }) => says !== "nothing")) return [...first, ...second];
  }
  return undefined;
}

const plain: Form = { says: "nothing" };
/** The words between what a limit is about and the limit. */
export const joint =
  /\s+(?:and|but|with|of|which|that|matching|starting|beginning|ending|containing|is|are|has|have|(?=at|no|not|more|less|greater|above|below|over|under|between|from \d|\d[\d.]*\s*(?:[-–]|to)\s*\d|[<>≥≤=]|must|up))\s*/gi;

function ownWords(words: string, { field }: FormContext): readonly Form[] | undefined {
  const own = new Set(["the", "percent", ...field.toLowerCase().split("_")]);
  const all = words.toLowerCase().match(/[\p{L}]+/gu) ?? [];
  return all.length > 0 && all.every((word) => own.has(word)) ? [plain] : undefined;
}

/** Clauses that say something beside a rule. */
const sayings: readonly (readonly [says: NonNullable<Form["says"]>, words: RegExp])[] = [
  [
    "nothing",
    /^(?:(?:in )?(?:%|percent)|required|mandatory|not optional|inclusive|included|type|rule|validator|value)$/i,
  ],
  ["nothing", /^may be (?:zero|negative)$/i],
  ["optional", /^(?:optional|optionally|if applicable|not (?:required|mandatory))$/i],
  ["may be empty", /^(?:(?:may|can) be (?:empty|blank)|(?:or )?none|if any|possibly empty)$/i],
  ["question", /^(?:yes\/no|yes or no|true\/false(?: flag)?|true or false|(?:may|can) be false)$/i],
];

/** Clauses that are rules of gate files without a value. */
const named = Object.entries({
  non_empty: /^(?:(?:is |are |must be )?non-?empty|(?:must )?not (?:be )?(?:empty|blank)|cannot be (?:empty|blank))$/i,
  file_exists: /^(?:(?:the |this )?(?:file|path) )?(?:must )?(?:already )?exists?$|^existing (?:file|path)$/i,
  is_true: /^(?:must be |is )?(?:true|yes)$/i,
  positive: /^(?:must be |strictly )?positive$/i,
  negative: /^(?:must be |strictly )?negative$/i,
  non_negative: /^(?:must be )?non-?negative$/i,
  non_zero: /^(?:must be )?non-?zero$/i,
});

function phraseForms(said: string, quoted: readonly Quoted[] = []): readonly Form[] | undefined {
  const [says] = sayings.find(([, words]) => words.test(said)) ?? [];
  if (says !== undefined) return [{ says }];
  const written = quoteIn(said, quoted)?.text ?? said;
  const [name] = named.find(([, words]) => words.test(said)) ?? /^[a-z]+(?:_[a-z0-9.]+)+$/.exec(written) ?? [];
  return name === undefined ? undefined : [{ rule: { name } }];
}

/** Reads a type that a clause names and nothing else. */
function typeForms(said: string): readonly Form[] | undefined {
  const [, sign = "", words = ""] =
    /^(?:(?:an?|the) )?(?:(positive|non-?negative|negative|non-?zero|non-?empty|optional) )?(.+)$/s.exec(
      said.toLowerCase(),
    ) ?? [];
  const type = typeIn(words);
  return type === undefined ? undefined : [{ type }, ...(phraseForms(sign) ?? [])];
}

/** The type that words name and nothing else. */
export function typeIn(said: string): EvidenceType | undefined {
  const known = evidenceTypeOf(said) ?? namedTypes[said];
  if (known !== undefined) return known;
  const [, lead = "", of = ""] =
    /^(number of|count of|how many|list of|array of|path (?:of|to)|object with|text (?:output )?(?:of|with)) (.+)$/s.exec(
      said,
    ) ?? [];
  if (/^path/.test(lead) && /^an existing (?:file|path)\b/.test(of)) return "file";
  if (lead === "" || mayBeRule(of)) return undefined;
  if (/^(?:list|array)/.test(lead)) return "list";
  if (/^(?:text|path)/.test(lead)) return "string";
  if (lead === "object with") return "object";
  const isMany =
    /^(?:\S+ ){0,3}(?:\S*[^su'’ ]s|\S*people|\S*children)(?: |$)/.test(of) &&
    !/^(?:the|this|that|its|our|an?|each|every) /.test(of);
  return lead === "number of" && !isMany ? undefined : "integer";
}

const namedTypes: Readonly<Record<string, EvidenceType>> = {
  "whole number": "integer",
  "iso date": "date",
  decimal: "number",
  "json object": "object",
  "boolean flag": "boolean",
};

const spelled = [
  ..."zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split(" "),
  ..."sixteen seventeen eighteen nineteen twenty".split(" "),
];
const number = `(-?\\d[\\d,]*(?:\\.\\d+)?|${spelled.join("|")})`;
const unit = "(\\s?%|(?:\\s?%)?(?:[\\s-]+[\\p{L}][\\p{L}-]*){0,4})";
const value = `(?:the )?(?:(?:word|text|pattern|regex) )?(?:([\\uE000-\\uF8FF])|${number}${unit}|(true|false|yes|no))`;

/** The words before a value, for each rule of gate files; the first that match count. */
const rules = Object.entries({
  at_least:
    "at least|(?:no|not) (?:fewer|less|lower) than|not (?:go |fall |drop )?(?:below|under)|min(?:imum)?(?: of)?|>=|≥",
  at_most:
    "at most|(?:no|not) (?:more|greater|higher|larger|longer) than|not (?:to )?exceed(?:ing)?|not (?:go )?(?:above|over)|max(?:imum)?(?: of)?|up to|<=|≤",
  more_than: "(?:strictly )?(?:more|greater|higher|larger) than|above|over|exceed(?:s|ing)?|>",
  less_than: "(?:strictly )?(?:less|fewer|lower|smaller) than|(?:stay |remain )?(?:below|under)|<",
  same_as: "(?:must )?equals?(?: to)?|(?:the )?same as|==?",
  equals: "(?:must be )?(?:exactly|precisely|always|equals?(?: to)?|==?)|must be",
  differs_from: "not|other than|different from|!=|≠",
  lacks: "not (?:contain|include|mention)|without",
  contains: "contains?|containing|includes?|including|mentions?",
  starts_with: "starts? with|starting with|begins? with",
  ends_with: "ends? (?:with|in)",
  matches: "match(?:es|ing)?",
}).map(([name, words]) => ({ name, pattern: new RegExp(`^(?:${words})\\s*${value}$`, "iu") }));

const range = new RegExp(
  `^(?:between |from )?${number}${unit.replace("{0,4}", "{0,4}?")}(?:\\s*[-–]\\s*| to | and )${number}${unit}(?: inclusive)?$`,
  "iu",
);
/** The words behind a value. */
const behind = Object.entries({
  at_least: "\\s*\\+| or (?:more|higher|greater|above|up)| and (?:up|above)",
  at_most: " or (?:less|fewer|lower|below|under)",
}).map(([name, words]) => ({ name, pattern: new RegExp(`^${number}${unit}(?:${words})${unit}$`, "iu") }));

function ruleForms(clause: string, context: FormContext): readonly Form[] | undefined {
  const said = clause
    .replace(
      /^(?:cannot|can't|may not|must not|mustn't|must never|never|does not|do not|not to|isn't|is not) /i,
      "not ",
    )
    .replace(
      /^(?:must|has to|have to|needs? to|is|are|has|have) (?:be )?(?=not |at |no |less|more|fewer|greater|lower|higher|larger|smaller|between|below|under|above|over|up|stay|remain|contain|include|mention|match|start|begin|end|equal|exactly|[<>=≥≤])/i,
      "",
    )
    .replace(/^(not )?be (?=\D)/i, "$1")
    .replace(/^not be /i, "not ")
    .replace(/^contain(?:s|ing)? (?=at |no more|no fewer|up to)/i, "");
  const bare = said.replace(/^(?:must )?be /i, "");
  const [, low, , high, count] = range.exec(bare) ?? [];
  if (high !== undefined && (!/ and /i.test(said) || /^between/i.test(said)))
    return [limit("at_least", low, count), limit("at_most", high, count)];
  for (const { name, pattern } of behind) {
    const [found, least, of = "", after = ""] = pattern.exec(bare) ?? [];
    if (found !== undefined) return [limit(name, least, of + after)];
  }
  for (const { name, pattern } of rules) {
    const found = pattern.exec(said);
    if (found !== null) return valueForms(name, found, context);
  }
  return undefined;
}

/** A rule with the value that a clause gives it: a quoted text, a number, or true or false. */
function valueForms(
  name: string,
  [, mark = "", digits, unit = "", answer]: readonly (string | undefined)[],
  { quoted, fields, field }: FormContext,
): readonly Form[] | undefined {
  const quote = quoteIn(mark, quoted);
  const isLimit = isOrder(name);
  if (quote !== undefined && (isLimit || name === "same_as")) {
    const isOther = quote.text !== field && fields.has(quote.text) && (isLimit || quote.isCode);
    if (isOther) return [{ compared: { is: isLimit ? name : "equal_to", other: quote.text } }];
    if (isLimit || (quote.isCode && /^\p{L}+_\w+$/u.test(quote.text))) return undefined;
  }
  const isSame = name === "equals" || name === "same_as";
  if (isLimit) return [limit(name, digits, unit)];
  if (unit.trim() !== "") return isSame ? [limit("at_least", digits, unit), limit("at_most", digits, unit)] : undefined;
  const isText = !isSame && name !== "differs_from";
  const plain = isText || answer === undefined ? undefined : /true|yes/i.test(answer);
  const given = quote?.text ?? (isText ? undefined : numberIn(digits)) ?? plain;
  return given === undefined ? undefined : [{ rule: { name: isSame ? "equals" : name, given } }];
}

function isOrder(name: string): name is "at_least" | "at_most" | "more_than" | "less_than" {
  return ["at_least", "at_most", "more_than", "less_than"].includes(name);
}

function limit(name: string, digits: string | undefined, unit = ""): Form {
  return { rule: { name, given: numberIn(digits) }, unit: unit.trim() };
}

function numberIn(written = ""): number | undefined {
  const at = spelled.indexOf(written.toLowerCase());
  return at < 0 ? parseNumber(written) : at;
}
