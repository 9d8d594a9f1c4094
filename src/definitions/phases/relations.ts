import type { EvidenceRule, EvidenceType } from "../../workflow/gate.ts";
import { numberPattern, readNumber } from "./numbers.ts";

/** A limit that words put on a number or a size. */
export type Relation = {
  readonly kind: "at_least" | "more_than" | "at_most" | "less_than" | "exactly";
  readonly limit: number;
  /** What is counted, where the words say so: "characters", "items". */
  readonly unit: string;
};

/** The limits in a text. */
export type Relations = {
  readonly relations: readonly Relation[];
  /** A limit is written as a fraction: 2.0 is one, 2 is none. */
  readonly isFractional: boolean;
  /** Comparing words that no number follows. */
  readonly unclear?: string;
};

/** Finds every limit in a text, and the first comparing words that no number follows. */
export function relationsIn(text: string): Relations {
  let rest = text;
  let isFractional = false;
  const relations: Relation[] = [];
  for (const { pattern, read } of phrases) {
    rest = rest.replaceAll(pattern, (whole, ...parts) => {
      const numbers = parts.slice(0, 2).map((part) => (typeof part === "string" ? readNumber(part) : undefined));
      isFractional ||= parts.slice(0, 2).some((part) => typeof part === "string" && /^-?\d+\.\d/.test(part));
      relations.push(
        ...read(
          numbers.filter((number) => number !== undefined),
          /\blen(?:gth)?\b/i.test(whole) ? "length" : unitIn(text, whole),
        ),
      );
      return " ; ";
    });
  }
  const unclear = /\b(?:at least|at most|(?:greater|more|less|fewer|lower|higher) than|exactly|between)\b/i.exec(
    rest,
  )?.[0];
  return unclear === undefined ? { relations, isFractional } : { relations, isFractional, unclear };
}

/** A limit on the size of a text, list or object. */
export function lengthRules({ kind, limit, unit }: Relation, type: EvidenceType): EvidenceRule[] {
  if (type === "string" && /^(?:word|line)/.test(unit)) return [atLeastSo(kind, limit, unit)];
  // "text that shows at least 3 functions" does not say how long the text is.
  if (type === "string" && !/^char|^letter|^length|^$/.test(unit)) return [{ kind: "length_at_least", limit: 1 }];
  switch (kind) {
    case "at_least":
      return [{ kind: "length_at_least", limit }];
    case "more_than":
      return [{ kind: "length_at_least", limit: Math.floor(limit) + 1 }];
    case "at_most":
      return [{ kind: "length_at_most", limit }];
    case "less_than":
      return [{ kind: "length_at_most", limit: Math.ceil(limit) - 1 }];
    case "exactly":
      return [
        { kind: "length_at_least", limit },
        { kind: "length_at_most", limit },
      ];
  }
}

/** Words and lines are counted by a pattern; what is not a lower bound is left to the reader. */
function atLeastSo(kind: Relation["kind"], limit: number, unit: string): EvidenceRule {
  const least = kind === "more_than" ? limit + 1 : limit;
  const isBound = (kind === "at_least" || kind === "more_than") && least > 1 && least <= 500;
  if (!isBound) return { kind: "length_at_least", limit: 1 };
  const pattern = unit.startsWith("word") ? `(?:\\S+\\s+){${least - 1}}\\S` : `(?:[^\\n]*\\n){${least - 1}}`;
  return { kind: "matches", pattern, flags: "" };
}

function unitIn(text: string, whole: string): string {
  const after = text.slice(text.indexOf(whole) + whole.length);
  return /^\s*(?:non-blank |non-empty |unique |distinct )?([a-z]+)/i.exec(after)?.[1]?.toLowerCase() ?? "";
}

const N = `(${numberPattern})`;
const be = "(?:or )?(?:equal to )?";
const only =
  (kind: Relation["kind"]) =>
  ([limit]: readonly number[], unit: string): Relation[] =>
    limit === undefined ? [] : [{ kind, limit, unit }];
const range = ([low, high]: readonly number[], unit: string): Relation[] =>
  low === undefined || high === undefined
    ? []
    : [
        { kind: "at_least", limit: low, unit },
        { kind: "at_most", limit: high, unit },
      ];

function fullScore([reached, most]: readonly number[], unit: string): Relation[] {
  return reached === undefined || reached !== most ? [] : [{ kind: "at_least", limit: reached, unit }];
}

