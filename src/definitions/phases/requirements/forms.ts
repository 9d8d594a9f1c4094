import type { Comparison, EvidenceRule, EvidenceType } from "../../../gates/gate.ts";
import { evidenceTypeOf } from "../../../gates/type-vocabulary.ts";
import { parseNumber } from "../../../kit/parse-number.ts";
import { mayBeRule, type Quoted, quoteIn } from "./clauses.ts";

/** One statement of a clause about a field. */
export type Form =
  | { readonly kind: "plain" | "optional" | "may be empty" | "not empty" | "question" | "exists" }
  | { readonly kind: "type"; readonly type: EvidenceType }
  | { readonly kind: "bound"; readonly bound: Bound; readonly limit: number; readonly unit: string }
  | { readonly kind: "value"; readonly value: string | number | boolean; readonly isNot: boolean }
  | { readonly kind: "choice"; readonly values: readonly string[] }
  | { readonly kind: "text"; readonly rule: EvidenceRule }
  | { readonly kind: "compared"; readonly is: Comparison["is"]; readonly other: string }
  | { readonly kind: "validator"; readonly name: string };

type Bound = "at_least" | "at_most" | "more_than" | "less_than";

/** The surroundings of a clause: its quotes, its field, and the other fields. */
export type FormContext = {
  readonly quoted: readonly Quoted[];
  readonly fields: ReadonlySet<string>;
  readonly field: string;
};

/** Reads one clause as forms, whole or not at all. */
export function formsOf(clause: string, context: FormContext): readonly Form[] | undefined {
  const said = clause.replace(/^(?:and|but|which|that|it|with|as|of|in|the value)\s+/i, "").trim();
  const whole = wholeForm(said, context) ?? typeForms(said) ?? ruleForms(said, context);
  if (whole !== undefined) return whole;
  if (!mayBeRule(said)) return [{ kind: "plain" }];
  // "text of at least 40 characters", "array with 2 to 5 entries", "coverage is at least 80"
  for (const { index, 0: cut } of said.matchAll(
    /\s+(?:and|but|with|of|which|that|matching|starting|beginning|ending|containing|is|are|has|have|(?=at|no|not|more|less|greater|above|below|over|under|between|from \d|\d[\d.]*\s*(?:[-–]|to)\s*\d|[<>≥≤=]|must|up))\s*/gi,
  )) {
    const [before, after] = [said.slice(0, index), said.slice(/ing$/.test(cut.trim()) ? index : index + cut.length)];
    const isJoined = /and|but|which|that/i.test(cut);
    const first = isJoined ? formsOf(before, context) : (typeForms(before) ?? ownWords(before, context));
    const second = first === undefined ? undefined : formsOf(after, context);
    if (first !== undefined && second?.some(({ kind }) => kind !== "plain")) return [...first, ...second];
  }
  return undefined;
}

function ownWords(words: string, { field }: FormContext): readonly Form[] | undefined {
  const own = new Set(["the", "percent", ...field.toLowerCase().split("_")]);
  const isOwn =
    words
      .toLowerCase()
      .match(/[\p{L}]+/gu)
      ?.every((word) => own.has(word)) ?? true;
  return isOwn ? [{ kind: "plain" }] : undefined;
}

function wholeForm(said: string, { quoted }: FormContext): readonly Form[] | undefined {
  const sign =
    signs[
      said
        .toLowerCase()
        .replace(/^(?:must be |strictly )/, "")
        .replace("-", "")
    ];
  if (sign !== undefined) return sign;
  const kind = (Object.keys(fixed) as (keyof typeof fixed)[]).find((one) => fixed[one].test(said));
  if (kind !== undefined) return [{ kind }];
  if (/^(?:must be |is )?(?:true|yes)$/i.test(said)) return [{ kind: "value", value: true, isNot: false }];
  const name = quoteIn(said, quoted)?.text ?? said;
  return /^[a-z]+(?:_[a-z0-9.]+)+$/.test(name) ? [{ kind: "validator", name }] : undefined;
}

const fixed = {
  plain:
    /^(?:(?:in )?(?:%|percent)|required|mandatory|not optional|inclusive|included|may be (?:zero|negative)|type|rule|validator|value)$/i,
  optional: /^(?:optional|optionally|if applicable|not (?:required|mandatory))$/i,
  "may be empty": /^(?:(?:may|can) be (?:empty|blank)|(?:or )?none|if any|possibly empty)$/i,
  "not empty":
    /^(?:(?:is |are |must be )?non-?empty|not (?:be )?(?:empty|blank)|(?:must not|cannot) be (?:empty|blank))$/i,
  question: /^(?:yes\/no|yes or no|true\/false(?: flag)?|true or false|(?:may|can) be false)$/i,
  exists: /^(?:(?:the |this )?(?:file|path) )?(?:must )?(?:already )?exists?$|^existing (?:file|path)$/i,
};

