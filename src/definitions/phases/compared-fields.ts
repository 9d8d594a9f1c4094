import type { Comparison, Operand } from "../../workflow/gate.ts";

type Compared = Omit<Comparison, "left"> & { readonly line: number };

/** Takes the comparisons with other fields ("at most `total_lines`") out of the words about a field. */
export function comparedFields(
  words: string,
  line: number,
): { readonly rest: string; readonly comparisons: readonly Compared[] } {
  const comparisons: Compared[] = [];
  const rest = words.replaceAll(relation, (whole, said: string, field: string) => {
    const right: Operand = { field };
    comparisons.push({ is: meaningOf(said), right, message: whole.replaceAll("`", "").trim(), line });
    return " ";
  });
  return { rest, comparisons };
}

const relation =
  /(>=|<=|[<>=≥≤]|\b(?:at least|at most|(?:no|not) (?:more|less|fewer|greater) than|(?:greater|more|less|fewer|higher|lower) than(?: or equal to)?|equals?(?: to)?|(?:the )?same as|different from|not exceed(?:ing)?|exceeds?|up to))\s+(?:the |as many as )*(?:(?:value|number|length|count) of )?`(\p{L}[\p{L}\p{M}\p{N}]*(?:_[\p{L}\p{M}\p{N}]+)+)`/giu;

function meaningOf(said: string): Comparison["is"] {
  const words = said.toLowerCase();
  if (/>=|≥|at least|(?:no|not) (?:less|fewer)|(?:greater|more|higher) than or/.test(words)) return "at_least";
  if (/<=|≤|at most|(?:no|not) (?:more|greater)|(?:less|fewer|lower) than or|not exceed|up to/.test(words))
    return "at_most";
  if (/different/.test(words)) return "different_from";
  if (/=|equal|same/.test(words)) return "equal_to";
  return />|greater|more|higher|exceed/.test(words) ? "more_than" : "less_than";
}
