import { withoutMarks } from "../markdown/text-lines.ts";
import { mayBeRule } from "./clauses.ts";
import { joint, typeIn } from "./forms.ts";

/** The field that a line is about, and the words that say something of it. */
export type NamedWords = {
  readonly field: string;
  /** `code`: in backticks; `label`: bold or before a colon; `made`: made of the first words. */
  readonly by: "code" | "label" | "made";
  readonly words: string;
};

/** Splits a line at its fields, so that each part is about one; a list after a label also at things without a name. */
export function splitFields(line: string, isListed = false): string[] {
  const text = withCode(line);
  const parts: string[] = [];
  let from = 0;
  for (const { index, 0: cut } of text.matchAll(separator)) {
    const [before, after] = [text.slice(from, index), text.slice(index + cut.length)];
    if (!(isListed ? /\p{L}/u.test(before) : before.includes("`")) || isValue(before, after)) continue;
    parts.push(before);
    from = index + cut.length;
  }
  const all = [...parts, text.slice(from)];
  const last = all.at(-1) ?? "";
  const name = new RegExp(`^${code}`, "u").exec(last)?.[0] ?? last;
  const tail = last.slice(name.length).replace(/^(\W*(?:integer|number|boolean|date|url|text|file))s\b/i, "$1");
  // "`a` and `b`: integers" says it of both.
  const areBare = parts.length > 0 && parts.every((part) => new RegExp(`^(?:.*\\s)?${code}\\s*$`, "iu").test(part));
  return areBare && /^\s*(?:[:–—-]|\((?!.*\b(?:none|any|optional|empty)\b)[^)]*\)\W*$)/.test(tail)
    ? [...parts.map((part) => part.trim()), name].map((part) => part + tail)
    : isListed
      ? [...all.slice(0, -1), ...splitThings(last)]
      : all;
}

/** Splits a list of short things, with names or without. */
function splitThings(list: string): string[] {
  const isClear = list.includes(";");
  const things = list.split(isClear ? /;\s+(?:and\s+)?/ : /,\s+(?:and\s+)?|\s+and\s+(?=(?:the|an?|your)\s)/);
  const isThing = (words: string): boolean =>
    new RegExp(`^(?:(?:the|an?) )?${code}(?:\\s*\\([^)]*\\)${isClear ? "|[^:;`]*" : ""})?$`, "iu").test(words) ||
    (words.split(/\s+/).length <= (list.includes("`") ? 8 : 5) &&
      !words.includes("`") &&
      !mayBeRule(words) &&
      !goesOn.test(words) &&
      typeIn(words.replace(/^an? /i, "")) === undefined);
  return things.every(isThing) ? things : [list];
}

/** Words that go on about what is before them. */
const goesOn =
  /^(?:which|that|who|each|both|all|say|tell|as|in|with|at|for|where|when|it|they|them|is|are|\w+ed|\w+ing)\b/i;

