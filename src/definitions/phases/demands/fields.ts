import type { Line } from "../markdown/lines.ts";
import { meaningOf } from "../words/meaning.ts";
import { boldNames } from "./bold-names.ts";
import { accompanying, aside, choosing, isInside, isTold, isToldMore, things, typed } from "./name-words.ts";
import { codeName, isSnake } from "./names.ts";

/** A name of evidence, and where in its line it stands. */
export type Named = {
  readonly field: string;
  readonly start: number;
  readonly end: number;
  /** What its form says of its type: `items[]`. */
  readonly hint?: string;
};

/** Finds the evidence a line names: in backticks, else in bold, else as the first snake_case word, and what is listed with it. */
export function fieldsIn(line: Line, from: number): Named[] {
  const codes = codeNames(line);
  const bolds = boldNames(line, from);
  const snakes = snakeWords(line);
  const found = some(chain(line, codes, from));
  return (
    (found === undefined ? undefined : [...found, ...boldBeside(line, bolds, found)]) ??
    some(chain(line, bolds, from)) ??
    some(chain(line, snakes, from)) ??
    // "record the count in `function_count`": a name after such a word is one only where there is no other.
    [...[...codes, ...bolds].filter(({ field }) => isSnake(field)), ...snakes].slice(0, 1)
  );
}

/** "`first` and **second**": names that are listed, each marked in its own way. */
function boldBeside({ text }: Line, bolds: readonly Named[], found: readonly Named[]): Named[] {
  const last = found.at(-1);
  return bolds.filter(
    ({ start }) => last !== undefined && /^\s*(?:,|and|,\s*and|&|\+)\s*$/i.test(text.slice(last.end, start)),
  );
}

/** The names in backticks, as they are dressed. */
export function codeNames({ marks }: Line): Named[] {
  return marks.flatMap(({ kind, text, start, end }) => {
    const name = kind === "code" ? codeName(text) : undefined;
    if (name === undefined) return [];
    return [{ field: name.field, start, end, ...(name.hint === "" ? {} : { hint: name.hint }) }];
  });
}

