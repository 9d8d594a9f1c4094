import { boldNames } from "./bold-names.ts";
import type { Line } from "./lines.ts";
import { meaningOf } from "./meaning.ts";
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
  const first = [...codes, ...boldNames(line, 0), ...snakeWords(line)].find(
    ({ start }) => !/[\p{L}\p{N}]/u.test(line.text.slice(0, start)),
  );
  if (first === undefined) return undefined;
  const after = line.text.slice(first.end);
  const isCode = codes.some(({ start }) => start === first.start);
  const isSet = /^\s*(?:[:(=–—[]|-\s|$)/.test(after) || /:$/.test(line.text.slice(first.start, first.end));
  const { certainty, rules } = meaningOf(first.field, after, []);
  const isTold = certainty !== "assumed" || rules.length > 0;
  return (isCode && isSet) || (isTold && (isCode || isSet)) ? first : undefined;
}

function some(names: readonly Named[]): Named[] | undefined {
  return names.length === 0 ? undefined : [...names];
}

/** The first name that is asked for, and those that are listed after it. */
function chain(line: Line, candidates: readonly Named[], from: number): Named[] {
  const after = candidates.filter(({ start }) => start >= from);
  const found: Named[] = [];
  for (const named of after.length > 0 ? after : candidates) {
    const last = found.at(-1);
    const between = line.text.slice(last?.end ?? Math.min(from, named.start), named.start);
    const after = line.text.slice(named.end);
    const isFit =
      last === undefined
        ? canBeFirst(named, between, after)
        : isListed(named, between, after) &&
          !isValueOf(line, last, named) &&
          (!isDefinition(line, found[0]) || isSetOff(between, after));
    if (isFit && !found.some(({ field }) => field === named.field)) found.push(named);
  }
  return found;
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

/** A type right after a name: "(integer", "list of". */
const typed =
  /^\s*\(?\s*(?:an? )?(?:integer|int|list|array|string|boolean|bool|flag|count|number|text|object|float)\b/i;

function isListed({ field }: Named, between: string, after: string): boolean {
  if (aside.test(between) || choosing.test(between)) return false;
  const isJoined =
    /(?:[,;:.)\]|&+–—]|\s-|\band|\bplus|\bas well as|\bor|\bthen)\s*(?:the |an? |also |your |its |optional(?:ly)?:? )*[("“]*$/i.test(
      between,
    );
  if (!isJoined) return /\($/.test(between.trimEnd()) || (isSnake(field) && isNamedWithWords(between, after));
  const isBare = !/[\p{L}\p{N}]/u.test(between.replaceAll(/\([^)]*\)|\b(?:and|plus|or|as well as|the|also)\b/gi, ""));
  const isOptional = /\boptional(?:ly)?:?\s*$/i.test(between);
  return isSnake(field) || isBare || isOptional || typed.test(after) || /^\s*(?:[:=–—]|true\/false)/.test(after);
}

/** ", and the number of methods as `method_count`"; but not "the result of the `b_tool` command". */
function isNamedWithWords(between: string, after: string): boolean {
  return (
    /(?:[,;]|\band)\s+(?:and\s+)?(?:the|an?|your|its)\s+[^,;.()]{0,60}$/i.test(between) &&
    !/^\s*(?:commands?|tools?|scripts?|files?|functions?|modules?|class(?:es)?|methods?|packages?|librar(?:y|ies))\b/i.test(
      after,
    )
  );
}

/** What follows these words is a value, a tool or another field. */
const aside =
  /\b(?:by|via|using|with|from|in|into|running|run|runs|executing|execute|than|see|like|e\.g\.,?|i\.e\.,?|such as|contains?|containing|include|includes|including|equals?|equal to|exactly|matches|matching|least|most|per|to|calling|call|named after|instead of|not|without|unless|if|when)\s+(?:the |an? |command |tool |file |function |output of )*["“(]*$/i;
const choosing =
  /\b(?:one of|either|allowed values?|possible values?|must be|may be|is|equals?|values?)\b\s*[:=]?\s*(?:["“'\w-]+["”']?\s*(?:,\s*or\b|,|\bor\b|\/|\|)\s*)*(?:or\s+)?$/i;

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
