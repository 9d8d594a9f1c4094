import { withoutMarks } from "../markdown/text-lines.ts";

/** The field that a line is about, and the words that say something of it. */
export type NamedWords = {
  readonly field: string;
  /** `code`: in backticks; `label`: bold or before a colon; `made`: made of the first words. */
  readonly by: "code" | "label" | "made";
  readonly words: string;
};

/** Splits a line at its fields, so that each part is about one. */
export function splitFields(line: string): string[] {
  const text = withCode(line);
  const parts: string[] = [];
  let from = 0;
  for (const { index, 0: cut } of text.matchAll(separator)) {
    const [before, after] = [text.slice(from, index), text.slice(index + cut.length)];
    if (!before.includes("`") || isValue(before, after)) continue;
    parts.push(before);
    from = index + cut.length;
  }
  const all = [...parts, text.slice(from)];
  const last = all.at(-1) ?? "";
  const tail = last.slice(last.search(bareName) === 0 ? (bareName.exec(last)?.[0].length ?? 0) : last.length);
  // "`a` and `b`: integer" says it of both.
  const areBare = all.slice(0, -1).every((part) => new RegExp(`^(?:.*\\s)?${code}\\s*$`, "iu").test(part));
  return areBare && /^\s*[:(–—-]/.test(tail)
    ? all.map((part, at) => (at === all.length - 1 ? part : part.trim() + tail))
    : all;
}

/** Finds the fields that a line may be about, the surest first. */
export function namesIn(line: string): readonly NamedWords[] {
  const text = withCode(line);
  const [lead, , first] = new RegExp(`^(${leadIn})${code}`, "iu").exec(text) ?? [];
  const codes = [...text.matchAll(new RegExp(code, "gu"))];
  const [only] = codes;
  const found: NamedWords[] = [];
  if (first !== undefined) found.push({ field: first, by: "code", words: text.slice(lead?.length) });
  else if (codes.length === 1 && only?.[1]?.includes("_")) {
    const [before, after] = [text.slice(0, only.index), text.slice(only.index + only[0].length)];
    found.push({
      field: only[1],
      by: "code",
      words: `${before.replace(/\s+as\s*$|[(\s]+$/i, "")}; ${after.replace(/^\s*\)/, "")}`,
    });
  }
  const [bold, name = ""] = /^[^\p{L}\p{N}*]*\*\*([^*`]+?):?\*\*\s*(?=[:(–—,-]|$)/u.exec(text) ?? [];
  if (bold !== undefined && isShort(name)) found.push(labelled(name, text.slice(bold.length)));
  const [, before = "", after = ""] = /^([^:.!?;,(`]{2,60}?):\s+(.+)$/s.exec(withoutBold(text)) ?? [];
  if (isShort(before)) found.push(labelled(before, after));
  return [...found, { field: asField(text), by: "made", words: text }];
}

/** The names that a line without one could be given, and the words left for it. */
export function subjectsIn(line: string): readonly NamedWords[] {
  const text = withoutBold(line);
  const cuts = [
    ...text.matchAll(
      /\s+[–—-]\s+|\s*\(|\s+(?=(?:is|are|must|has|have|at|no|not|more|less|fewer|above|below|under|between|exactly|equals?|up to|[<>=≥≤])(?![\p{L}]))/giu,
    ),
  ];
  return cuts.flatMap(({ index, 0: { length } }) => {
    const name = text.slice(0, index);
    return isShort(name) && name.split(/\s+/).length <= 4 ? [labelled(name, text.slice(index + length))] : [];
  });
}

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
  const labels = line.match(/\*\*[^*`]{2,40}\*\*(?=\s*\()/g) ?? [];
  const named =
    labels.length < 2
      ? line
      : line.replaceAll(/\*\*([^*`]{2,40})\*\*(?=\s*\()/g, (_, name: string) => `\`${asField(name)}\``);
  return named
    .replaceAll(/\*\*`([^`*]+)`:?\*\*(:?)/g, "`$1`$2")
    .replaceAll(/\*\*([\p{L}_][\p{L}\p{N}]*_[\p{L}\p{N}_]*)(:?)\*\*/gu, "`$1`$2")
    .replace(/(^|[:;]\s+)((?:please |the )?)([\p{L}]\p{L}*_[\p{L}\p{N}_]*)(?=[\s:,(]|$)/u, "$1$2`$3`");
}

function withoutBold(text: string): string {
  return text.replaceAll("**", "");
}

/** Tells if the name after a separator is one more value of what is before it, not a field. */
function isValue(before: string, after: string): boolean {
  if (new RegExp(`^${code}\\s*[:(=]`, "u").test(after)) return false;
  if (/\b(?:one|any|either|all|none|some|both|sum|least \d+|\d+) of\b|\beither\b|\bbetween\b/i.test(before))
    return true;
  if (new RegExp(`^${code}(?:\\s*,\\s*${code})*,?\\s+or\\s`, "iu").test(after) || /\bor\s+`[^`]*`\s*$/.test(before))
    return true;
  const said = before.split(/[;(]/).at(-1) ?? "";
  const codes = [...said.matchAll(/`[^`]*`/g)];
  // Words or a colon between the field and another name make that one its value.
  return codes.length > 1 && /`\s*$/.test(said);
}

const code = "`([\\p{L}_][\\p{L}\\p{N}_-]*)(?:\\[\\])?`";
const bareName = new RegExp(code, "u");
const separator = new RegExp(
  `\\s*(?:[,;]\\s*(?:and\\s+|plus\\s+)?|\\.\\s+|\\b(?:and|plus)\\s+)(?:(?:the|an?|optional|optionally)\\s+)*(?=${code})`,
  "giu",
);
const leadIn =
  "[^\\p{L}\\p{N}`*]*(?:(?:must provide|provide|submit|supply|record|report|give|please|the|an?|your|required|optional|optionally|count|value|field)[:\\s]+|\\(optional\\)\\s*|T?\\d+(?:\\.\\d+)*[.):]?\\s+)*";
