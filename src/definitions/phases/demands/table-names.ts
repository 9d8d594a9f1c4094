import type { Line } from "../markdown/lines.ts";
import { asSnake, codeName, isName } from "./names.ts";

/** The fields that a cell names, and what it says of them besides: "`notes` (optional)", "`a`, `b`". */
export function namesInCell(cell: Line | undefined): { readonly fields: readonly string[]; readonly beside: string } {
  if (cell === undefined) return { fields: [], beside: "" };
  const codes = cell.marks.flatMap(({ kind, text, start, end }) => {
    const name = kind === "code" ? codeName(text) : undefined;
    return name === undefined ? [] : [{ field: name.field, hint: name.hint, start, end }];
  });
  const [first] = codes;
  if (first === undefined) return plainName(cell);
  const fields = [first];
  for (const code of codes.slice(1)) {
    const between = cell.text.slice(fields.at(-1)?.end ?? 0, code.start);
    if (/^\s*(?:[,;/&+]|and|,\s*and)?\s*$/i.test(between)) fields.push(code);
  }
  const rest = `${cell.text.slice(0, first.start)} ; ${cell.text.slice(fields.at(-1)?.end ?? 0)}`;
  return { fields: fields.map(({ field }) => field), beside: [rest, ...fields.map(({ hint }) => hint)].join(" ; ") };
}

function plainName({ text, marks }: Line): { readonly fields: readonly string[]; readonly beside: string } {
  const [, before = "", inside = ""] = /^(.*?)\s*(?:\(([^()]*)\))?\s*$/s.exec(text.trim()) ?? [];
  const isBold = marks.some(({ kind }) => kind === "strong");
  const isNote = before !== "" && aboutValue.test(inside);
  const words = isNote ? before : text.trim();
  const field = isName(words) && !isBold ? words : asSnake(words);
  return { fields: field === "" ? [] : [field], beside: isNote ? inside : "" };
}

/** A bracket that is about the value, not part of the name. */
const aboutValue =
  /\b(?:optional|required|mandatory|recommended|if applicable|nice to have|integer|int|number|boolean|bool|string|list|array|object|float|text)\b|[<>=≥≤%]|\bat (?:least|most)\b/i;