const percent = "(?:%|per ?cent)?";
/** The start or end of a clause. */
const begins = "(?<=^|[,;:(=–—]|\\s-)\\s*";
const ends = "(?=\\s*(?:$|[,;)]|\\.(?!\\d)))";
const faults =
  "(?:errors?|warnings?|failures?|failed|issues?|violations?|findings?|bugs?|defects?|regressions?|vulnerabilities|leaks?|conflicts?|skipped|remaining|open|left|allowed)";

/** In this order: what says "no more than" must not be read as "more than". */
const sources: readonly (readonly [string, typeof range])[] = [
  [`\\bmax(?:imum)? len(?:gth)?(?: of| is)?\\s*[:=]?\\s*${N}`, only("at_most")],
  [`\\bmin(?:imum)? len(?:gth)?(?: of| is)?\\s*[:=]?\\s*${N}`, only("at_least")],
  [`\\b(?:list|array|collection)s? of ${N}\\s*(?:to|[-–—])\\s*${N}`, range],
  [
    `\\b(?:between|from|range(?: of)?|in|integer|int|number|float|score|value)\\s+${N}\\s*%?\\s*(?:and|to|through|\\.\\.\\.?|[-–—])\\s*${N}`,
    range,
  ],
  [`${N}\\s*(?:to|[-–—])\\s*${N}(?=\\s*(?:characters|chars|letters|words|lines|items|entries|elements)\\b)`, range],
  [`${begins}${N}\\s*%?\\s*(?:\\.\\.\\.?|[-–—]|to)\\s*${N}\\s*${percent}${ends}`, range],
  [`[[(]${N}\\s*(?:\\.\\.\\.?|[-–—]|to)\\s*${N}%?[\\])]`, range],
  [
    `(?:\\b(?:greater|more|higher) than or equal(?:s)? to|\\bequal to or (?:greater|more) than|\\b(?:no|not) (?:less|fewer|lower) than|\\bat least|\\bat the least|\\ba? ?minimum(?: of)?:?|\\bmin(?:imum)?\\.?[:=]?|\\bnot below|>=|=>|≥|⩾)\\s*(?:be )?${N}`,
    only("at_least"),
  ],
  [
    `(?:\\b(?:less|fewer|lower) than or equal(?:s)? to|\\bequal to or (?:less|fewer) than|\\b(?:no|not) (?:more|greater|higher) than|\\bat most|\\ba? ?maximum(?: of)?:?|\\bmax(?:imum)?\\.?[:=]?|\\bup to|\\b(?:must |may |should |does |do )?(?:not|never) (?:exceed|be above)|\\bnot above|<=|=<|≤|⩽)\\s*${N}`,
    only("at_most"),
  ],
  [
    `(?:\\b(?:greater|more|higher|larger) than|\\babove|\\bover|\\bexceed(?:s|ing)?|(?<![=<-])>(?!=))\\s*${be}${N}`,
    only("more_than"),
  ],
  [`(?:\\b(?:less|fewer|lower|smaller) than|\\bbelow|\\bunder|(?<![=])<(?!=))\\s*${N}`, only("less_than")],
  [
    `(?:\\bexactly|\\bequals?(?: to)?|\\bmust (?:be|equal)|==?)\\s*${N}(?!\\s*(?:or more|or less|\\+|[./:-]\\d))`,
    only("exactly"),
  ],
  [
    `${N}\\s*${percent}\\s*(?:(?:[a-z]+ )?or (?:more|higher|greater|above|better)|minimum\\b|\\+(?=[\\s.,;)]|$))`,
    only("at_least"),
  ],
  [`${N}\\s*${percent}\\s*(?:(?:[a-z]+ )?or (?:less|fewer|lower|below)|maximum\\b)`, only("at_most")],
  [`${begins}(?:is |are |must be )?(0|zero)(?:(?: [a-z]+){0,2} ${faults})?${ends}`, only("exactly")],
  [
    `${begins}(?:no|none|zero) (?:[a-z]+ )?(?:is |are )?(allowed)${ends}`,
    () => [{ kind: "exactly", limit: 0, unit: "" }],
  ],
  // A full score: 10/10.
  [`${begins}(-?\\d+(?:\\.\\d+)?)\\s*/\\s*${N}${ends}`, fullScore],
];
const phrases = sources.map(([pattern, read]) => ({ pattern: new RegExp(pattern, "gi"), read }));