/** Finds the fields that a line may be about, the surest first. */
export function namesIn(line: string): readonly NamedWords[] {
  const text = withCode(line);
  const [lead, , first] = new RegExp(`^(${leadIn})${code}`, "iu").exec(text) ?? [];
  const codes = [...text.matchAll(new RegExp(code, "gu"))];
  const [only] = codes;
  const found: NamedWords[] = [];
  if (first !== undefined) found.push({ field: first, by: "code", words: text.slice(lead?.length) });
  else if (codes.length === 1 && only?.[1]?.includes("_") && !/[,;]\s*`[^`]*`\s*[,;]/.test(text)) {
    const [before, after] = [text.slice(0, only.index), text.slice(only.index + only[0].length)];
    found.push({
      field: only[1],
      by: "code",
      words: `${before}; ${after}`,
    });
  }
  const [bold, name = ""] = /^[^\p{L}\p{N}*]*(?:(?:the|an?|your|our)\s+)?\*\*([^*`]+?):?\*\*\s*/iu.exec(text) ?? [];
  if (bold !== undefined && isShort(name)) found.push(labelled(name, text.slice(bold.length)));
  const [, before = "", after = ""] = /^([^:.!?;,(`]{2,60}?):\s+(.+)$/s.exec(text.replaceAll("**", "")) ?? [];
  if (isShort(before)) found.push(labelled(before, after));
  return [...found, { field: asField(text), by: "made", words: text }];
}

/** The names that a line without one could be given, and the words left for it. */
export function subjectsIn(line: string): readonly NamedWords[] {
  const text = line.replaceAll("**", "").replace(asking, "");
  const cuts = [...text.matchAll(/\s+[–—-]\s+|\s*\(|,\s+/g), ...text.matchAll(joint)];
  return cuts
    .map(({ index, 0: { length } }) => labelled(text.slice(0, index), text.slice(index + length)))
    .filter(({ field }) => field !== "" && field.split("_").length <= 4);
}

/** The words that ask, before what they ask for. */
const asking = /^\W*(?:(?:must provide|provide|submit|supply|record|report|give)\s+)?(?:(?:the|an?|your)\s+)?/i;

/** Makes a field name of the first words of a text. */
export function asField(text: string): string {
  const words =
    withoutMarks(text)
      .toLowerCase()
      .replaceAll(/['’]/g, "")
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.slice(0, 6).join("_").slice(0, 60);
}

function labelled(name: string, words: string): NamedWords {
  return {
    field: asField(name.replace(/^\W*(?:(?:the|an?|optional|optionally)[:\s]+)+|\s+(?:with|of|has|is|are)$/gi, "")),
    by: "label",
    words,
  };
}

function isShort(name: string): boolean {
  const words = name.trim().split(/\s+/);
  return /\p{L}/u.test(name) && words.length <= 6;
}

/** Puts a name with an underscore in backticks where it is bold or begins the line. */
function withCode(line: string): string {
  const bold = /\*\*([^*`]{2,40})\*\*(?=\s*(?:[(,;]|and \*\*|$))/g;
  const isList = (line.match(bold) ?? []).length > 1;
  const named = isList ? line.replaceAll(bold, (_, name: string) => `\`${asField(name)}\``) : line;
  return named
    .replaceAll(/\*\*`([^`*]+)`:?\*\*(:?)/g, "`$1`$2")
    .replace(/(^|[:;]\s+)((?:please |the )?)([\p{L}]\p{L}*_[\p{L}\p{N}_]*)(?=[\s:,(]|$)/u, "$1$2`$3`");
}

/** Tells if the name after a separator is one more value of what is before it, not a field. */
function isValue(before: string, after: string): boolean {
  if (new RegExp(`^${code}\\s*[:(=]`, "u").test(after)) return false;
  if (
    /\b(?:one|any|either|all|none|some|both|sum|least \d+|\d+) of\b|\beither\b|\bbetween\b(?!\s+-?[\d.])/i.test(before)
  )
    return true;
  if (new RegExp(`^${code}(?:\\s*,\\s*${code})*,?\\s+or\\s`, "iu").test(after) || /\bor\s+`[^`]*`\s*$/.test(before))
    return true;
  const said = before.split(/[;(]/).at(-1) ?? "";
  const codes = [...said.matchAll(/`[^`]*`/g)];
  // Words or a colon between the field and another name make that one its value.
  return codes.length > 1 && /`\s*$/.test(said);
}

const code = "`([\\p{L}_][\\p{L}\\p{N}_-]*)(?:\\[\\])?`";
const separator = new RegExp(
  `\\s*(?:[,;]\\s*(?:and\\s+|plus\\s+)?|\\.\\s+|\\b(?:and|plus)\\s+)(?:(?:the|an?|optional|optionally)\\s+)*(?=${code})`,
  "giu",
);
const leadIn =
  "[^\\p{L}\\p{N}`*]*(?:(?:must provide|provide|submit|supply|record|report|give|please|the|an?|your|required|optional|optionally|count|value|field)[:\\s]+|\\(optional\\)\\s*|T?\\d+(?:\\.\\d+)*[.):]?\\s+)*";
