import type { Named } from "../demands/fields.ts";
import type { Line } from "../markdown/lines.ts";

/** What a line says of one of its fields: all the words that count, and those that describe it. */
export type Words = { readonly words: string; readonly description: string };

/** The words about one of the fields of a line: those after it, up to the next; those before it where it stands in brackets. */
export function wordsAbout(line: Line, fields: readonly Named[], index: number, from: number): Words {
  const named = fields[index];
  if (named === undefined) return { words: "", description: "" };
  const next = fields[index + 1];
  const before = beforeField(line, fields, index, from);
  if (isBracketed(line, named, before)) {
    const end = closing(line, named);
    const inside = marked(line, named.end, end);
    const rest = next === undefined ? marked(line, end, line.text.length) : "";
    return { words: `${before} ${inside} ; ${rest}`, description: before.replace(/[([]\s*$/, "") };
  }
  const between = marked(line, named.end, next?.start ?? line.text.length);
  const after = next === undefined ? between : between.slice(0, between.length - leadOf(between).length);
  const isBare = !/[\p{L}\p{N}<>=≥≤]/u.test(after.replaceAll(/\b(?:and|or|plus|as well as|the|also)\b/gi, ""));
  const last = fields[index - 1];
  // "`a` (integer), `b`, `c` (list)": where each has its own, nothing is shared.
  const isApart = last !== undefined && /^\s*\(/.test(line.text.slice(last.end));
  // "`a` as well as `b` (list)", "`a` and `b`; `b` must be …": what is told of the next is told of it alone.
  const isOther = accompanying.test(between) || next?.field === named.field || ownType.test(leadOf(before) || before);
  if (isBare && next !== undefined && !isApart && !isOther && !isBracketed(line, next, between))
    return wordsAbout(line, fields, index + 1, from);
  const lead = index === 0 ? before : leadOf(before);
  return { words: `${after} ; ${lead}`, description: isBare ? before : after };
}

/** "integer `a`, list `b`": each has its type before it. */
const ownType = /\b(?:integer|list|string|boolean|number|array|text|flag|object|float)\s*$/i;
const accompanying =
  /\b(?:along with|together with|combined with|paired with|in addition to|accompanied by|as well as|plus|followed by|and also|alongside|besides)\b/i;

/** "…, and the number of methods as `method_count`", "; optional: `notes`": words before a name that are about it. */
function leadOf(between: string): string {
  return (
    /(?:[,;]|\band)\s+(?:and\s+)?(?:the|an?|your|its|optional(?:ly)?:?|integer|list|string|boolean|number|array|text|flag|object|float)(?=\s)[^,;.()]*$/i.exec(
      between,
    )?.[0] ?? ""
  );
}

function beforeField(line: Line, fields: readonly Named[], index: number, from: number): string {
  const named = fields[index];
  const last = fields[index - 1];
  if (named === undefined) return "";
  if (last === undefined) return marked(line, Math.min(from, named.start), named.start);
  const wasBracketed = /[([]\s*$/.test(line.text.slice(0, last.start));
  return marked(line, Math.min(wasBracketed ? closing(line, last) : last.end, named.start), named.start);
}

/** "the number of methods (`method_count`, at least 2)". */
function isBracketed(line: Line, { start }: Named, before: string): boolean {
  return /[([]\s*$/.test(line.text.slice(0, start)) && /\p{L}/u.test(before);
}

function closing({ text }: Line, { end }: Named): number {
  const at = text.slice(end).search(/[)\]]/);
  return at === -1 ? end : end + at + 1;
}

/** A part of a line with its backticks, which tell a value from a word. */
function marked({ text, marks }: Line, from: number, to: number): string {
  let words = "";
  let at = from;
  for (const { kind, start, end } of marks) {
    if (kind !== "code" || start < at || end > to) continue;
    words += `${text.slice(at, start)}\`${text.slice(start, end)}\``;
    at = end;
  }
  return words + text.slice(at, to);
}
