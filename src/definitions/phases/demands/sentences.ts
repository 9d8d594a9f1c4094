import { oneLine } from "../../files/single-spaced.ts";
import { kindOfWords } from "../markdown/context-kind.ts";
import { joinLines, type Line, sliceLine, withLead } from "../markdown/text-lines.ts";
import { type Context, meaningOf, statesRule } from "../words/meaning.ts";
import { type Demands, gather, nameless, noDemands, unclear } from "./demand.ts";
import { isSnake, type Name, namesIn } from "./names.ts";

/** How sentences are read: whether what they ask for must be there, whether they stand in a box, and which names are fields. */
export type Reading = { readonly isRequired: boolean; readonly isBox?: boolean; isField(name: string): boolean };

/** What must be there, and no name in its words is another field. */
export const plain: Reading = { isRequired: true, isField: () => false };

/** What the sentences of a paragraph or entry ask for: with "must provide", "required:", "evidence:" or "checkpoint:". */
export function sentenceDemands(lines: readonly Line[], reading: Reading, isEntry = false): Demands {
  const line = joinLines(lines);
  // In an entry of a list a later sentence is about its field as soon as it says what anything must be.
  const goesOn = ({ start, end, text }: Sentence): boolean =>
    isAboutField(text) || statesRule(sliceLine(line, start, end), reading.isField, isEntry);
  const sentences = sentencesOf(line).map((sentence) => ({ ...sentence, asks: askingIn(sentence.text) }));
  return gather(
    sentences.map(({ start, end, asks }, index) => {
      if (asks === undefined) return forbidden(sliceLine(line, start, end));
      const more = sentences.slice(index + 1);
      const next = more.findIndex((one) => one.asks !== undefined);
      const rest = more.slice(0, next === -1 ? undefined : next).findLast(goesOn);
      const lead = sliceLine(line, start, start + asks.lead);
      return demandsIn(sliceLine(line, start + asks.start, rest?.end ?? end), lead.text.trim(), reading);
    }),
  );
}

/** What an entry of a list of evidence asks for; undefined where it names no field. */
export function entryDemands(lines: readonly Line[], reading: Reading): Demands | undefined {
  const line = joinLines(lines);
  const [first] = namesIn(line);
  return first === undefined || !isBlank(line.text.slice(0, first.start)) ? undefined : fieldsOf(line, reading);
}

type Sentence = { readonly start: number; readonly end: number; readonly text: string };