/** Reads a type that a clause names and nothing else. */
function typeForms(said: string): readonly Form[] | undefined {
  const [, sign = "", rest = ""] =
    /^(?:(?:an?|the) )?(?:(positive|non-?negative|negative|non-?zero|non-?empty|optional) )?(.+)$/is.exec(said) ?? [];
  const type = typeIn(rest.toLowerCase());
  if (type === undefined) return undefined;
  const sure =
    type === "existing"
      ? ([{ kind: "type", type: "string" }, { kind: "exists" }] as const)
      : [{ kind: "type", type } as const];
  return [...sure, ...(signs[sign.toLowerCase().replace("-", "")] ?? [])];
}

const signs: Readonly<Record<string, readonly Form[]>> = {
  positive: [{ kind: "bound", bound: "more_than", limit: 0, unit: "" }],
  nonnegative: [{ kind: "bound", bound: "at_least", limit: 0, unit: "" }],
  negative: [{ kind: "bound", bound: "less_than", limit: 0, unit: "" }],
  nonzero: [{ kind: "value", value: 0, isNot: true }],
  nonempty: [{ kind: "not empty" }],
  optional: [{ kind: "optional" }],
};

/** The type that words name and nothing else. */
export function typeIn(said: string): EvidenceType | "existing" | undefined {
  const known =
    evidenceTypeOf(said) ??
    {
      "whole number": "integer",
      "iso date": "date",
      decimal: "number",
      "json object": "object",
      "boolean flag": "boolean",
      integers: "list",
    }[said];
  if (known !== undefined) return known as EvidenceType;
  const [, lead = "", of = ""] =
    /^(number of|count of|how many|list of|array of|path (?:of|to)|object with|text (?:output )?(?:of|with)) (.+)$/s.exec(
      said,
    ) ?? [];
  if (lead === "" || mayBeRule(of.replace(/^an existing\b/, ""))) return undefined;
  if (lead.startsWith("list") || lead.startsWith("array")) return "list";
  if (lead === "object with") return "object";
  if (lead.startsWith("text")) return "string";
  if (lead.startsWith("path")) return /^an existing (?:file|path)\b/.test(of) ? "existing" : "string";
  const words = of.split(/\s+/);
  const isMany =
    words.slice(0, 4).some((word) => /[^su'’]s$|people$|children$/.test(word)) &&
    !/^(?:the|this|that|its|our|an?|each|every)$/.test(words[0] ?? "");
  return lead === "number of" && !isMany ? undefined : "integer";
}

const number =
  "(-?\\d[\\d,]*(?:\\.\\d+)?k?|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty)";
const unit = "(\\s?%|(?:\\s?%)?(?:[\\s-]+[\\p{L}][\\p{L}-]*){0,4})";
const before: readonly (readonly [Bound, string])[] = [
  [
    "at_least",
    "at least|no (?:fewer|less|lower) than|not (?:be )?(?:fewer|less|lower) than|not (?:be |go |fall |drop )?(?:below|under)|min(?:imum)?(?: of)?|>=|≥",
  ],
  [
    "at_most",
    "at most|no (?:more|greater|higher|larger|longer) than|not (?:be )?(?:more|greater|higher|larger) than|not (?:to )?exceed(?:ing)?|not (?:be |go )?(?:above|over)|max(?:imum)?(?: of)?|up to|<=|≤",
  ],
  ["more_than", "(?:strictly )?(?:more|greater|higher|larger) than|above|over|exceed(?:s|ing)?|>"],
  ["less_than", "(?:strictly )?(?:less|fewer|lower|smaller) than|(?:stay |remain |be )?(?:below|under)|<"],
];
const behind: readonly (readonly [Bound, string])[] = [
  ["at_least", "\\s*\\+|\\s+or (?:more|higher|greater|above|up)|\\s+and (?:up|above)"],
  ["at_most", "\\s+or (?:less|fewer|lower|below|under)"],
];
const quote = "([\\uE000-\\uF8FF])";

function ruleForms(clause: string, { quoted, fields, field }: FormContext): readonly Form[] | undefined {
  const said = clause
    .replace(
      /^(?:cannot|can't|may not|must not|mustn't|must never|never|does not|do not|not to|isn't|is not) /i,
      "not ",
    )
    .replace(
      /^(?:must|has to|have to|needs? to|is|are|has|have) (?:be )?(?=not |at |no |less|more|fewer|greater|lower|higher|larger|smaller|between|below|under|above|over|up|stay|remain|contain|include|mention|match|start|begin|end|equal|exactly|[<>=≥≤])/i,
      "",
    )
    .replace(/^(?:be (?=\D)|contain(?:s|ing)? (?=at |no more|no fewer|up to))/i, "");
  const match = (form: string): RegExpExecArray | null => new RegExp(`^(?:be )?(?:${form})$`, "iu").exec(said);
  const bounded = (bound: Bound, limit: number | undefined, of = ""): readonly Form[] | undefined =>
    limit === undefined ? undefined : [{ kind: "bound", bound, limit, unit: of.trim() }];
  const range = match(`(?:between |from )?${number}${unit}(?:\\s*[-–]\\s*| to | and )${number}${unit}(?: inclusive)?`);
  if (range !== null && (!/ and /i.test(said) || /^between/i.test(said))) {
    const [low, high] = [
      bounded("at_least", numberIn(range[1]), range[4]),
      bounded("at_most", numberIn(range[3]), range[4]),
    ];
    return low === undefined || high === undefined ? undefined : [...low, ...high];
  }
  for (const [bound, words] of before) {
    const found = match(`(?:${words})\\s*${number}${unit}`);
    if (found !== null) return bounded(bound, numberIn(found[1]), found[2]);
    const other = quoteIn(match(`(?:${words}) (?:the )?${quote}`)?.[1] ?? "", quoted)?.text;
    if (other !== undefined)
      return other !== field && fields.has(other) ? [{ kind: "compared", is: bound, other }] : undefined;
  }
  for (const [bound, words] of behind) {
    const found = match(`${number}(?:${words})${unit}`) ?? match(`${number}${unit}(?:${words})`);
    if (found !== null) return bounded(bound, numberIn(found[1]), found[2]);
  }
  const same = /^(?:equals?(?: to)?|the same as|same as|=|==)\s+(.)$/i.exec(said) ?? /^must equal (.)$/i.exec(said);
  const other = quoteIn(same?.[1] ?? "", quoted);
  if (other?.isCode && other.text !== field && fields.has(other.text))
    return [{ kind: "compared", is: "equal_to", other: other.text }];
  if (other?.isCode && /^\p{L}+_\w+$/u.test(other.text)) return undefined;
  const equal = match(
    `(exactly|precisely|equals?(?: to)?|==?|must be(?: exactly)?|not(?: be)?|other than|different from|!=|≠|always)\\s*(?:${quote}|${number}${unit}|(true|false|yes|no))`,
  );
  if (equal !== null) {
    const isNot = /^(?:not|other|different|!=|≠)/i.test(equal[1] ?? "");
    const text = quoteIn(equal[2] ?? "", quoted)?.text;
    const limit = numberIn(equal[3]);
    const yes = equal[5] === undefined ? undefined : /true|yes/i.test(equal[5]);
    if (limit !== undefined && (equal[4] ?? "").trim() !== "")
      return isNot
        ? undefined
        : [...(bounded("at_least", limit, equal[4]) ?? []), ...(bounded("at_most", limit, equal[4]) ?? [])];
    const value = text ?? limit ?? yes;
    return value === undefined ? undefined : [{ kind: "value", value, isNot }];
  }
  const held = match(
    `(not |without )?(contains?|containing|includes?|including|mentions?|starts? with|starting with|begins? with|ends? (?:with|in)|match(?:es|ing)?)?(?: the (?:word|text|pattern|regex))? ?${quote}`,
  );
  const text = quoteIn(held?.[3] ?? "", quoted)?.text;
  return held === null || text === undefined ? undefined : heldText(held[1] ?? "", (held[2] ?? "").toLowerCase(), text);
}

function heldText(not: string, verb: string, text: string): readonly Form[] | undefined {
  const escaped = text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const isWithout = /without/i.test(not) && verb === "";
  if (isWithout || (not !== "" && /^(?:contain|includ|mention)/.test(verb)))
    return [{ kind: "text", rule: { kind: "lacks", text } }];
  if (not !== "" || verb === "") return undefined;
  if (/^(?:contain|includ|mention)/.test(verb)) return [{ kind: "text", rule: { kind: "contains", text } }];
  const pattern = verb.startsWith("match") ? text : verb.startsWith("end") ? `${escaped}$` : `^${escaped}`;
  return [{ kind: "text", rule: { kind: "matches", pattern, flags: "" } }];
}

function numberIn(written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  const spelled = "zero one two three four five six seven eight nine ten eleven twelve"
    .split(" ")
    .indexOf(written.toLowerCase());
  if (spelled >= 0) return spelled;
  if (written.toLowerCase() === "twenty") return 20;
  const thousand = written.endsWith("k") ? parseNumber(written.slice(0, -1)) : undefined;
  return thousand === undefined ? parseNumber(written) : thousand * 1000;
}
