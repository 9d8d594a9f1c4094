import type { Comparison } from "../../workflow/gate.ts";
import { comparedFields } from "./compared-fields.ts";
import { type Demand, type Demands, noDemands, type Unclear } from "./demand.ts";
import { fieldsIn, leadingField, type Named } from "./fields.ts";
import { findIndicator } from "./indicators.ts";
import { joinLines, type Line } from "./lines.ts";
import { namedRules, typeOfValidator } from "./named-rules.ts";
import { readRules } from "./rule-words.ts";
import { inferType } from "./type-words.ts";
import { validatorsIn } from "./validator-notes.ts";
import { wordsAbout } from "./words-about.ts";

/** How much the place of a line says already: evidence is being listed, the gate is being described, or nothing. */
export type Asking = "listed" | "gate" | "nothing";

/** Reads the lines of a paragraph or list item as seed 004 does: who asks for evidence and names it, gets a field. */
export function proseDemands(lines: readonly Line[], asking: Asking): Demands {
  const inGate = asking !== "nothing";
  const readings = segmentsOf(lines, inGate).map((line) => demandsIn(line, asking));
  return {
    demands: readings.flatMap(({ demands }) => demands),
    comparisons: readings.flatMap(({ comparisons }) => comparisons),
    unclear: readings.flatMap(({ unclear }) => unclear),
    nameless: readings.flatMap(({ nameless }) => nameless),
  };
}

/** Lines that ask on their own stand alone; others go on what was said before. */
function segmentsOf(lines: readonly Line[], inGate: boolean): Line[] {
  const groups: Line[][] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    if (last === undefined || beginsAnew(line, joinLines(last).text, inGate)) groups.push([line]);
    else last.push(line);
  }
  const segments = groups.map(joinLines);
  const isAsked = (line: Line): boolean => findIndicator(line.text, inGate) !== undefined;
  const whole = joinLines(lines.slice(0, 20));
  // "You must⏎provide …": a line's end may fall between the words that ask.
  return !segments.some(isAsked) && isAsked(whole) ? [whole] : segments;
}

/** A line that asks, or one that begins with a name where the line before it was at an end. */
function beginsAnew({ text, marks }: Line, before: string, inGate: boolean): boolean {
  if (findIndicator(text, inGate) !== undefined) return true;
  const [first] = marks;
  const isNamed = first !== undefined && !/[\p{L}\p{N}]/u.test(text.slice(0, first.start));
  return isNamed && !/[,;(–—-]\s*$|\b(?:and|or|plus|with|of|the|than|to|as|in|an?)\s*$/i.test(before);
}

function demandsIn(line: Line, asking: Asking): Demands {
  const indicator = findIndicator(line.text, asking !== "nothing");
  const fields = namesIn(line, asking, indicator?.end);
  if (fields.length > 0) return read(line, fields, indicator?.end ?? 0);
  const isAsking =
    asking === "listed" || (indicator !== undefined && /must/i.test(line.text.slice(indicator.start, indicator.end)));
  if (!isAsking || /[:：]\s*$/.test(line.text)) return noDemands;
  return {
    ...noDemands,
    nameless: [{ line: line.line, message: `"${line.text.trim()}" asks for evidence and names no field` }],
  };
}

function namesIn(line: Line, asking: Asking, indicatorEnd: number | undefined): Named[] {
  if (indicatorEnd !== undefined) return fieldsIn(line, indicatorEnd);
  if (asking === "listed") return fieldsIn(line, 0);
  const leading = asking === "gate" ? leadingField(line) : undefined;
  return leading === undefined ? [] : [leading];
}

function read(line: Line, fields: readonly Named[], from: number): Demands {
  const demands: Demand[] = [];
  const comparisons: (Comparison & { readonly line: number })[] = [];
  const unclear: Unclear[] = [];
  fields.forEach((named, index) => {
    const text = wordsAbout(line, fields, index, from);
    const noted = validatorsIn(text.words);
    const compared = comparedFields(noted.rest, line.line);
    const { type, certainty } = typeFor(named.field, compared.rest, noted.written);
    const worded = readRules(compared.rest, type);
    const listed = noted.written.map((written) => namedRules(written, type, named.field));
    demands.push({
      field: named.field,
      type,
      certainty,
      required: worded.required,
      description: described(text.description, line),
      rules: [...listed.flatMap((read) => ("rules" in read ? read.rules : [])), ...worded.rules],
      mayBeEmpty: worded.mayBeEmpty || listed.some((read) => "rules" in read && read.mayBeEmpty),
      line: line.line,
    });
    comparisons.push(...compared.comparisons.map((one) => ({ ...one, left: { field: named.field } })));
    for (const message of [worded.unclear, ...listed.map((read) => ("unclear" in read ? read.unclear : undefined))]) {
      if (message !== undefined) unclear.push({ line: line.line, message: `${named.field}: ${message}` });
    }
  });
  return { demands, comparisons, unclear, nameless: [] };
}

/** A limit on a field of which nothing says the type makes a number of it, or a list where items are counted. */
function typeFor(field: string, words: string, validators: readonly string[]): Pick<Demand, "type" | "certainty"> {
  const inferred = inferType(field, words);
  if (inferred.certainty !== "assumed") return inferred;
  const noted = validators.map(typeOfValidator).find((type) => type !== undefined);
  if (noted !== undefined) return { type: noted, certainty: "read" };
  const limited = readRules(words, "integer").rules.some(
    ({ kind }) => /^(?:at|more|less)_/.test(kind) || kind === "equals",
  );
  if (!limited || /\b(?:characters?|chars?|words?|lines?|letters?)\b/i.test(words)) return inferred;
  if (/\d+ (?:items?|entries|elements?|rows?)\b|\b(?:items|entries|elements)\b/i.test(words))
    return { type: "list", certainty: "read" };
  return { type: /\d\.\d|%/.test(words) ? "number" : "integer", certainty: "read" };
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
