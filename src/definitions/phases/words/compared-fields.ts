import type { Comparison, Operand } from "../../../workflow/gate.ts";
import { comparingWords, type Relation } from "./limit-words.ts";
import { turned, turnOf } from "./negation.ts";

type Compared = Omit<Comparison, "left"> & { readonly line: number };

/** Takes the comparisons with other fields ("at most `total_lines`") out of the words about a field; one that nobody can understand stays there. */
export function comparedFields(
  words: string,
  line: number,
): { readonly rest: string; readonly comparisons: readonly Compared[] } {
  const comparisons: Compared[] = [];
  let rest = words;
  for (const [pattern, kind] of patterns) {
    rest = rest.replaceAll(pattern, (whole: string, field: string, offset: number, all: string) => {
      const is = meaningOf(kind, all.slice(0, offset), all.slice(offset + whole.length));
      if (is === undefined) return whole;
      const right: Operand = { field };
      comparisons.push({ is, right, message: whole.replaceAll("`", "").trim(), line });
      return " ; ".padEnd(whole.length);
    });
  }
  return { rest, comparisons };
}

const between = "\\s*(?:(?:the|as many as|that of|those in|in|field|value|number|length|count|of)\\s+){0,4}";
const name = "`(\\p{L}[\\p{L}\\p{M}\\p{N}]*(?:_[\\p{L}\\p{M}\\p{N}]+)+)`";
const patterns = comparingWords.map(
  ([said, kind]) => [new RegExp(`(?:${said})${between}${name}`, "giu"), kind] as const,
);

const names: Readonly<Record<Relation["kind"], Comparison["is"]>> = {
  at_least: "at_least",
  more_than: "more_than",
  at_most: "at_most",
  less_than: "less_than",
  exactly: "equal_to",
  other_than: "different_from",
};

function meaningOf(kind: Relation["kind"], before: string, after: string): Comparison["is"] | undefined {
  const turn = turnOf(before, after, kind);
  if (turn === "turned") return names[turned({ kind, limit: 0, unit: "" }).kind];
  return turn === "kept" ? names[kind] : undefined;
}
