import type { EvidenceRule, EvidenceType } from "../../../workflow/gate.ts";
import type { Relation } from "./limit-words.ts";

/** A limit on the size of a text, list or object; undefined where there is no rule for it. */
export function lengthRules({ kind, limit, unit }: Relation, type: EvidenceType): EvidenceRule[] | undefined {
  if (type === "string" && /^(?:word|line)/.test(unit)) return counted(kind, limit, unit);
  if (type === "string" && /^(?:sentence|paragraph)/.test(unit)) return atLeastSo(kind, limit, unit);
  // "text that shows at least 3 functions" does not say how long the text is.
  if (type === "string" && !isOfText(unit)) return [{ kind: "length_at_least", limit: 1 }];
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
    case "other_than":
      return limit === 0 ? [{ kind: "length_at_least", limit: 1 }] : undefined;
  }
}

/** Tells whether a unit measures a text. */
function isOfText(unit: string): boolean {
  return /^char|^letter|^length|^symbol|^$/.test(unit);
}

/** A pattern repeats a part only so often. */
const mostTimes = 500;

/** Words and lines are counted by a pattern. */
function counted(kind: Relation["kind"], limit: number, unit: string): EvidenceRule[] | undefined {
  const least = kind === "more_than" ? limit + 1 : kind === "at_least" || kind === "exactly" ? limit : 1;
  const most = kind === "less_than" ? limit - 1 : kind === "at_most" || kind === "exactly" ? limit : undefined;
  if (kind === "other_than") return undefined;
  // What is more than a pattern can count is left to the reader.
  if (least > mostTimes || (most ?? 1) > mostTimes || (most ?? 1) < 1) return [{ kind: "length_at_least", limit: 1 }];
  const isWords = unit.startsWith("word");
  const lower = isWords ? `(?:\\S+\\s+){${least - 1}}\\S` : `(?:[^\\n]*\\n){${least - 1}}`;
  const upper = isWords
    ? `^\\s*(?:\\S+\\s+){0,${(most ?? 1) - 1}}\\S*\\s*$`
    : `^(?:[^\\n]*\\n){0,${(most ?? 1) - 1}}[^\\n]*\\n?$`;
  const patterns = [...(least > 1 ? [lower] : []), ...(most === undefined ? [] : [upper])];
  return patterns.length === 0
    ? [{ kind: "length_at_least", limit: 1 }]
    : patterns.map((pattern) => ({ kind: "matches", pattern, flags: "" }));
}

/** Where sentences and paragraphs end can only be guessed at: a lower bound is asked for, the rest is left to the reader. */
function atLeastSo(kind: Relation["kind"], limit: number, unit: string): EvidenceRule[] {
  const least = kind === "more_than" ? limit + 1 : kind === "at_least" || kind === "exactly" ? limit : 1;
  if (least < 2 || least > mostTimes) return [{ kind: "length_at_least", limit: 1 }];
  const end = unit.startsWith("s") ? "[.!?…][\"'”’)]*\\s" : "\\n\\s*\\n";
  return [{ kind: "matches", pattern: `(?:(?s:.*?)${end}){${least - 1}}(?s:.*)\\S`, flags: "" }];
}
