import type { Line, Mark } from "./lines.ts";
import { asSnake, isName, isSnake } from "./names.ts";
import { readRules } from "./rule-words.ts";
import { inferType } from "./type-words.ts";

/** A name of evidence, and where in its line it stands. */
export type Named = { readonly field: string; readonly start: number; readonly end: number };

/** Finds the evidence a line names: in backticks, else in bold, else as the first snake_case word, and what is listed with it. */
export function fieldsIn(line: Line, from: number): Named[] {
  const codes = marksOf(line, "code").filter(({ text }) => isName(text) && !isWord(text));
  const bolds = marksOf(line, "strong").filter((mark) => isBoldName(line, mark));
  const snakes = snakeWords(line);
  return (
    some(chain(line, codes, from)) ??
    some(chain(line, bolds.map(asNamed), from)) ??
    some(chain(line, snakes, from)) ??
    // "record the count in `function_count`": a name after such a word is one only where there is no other.
    [...codes.filter(({ field }) => isSnake(field)), ...bolds.map(asNamed), ...snakes].slice(0, 1)
  );
}

/** The name that a line begins with, where what follows says of it what evidence is: "`function_count` (integer): …". */
export function leadingField(line: Line): Named | undefined {
  const codes = marksOf(line, "code").filter(({ text }) => isName(text) && !isWord(text));
  const bolds = marksOf(line, "strong")
    .filter((mark) => isBoldName(line, mark))
    .map(asNamed);
  const first = [...codes, ...bolds, ...snakeWords(line)].find(
    ({ start }) => !/[\p{L}\p{N}]/u.test(line.text.slice(0, start)),
  );
  if (first === undefined) return undefined;
  const after = line.text.slice(first.end);
  const isCode = codes.some(({ start }) => start === first.start);
  const isSet = /^\s*(?:[:(=–—[]|-\s|$)/.test(after) || /:$/.test(line.text.slice(first.start, first.end));
  const { type, certainty } = inferType(first.field, after);
  const isTold =
    certainty !== "assumed" || readRules(after, "integer").rules.length > 0 || readRules(after, type).rules.length > 0;
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
        : isListed(named, between, after) && (!isDefinition(line, found[0]) || isSetOff(between, after));
    if (isFit && !found.some(({ field }) => field === named.field)) found.push(named);
  }
  return found;
}

/** "`a_count`: taken from one and `b_file` together" defines one field, whatever else it speaks of. */
function isDefinition({ text }: Line, first: Named | undefined): boolean {
  if (first === undefined || /[\p{L}\p{N}]/u.test(text.slice(0, first.start))) return false;
  return /^\s*(?:\([^)]*\)\s*)?[:–—]/.test(text.slice(first.end));
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

function marksOf({ marks }: Line, kind: Mark["kind"]): (Named & { readonly text: string })[] {
  return marks.filter((mark) => mark.kind === kind).map(({ text, start, end }) => ({ field: text, text, start, end }));
}

function asNamed({ field, start, end }: Named): Named {
  return { field: isSnake(field) ? field.toLowerCase() : asSnake(field), start, end };
}

function snakeWords({ text }: Line): Named[] {
  return [...text.matchAll(/(?<![\w./\\:@{$-])[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+(?![\w/\\@(}]|\.\w)/g)].map(
    (match) => ({
      field: match[0],
      start: match.index,
      end: match.index + match[0].length,
    }),
  );
}

function isBoldName({ text }: Line, { field, start, end }: Named): boolean {
  const words = field.trim().replace(/[:.]$/, "");
  if (!/^[\p{L}][\p{L}\p{N}_ -]*$/u.test(words) || words.split(/\s+/).length > 6) return false;
  if (isSnake(words)) return true;
  if (/^[\p{Lu}\s]+$/u.test(words) && !/\s/.test(words)) return false;
  if (emphasis.test(words) || /\b(?:evidence|required|checkpoint|must|approval|gate)\b/i.test(words)) return false;
  const after = text.slice(end);
  const isSet = /[:.]$/.test(field) || /^\s*(?:$|[:(,;.–—-])/.test(after) || start === 0;
  return (
    isSet ||
    /^\s*(?:must|should|is|are|as|and|with|which|that|greater|more|at|non|between|exactly|less|fewer|count|list|flag|to)\b/i.test(
      after,
    )
  );
}

const emphasis =
  /^(?:all|any|both|each|every|no|not|never|always|only|really|exactly|before|after|both|complete(?:ly)?|critical|important|note|notes|warning|caution|tip|hint|example|examples|mandatory|optional|output|purpose|goal|deliverable|status|phase|task|tasks|step|do not|don't|stop|now|first|then|next|yes|none|actual|real|format|type|why|how|what|when|where|remember|constraint|context)\b/i;

/** Words that stand in backticks as values and types, not as names. */
function isWord(text: string): boolean {
  return (
    /^(?:true|false|null|none|yes|no|integer|int|boolean|bool|string|str|list|array|object|number|float|optional|required|high|low|medium)$/i.test(
      text,
    ) ||
    /^(?:is|greater|less|equals?|percent|min|max|non|file|directory)_(?:than_|or_|equal_|to_|gte_|lte_|gt_|lt_|length_)*(?:true|false|\d[\d_]*|exists|empty)$/i.test(
      text,
    )
  );
}
