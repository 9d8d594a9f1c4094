import { evidenceTypeOf } from "../../../gates/type-vocabulary.ts";
import { formFromName } from "../../gates/rule-names.ts";
import type { Line, LineMark } from "../markdown/text-lines.ts";

/** Tells whether a text can be the name of a piece of evidence: one word of letters, digits, _ and -, of any language. */
export function isName(text: string): boolean {
  return (
    namePattern.test(text) &&
    text.length <= 100 &&
    !values.has(text.toLowerCase()) &&
    !isLimit(text) &&
    evidenceTypeOf(text) === undefined
  );
}

/** `greater_than_0` is a validator, whoever is asked. */
function isLimit(text: string): boolean {
  const read = /_\d+$/.test(text) ? formFromName(text) : undefined;
  return read !== undefined && "form" in read && read.form.takes === "number";
}

/** Tells whether a name is one that nobody writes in a sentence: with an underscore in it. */
export function isSnake(text: string): boolean {
  return text.includes("_") && isName(text);
}

/** A text as a name: lower case, what is neither letter nor digit as one underscore. */
export function asSnake(text: string): string {
  const words = text
    .toLowerCase()
    .replaceAll(/['’`]/g, "")
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  return (words ?? []).join("_");
}

/** A name in a line, and where it stands. */
export type Name = { readonly field: string; readonly start: number; readonly end: number; readonly isCode: boolean };

/** Every word of a line that may name a field: in backticks, in bold, or with an underscore. */
export function namesIn({ text, marks }: Line): Name[] {
  const marked = marks.flatMap((mark) => nameOf(mark));
  const isInside = (at: number): boolean => marks.some(({ start, end }) => at >= start && at < end);
  const bare = [...text.matchAll(/[\p{L}\p{N}]+(?:_+[\p{L}\p{N}]+)+/gu)].flatMap(({ 0: field, index: start }) =>
    isInside(start) || isLimit(field) ? [] : [{ field, start, end: start + field.length, isCode: true }],
  );
  return [...marked, ...bare].sort((a, b) => a.start - b.start);
}

function nameOf({ kind, text, start, end }: LineMark): Name[] {
  const bare = text.endsWith("[]") ? text.slice(0, -2) : text;
  if (kind === "code") return isName(bare) ? [{ field: bare, start, end, isCode: true }] : [];
  const words = text.endsWith(":") ? text.slice(0, -1) : text;
  const field = isName(words) ? words.replaceAll("-", "_") : asSnake(words);
  return field === "" || values.has(field.toLowerCase()) || words.split(" ").length > 6
    ? []
    : [{ field: isSnake(words) ? words : field.toLowerCase(), start, end, isCode: false }];
}

const namePattern = /^\p{L}[\p{L}\p{M}\p{N}]*(?:[_-]+[\p{L}\p{M}\p{N}]+)*$/u;
const values = new Set("true false null none yes no optional required high low medium".split(" "));
