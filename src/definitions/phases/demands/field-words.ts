import { oneLine } from "../../one-line.ts";
import type { Line } from "../markdown/lines.ts";
import { type Context, meaningOf } from "../words/meaning.ts";
import { type Demands, noDemands, unclear } from "./demand.ts";

/** Makes a demand of a field and the words about it; closes the gate where they are not understood. */
export function fieldDemand(
  field: string,
  words: Line,
  whole: Line,
  place: { readonly isRequired: boolean; readonly isBox: boolean } & Pick<Context, "isField" | "type">,
): Demands {
  const meaning = meaningOf(words, { ...place, field });
  if ("unclear" in meaning)
    return unclear(
      whole.line,
      `${field}: ${meaning.unclear}. Write a rule as docs/phases.md shows it, such as "at least 3", "one of a, b" or "must contain \`x\`", or leave the words out`,
    );
  const { type, rules, mayBeEmpty, relations, required = place.isRequired } = meaning;
  const demand = { field, type, rules, mayBeEmpty, required, description: oneLine(whole.text), line: whole.line };
  return {
    ...noDemands,
    demands: [place.isBox ? { ...demand, isBox: true } : demand],
    relations: relations.map(({ is, field: other }) => ({ field, is, other, line: whole.line })),
  };
}