/** The name that a line begins with, where what follows says of it what evidence is: "`function_count` (integer): …". */
export function leadingField(line: Line): Named | undefined {
  const codes = codeNames(line);
  const leading = [...codes, ...boldNames(line, 0), ...snakeWords(line)].find(
    ({ start }) => !/[\p{L}\p{N}]/u.test(line.text.slice(0, start)),
  );
  if (leading === undefined) return undefined;
  const first = inBrackets(line, leading, codes) ?? leading;
  const after = line.text.slice(first.end);
  const isCode = codes.some(({ start }) => start === first.start);
  const isSet = /^\s*(?:[:(=–—[]|-\s|$)/.test(after) || /:$/.test(line.text.slice(first.start, first.end));
  const { certainty, rules } = meaningOf(first.field, after, []);
  const isMeant = certainty !== "assumed" || rules.length > 0;
  return (isCode && isSet) || (isMeant && (isCode || isSet)) ? first : undefined;
}

/** "**Duration** (`duration_min`): …": the bold is a label, and what stands in brackets right after it the name. */
function inBrackets({ text }: Line, label: Named, codes: readonly Named[]): Named | undefined {
  const named = codes.find(({ start }) => start > label.start && /^\s*[([]\s*$/.test(text.slice(label.end, start)));
  const [closing] = named === undefined ? [] : (/^\s*[)\]]/.exec(text.slice(named.end)) ?? []);
  return named === undefined || closing === undefined ? undefined : { ...named, end: named.end + closing.length };
}

function some(names: readonly Named[]): Named[] | undefined {
  return names.length === 0 ? undefined : [...names];
}

/** The first name that is asked for, and those that are listed after it. */
function chain(line: Line, candidates: readonly Named[], from: number): Named[] {
  const after = candidates.filter(({ start }) => start >= from);
  const all = after.length > 0 ? after : candidates;
  const first = all.find((named) =>
    canBeFirst(named, line.text.slice(Math.min(from, named.start), named.start), line.text.slice(named.end)),
  );
  return first === undefined ? [] : [first, ...furtherNames(line, first, all)];
}

/** The names that are listed after a first one, each with words of its own or sharing them; one that comes up again counts where more is told of it. */
export function furtherNames(line: Line, first: Named, candidates: readonly Named[]): Named[] {
  const found = [first];
  for (const named of candidates.filter(({ start }) => start > first.start)) {
    const isKnown = found.some(({ field }) => field === named.field);
    if (isFurther(line, found, named) && (!isKnown || isToldMore(line.text.slice(named.end)))) found.push(named);
  }
  return found.slice(1);
}

function isFurther(line: Line, found: readonly Named[], named: Named): boolean {
  const last = found.at(-1) ?? named;
  const between = line.text.slice(last.end, named.start);
  const after = line.text.slice(named.end);
  if (isValueOf(line, last, named) || isInside(between)) return false;
  const isOne = isDefinition(line, found[0]);
  if (accompanying.test(between)) return !isOne || isTold(after);
  if (isNextSentence(between) && !isTold(after)) return false;
  return isListed(named, between, after) && (!isOne || isSetOff(between, after));
}

/** "`a`. The `b_module` comes next" is over with what it asks for. */
function isNextSentence(between: string): boolean {
  const [, tail = ""] = /[^.](?<!\b(?:min|max|no|e\.g|i\.e|etc|incl|approx))[.!?]\s+(.*)$/is.exec(` ${between}`) ?? [];
  return /[\p{L}\p{N}]/u.test(tail.replaceAll(/\b(?:and|also|plus|an?|your|its|optional(?:ly)?)\b/gi, ""));
}

/** "`a_count`: taken from one and `b_file` together" defines one field, whatever else it speaks of. */
function isDefinition({ text }: Line, first: Named | undefined): boolean {
  if (first === undefined || /[\p{L}\p{N}]/u.test(text.slice(0, first.start))) return false;
  return /^\s*(?:\([^)]*\)\s*)?[:–—]/.test(text.slice(first.end));
}

/** "`mode`: `fast` or `slow`": what stands in backticks after a name and a colon are its values. */
function isValueOf({ text, marks }: Line, { end }: Named, { start, end: after }: Named): boolean {
  const rest = [...marks]
    .reverse()
    .filter((mark) => mark.kind === "code" && mark.start >= end && mark.end <= start)
    .reduce((words, mark) => words.slice(0, mark.start - end) + words.slice(mark.end - end), text.slice(end, start));
  if (!/^\s*[:=–—][\s,/|]*(?:or[\s,/|]*)*$/i.test(rest)) return false;
  return !/^\s*[:(=–—]/.test(text.slice(after)) && !typed.test(text.slice(after));
}

function isSetOff(between: string, after: string): boolean {
  return /[;,]\s*(?:and\s+)?$/.test(between) && (/^\s*[:(=–—]/.test(after) || typed.test(after));
}

function canBeFirst({ field }: Named, before: string, after: string): boolean {
  if (aside.test(before)) return false;
  const isAtOnce =
    /^[^\p{L}\p{N}]*(?:(?:the|an?|your|following|field|fields|value|values|evidence|of|for|named|called|as)\s+)*[^\p{L}\p{N}]*$/iu.test(
      before,
    );
  const isSaid = /\b(?:as|called|named|field|flag)\s*$/i.test(before) || typed.test(after);
  return isSnake(field) || isAtOnce || isSaid;
}

function isListed({ field }: Named, between: string, after: string): boolean {
  if (aside.test(between) || choosing.test(between)) return false;
  const isJoined =
    /(?:[,;:.)\]|&+–—/]|\s-|\band|\bplus|\bas well as|\bor|\bthen)\s*(?:the |an? |also |your |its |optional(?:ly)?:? |integer |list |string |boolean |number |array |text |flag |object |float )*[("“]*$/i.test(
      between,
    );
  if (!isJoined)
    return (
      /\($/.test(between.trimEnd()) ||
      isToldApart(between, after) ||
      (isSnake(field) && isNamedWithWords(between, after))
    );
  const isBare = !/[\p{L}\p{N}]/u.test(
    between.replaceAll(
      /\([^)]*\)|\b(?:and|plus|or|as well as|the|also|integer|list|string|boolean|number|array|text|flag|object|float)\b/gi,
      "",
    ),
  );
  const isOptional = /\boptional(?:ly)?:?\s*$/i.test(between);
  return isSnake(field) || isBare || isOptional || typed.test(after) || /^\s*(?:[:=–—]|true\/false)/.test(after);
}

/** "; its interval `ci_bounds` (list)": a few words of another clause before a name that has words of its own. */
function isToldApart(between: string, after: string): boolean {
  return /[;,.)]\s+(?:and\s+)?(?:[\p{L}'’-]+\s+){1,6}$/u.test(between) && isTold(after);
}

/** ", and the number of methods as `method_count`"; but not "the result of the `b_tool` command". */
function isNamedWithWords(between: string, after: string): boolean {
  return /(?:[,;]|\band)\s+(?:and\s+)?(?:the|an?|your|its)\s+[^,;.()]{0,60}$/i.test(between) && !things.test(after);
}

/** The identifiers in backticks that a line which asks leaves unread, and that are no tool, value or other field. */
export function unreadNames(line: Line, found: readonly Named[], from: number): Named[] {
  const [first] = found;
  if (first === undefined || isDefinition(line, first)) return [];
  return codeNames(line).filter(({ field, start, end }) => {
    const before = line.text.slice(Math.min(first.end, start), start);
    const isElsewhere =
      aside.test(before) || choosing.test(before) || isInside(before) || things.test(line.text.slice(end));
    return isSnake(field) && start >= from && !isElsewhere && !found.some((named) => named.field === field);
  });
}

/** The snake_case words of a line, whole, in any script. */
export function snakeWords({ text }: Line): Named[] {
  const word = "[\\p{L}\\p{M}\\p{N}]";
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{M}\\p{N}_./\\\\:@{$-])\\p{L}${word}*(?:_${word}+)+(?![\\p{L}\\p{M}\\p{N}_/\\\\@(}]|\\.\\p{L})`,
    "gu",
  );
  return [...text.matchAll(pattern)].map((match) => ({
    field: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }));
}
