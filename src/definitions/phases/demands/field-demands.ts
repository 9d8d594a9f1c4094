import type { Comparison } from "../../../workflow/gate.ts";
import type { Line } from "../markdown/lines.ts";
import { comparedFields } from "../words/compared-fields.ts";
import { meaningOf } from "../words/meaning.ts";
import { validatorsIn } from "../words/validator-notes.ts";
import { wordsAbout } from "../words/words-about.ts";
import type { Demand, Demands, Unclear } from "./demand.ts";
import type { Named } from "./fields.ts";

/** What a line demands of the fields that it names, by the words about each of them. */
export function fieldDemands(line: Line, fields: readonly Named[], from: number): Demands {
  const demands: Demand[] = [];
  const comparisons: (Comparison & { readonly line: number })[] = [];
  const unclear: Unclear[] = [];
  fields.forEach((named, index) => {
    const text = wordsAbout(line, fields, index, from);
    const noted = validatorsIn(text.words);
    const compared = comparedFields(noted.rest, line.line);
    const hint = named.hint === undefined ? "" : `(${named.hint}) `;
    const { unclear: why, ...meaning } = meaningOf(named.field, hint + compared.rest, noted.written);
    demands.push({
      field: named.field,
      ...meaning,
      description: described(text.description, line),
      line: line.line,
    });
    comparisons.push(...compared.comparisons.map((one) => ({ ...one, left: { field: named.field } })));
    unclear.push(...why.map((message) => ({ line: line.line, message: `${named.field}: ${message}` })));
  });
  return { demands, comparisons, unclear, nameless: [] };
}

function described(words: string, line: Line): string {
  const plain = words
    .replaceAll("`", "")
    .replaceAll(/\s+/g, " ")
    .replace(/\s*\[?validators?: [^\]]*\]?\s*$/i, "")
    .replace(/^[\s:;,.)\]–—=-]+/, "")
    .replace(/[\s,;:(–—-]+(?:and|or|plus)?\s*$/i, "")
    .trim();
  return /\p{L}/u.test(plain.replaceAll(/\b(?:and|or|plus|the)\b/gi, ""))
    ? plain
    : line.text.replaceAll(/\s+/g, " ").trim();
}