/** The sentences of a line, by where they begin and end. */
export function sentencesOf({ text, marks }: Line): Sentence[] {
  const isInside = (at: number): boolean => marks.some(({ start, end }) => at > start && at < end);
  const ends = [...text.matchAll(/[.!?][)"”]?\s+(?=[\p{Lu}`*>])/gu)].filter(({ index }) => !isInside(index));
  const cuts = [0, ...ends.map(({ index, 0: found }) => index + found.length), text.length];
  return cuts.slice(1).map((end, index) => ({ start: cuts[index] ?? 0, end, text: text.slice(cuts[index], end) }));
}

/** Where a sentence asks: by its verb, or by a label in front. `lead` is where the words before the asking end. */
function askingIn(text: string): { readonly start: number; readonly lead: number } | undefined {
  const verb = /\bmust\s+(?:also\s+)?(?:provide|submit|supply)\b/i.exec(text);
  // A field may be called `samples`: only what stands before the asking makes an example of it.
  if (kindOfWords(text.slice(0, verb?.index).split(/[:,]/)[0] ?? "") === "example") return undefined;
  if (verb !== null) return { start: verb.index + verb[0].length, lead: verb.index };
  const label = /^[^:]{1,60}:/.exec(text)?.[0] ?? "";
  return kindOfWords(label) === "evidence" ? { start: label.length, lead: 0 } : undefined;
}

/** "Must not provide `secret`": no gate can hold that against what is handed in. */
function forbidden(sentence: Line): Demands {
  const isForbidden = /\bmust\s+(?:not|never)\s+(?:provide|submit|supply)\b/i.test(sentence.text);
  return isForbidden && namesIn(sentence).some(({ isCode }) => isCode)
    ? nameless(sentence.line, `"${sentence.text.trim()}" forbids a field, which a gate cannot enforce`)
    : noDemands;
}

/** "It is at least 3": a sentence that goes on about the field. */
function isAboutField(text: string): boolean {
  const [first = "", second = ""] = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return going.has(first) || first.startsWith("any") || (first === "the" && topics.has(second));
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(" "));
const going = set("it its this that these those they each every all at no none must value values");
const topics = set("value number list text count file path");

function demandsIn(rest: Line, lead: string, reading: Reading): Demands {
  const { line } = rest;
  const said = lead.toLowerCase().split(/\s+/);
  const subject = said.at(-1)?.replaceAll(/[^\p{L}]/gu, "") ?? "";
  if (said.some((word) => ["if", "unless", "when", "whenever"].includes(word)))
    return unclear(
      line,
      `"${lead}" depends on a condition that a gate cannot check; always require it, or write optional`,
    );
  if (subject !== "" && !subjects.has(subject) && !lead.endsWith(":"))
    return nameless(line, `"${lead} must provide" is about someone else, so nothing is required here`);
  const several = severalIn(rest);
  if (several !== undefined) return unclear(line, several);
  const read = fieldsOf(rest, reading);
  if (read.demands.length + read.unclear.length > 0 || isBlank(rest.text)) return read;
  return nameless(line, `"${rest.text.trim()}" asks for evidence but names no field`);
}

/** Why words ask for more than fields: for some of several, or for something else before the first. */
function severalIn(line: Line): string | undefined {
  const names = namesIn(line);
  const [first, second] = names.filter(({ isCode }) => isCode);
  if (first === undefined) return undefined;
  const before = line.text.slice(0, first.start);
  const isRow = second !== undefined && /^[\s,/]*(?:(?:and|or)\s+)?$/i.test(line.text.slice(first.end, second.start));
  if (isRow && notFields.has(lastWord(before)))
    return `"${line.text.trim()}" asks for some of several fields, which a gate cannot enforce; require each one separately`;
  const isAnother =
    /\band\s*$/i.test(before) || (/[,;]\s*$/.test(before) && !/^\s*(?:,|(?:the|an?|your)\s)/i.test(before));
  return isAnother && !isBlank(before) && names[0] === first
    ? `"${before.trim()}" asks for something other than ${first.field}; put it on its own line or in its own checkbox`
    : undefined;
}

function lastWord(text: string): string {
  return (text.match(/[\p{L}\p{N}]+(?=\W*$)/u)?.[0] ?? "").toLowerCase();
}

const subjects = set(
  "you we i team assistant agent ai author developer engineer everybody everyone and then also lost so",
);

/** Each name with its own words; names that stand side by side share the words that follow. */
function fieldsOf(line: Line, reading: Reading): Demands {
  const names = fieldNames(line);
  const read: Demands[] = [];
  let waiting: Name[] = [];
  for (const [index, name] of names.entries()) {
    const next = names[index + 1];
    const from = index === 0 ? 0 : cutBefore(line, names[index - 1], name);
    const end = next === undefined ? line.text.length : cutBefore(line, name, next);
    const after = sliceLine(line, name.end, end);
    waiting.push(name);
    if (next !== undefined && isBlank(line.text.slice(name.end, next.start)) && isBlank(after.text)) continue;
    const before = sliceLine(line, from, (waiting[0] ?? name).start);
    const isList = line.text.slice(name.start, name.end).endsWith("[]");
    const lead = isBlank(before.text) ? [] : [{ ...before, text: `${before.text},` }];
    const words = joinLines([...lead, isList ? withLead("list,", after) : after]);
    const whole = sliceLine(line, from, end);
    for (const { field } of waiting)
      read.push(fieldDemand(field, words, whole, { ...reading, isBox: reading.isBox === true }));
    waiting = [];
  }
  return gather(read);
}

/** Where the words of one name end and those of the next begin: at the last comma, full stop or "and" between them. */
function cutBefore({ text }: Line, name: Name | undefined, next: Name): number {
  const from = name?.end ?? 0;
  const between = text.slice(from, next.start);
  const last = [...between.matchAll(/[,;.]|\band\b/gi)].at(-1);
  return last === undefined ? next.start : from + last.index + last[0].length;
}

/** The names that are fields: the first that is not spoken of as something else, and those that stand beside it in a row. */
function fieldNames(line: Line): Name[] {
  const fields: Name[] = [];
  for (const name of namesIn(line)) {
    const last = fields.at(-1);
    const before = line.text.slice(last?.end ?? 0, name.start);
    const after = line.text.slice(name.end);
    if (last === undefined ? notFields.has(lastWord(before)) : !isBeside(before, after, name)) continue;
    fields.push(name);
  }
  return fields;
}

function isBeside(before: string, after: string, name: Name): boolean {
  if (/^[\s,&]*(?:and\s+)?(?:also\s+)?$/i.test(before)) return true;
  const isParted =
    /[,;.)]\s*(?:and\s+)?(?:the\s+|an?\s+)?(?:\p{L}+\s+)?$|\band\s+(?:the\s+|an?\s+)?(?:count\s+|list\s+|number\s+|text\s+)?$/iu.test(
      before,
    );
  const isTold = /^\s*(?:[:(–—]|as\b|\p{L}+\b)/u.test(after) || /^\s*[.;,]?\s*$/.test(after);
  return isParted && isTold && (isSnake(name.field) || /^\s*[:(]/.test(after) || !name.isCode);
}

const notFields = set(
  "of from in with by via using run running runs to than least most equal equals or either like per for on at exactly over under above below not without into",
);

function isBlank(text: string): boolean {
  return !/[\p{L}\p{N}]/u.test(text.replaceAll(/\band\b/gi, ""));
}

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
      `${field}: ${meaning.unclear}. Write a rule listed in docs/phases.md, such as "at least 3", "one of a, b" or "must contain \`x\`", or remove the text`,
    );
  const { type, rules, mayBeEmpty, relations, required = place.isRequired } = meaning;
  const [, another = "", topic = ""] = type === "boolean" ? [] : (besides.exec(words.text) ?? []);
  if (another !== "" && !topics.has(topic.toLowerCase()))
    return unclear(
      whole.line,
      `"${another}" is about something other than ${field}; put it on its own line or in its own checkbox`,
    );
  const demand = { field, type, rules, mayBeEmpty, required, description: oneLine(whole.text), line: whole.line };
  return {
    ...noDemands,
    demands: [place.isBox ? { ...demand, isBox: true } : demand],
    relations: relations.map(({ is, field: other }) => ({ field, is, other, line: whole.line })),
  };
}

/** ", and the docs are updated": a sentence of its own behind a field. */
const besides = /[,;]\s+and\s+((?:the|all|every)\s+(\p{L}+)\s+(?:[\p{L}-]+\s+){0,2}(?:is|are|was|were)\b.*)$/isu;
