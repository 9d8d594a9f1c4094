import { joinLines, type Line } from "../markdown/lines.ts";
import { meaningOf } from "../words/meaning.ts";
import { isOnlyWished, leavesOpen, withoutOption } from "../words/option-words.ts";
import { relationsIn } from "../words/relations.ts";
import { findStatedType, typeAtStart, typeOfName } from "../words/type-words.ts";
import { validatorsIn } from "../words/validator-notes.ts";
import { wordsAbout } from "../words/words-about.ts";
import { type Demands, noDemands } from "./demand.ts";
import { fieldDemands } from "./field-demands.ts";
import { codeNames, furtherNames, type Named, snakeWords } from "./fields.ts";
import { findIndicator } from "./indicators.ts";
import { isAside } from "./name-words.ts";
import { asSnake, isName, isSnake } from "./names.ts";

/** Reads one checkbox under a gate's heading: a yes or no, unless it names a field whose words ask for something else. */
export function checkboxDemands(
  lines: readonly Line[],
  required: boolean,
  isShared: (field: string) => boolean = () => false,
): Demands {
  const line = joinLines(lines);
  const names = namesIn(line);
  const [name] = names;
  // Two boxes that both speak of one thing in passing are two demands.
  if (name === undefined || (isShared(name.field) && isInPassing(line, name))) return plainBox(line, required);
  const readings = fieldDemands(line, names, findIndicator(line, false)?.end ?? 0);
  const demands = readings.demands.flatMap((demand, index) => {
    const words = wordsAbout(line, names, index, 0).words;
    if (!isOfEach(line, name) && asksForMore(demand.field, words))
      return [{ ...demand, required: demand.required && required && !isOnlyWished(line.text) }];
    return box(demand.field, line, required && !leavesOpen(line.text)).demands;
  });
  const typed = new Set(demands.filter(({ type }) => type !== "boolean").map(({ field }) => field));
  const isKept = (field: string): boolean => typed.has(field);
  return {
    demands,
    comparisons: readings.comparisons.filter(({ left }) => "field" in left && isKept(left.field)),
    unclear: readings.unclear.filter(({ message }) => [...typed].some((field) => message.startsWith(`${field}:`))),
    nameless: [],
  };
}

/** The field that a checkbox names, if any. */
export function boxName(lines: readonly Line[]): string | undefined {
  return namesIn(joinLines(lines))[0]?.field;
}

/** A name in backticks: at the start, or anywhere if no sentence would have such a word; else an identifier that the text begins with. */
function namesIn(line: Line): Named[] {
  const { text } = line;
  const codes = codeNames(line);
  const isAtStart = ({ start }: Named): boolean => !/[\p{L}\p{N}]/u.test(text.slice(0, start));
  const first =
    codes.find(isAtStart) ??
    codes.find(({ field }) => isSnake(field)) ??
    codes.find((named) => !isAside(text.slice(0, named.start), text.slice(named.end)) && !isOfEach(line, named)) ??
    [...boldIdentifiers(line), ...snakeWords(line).filter(({ end }) => isSetOff(text.slice(end)))].find(isAtStart);
  if (first === undefined) return [];
  const further = furtherNames(line, first, codes);
  return [
    first,
    ...further.filter(({ field, end }) =>
      isAtStart(first) ? isSnake(field) || isTold(text.slice(end)) : isTold(text.slice(end)),
    ),
  ];
}

function isTold(after: string): boolean {
  return /^\s*(?:[:(=<>≥≤]|(?:must|at least|at most|is (?:at|more|less)|greater|less)\b)/i.test(after);
}

/** `**files_listed**: …`: a bold word that looks like a name and is set off like one. */
function boldIdentifiers({ text, marks }: Line): Named[] {
  return marks.flatMap(({ kind, text: bold, start, end }) => {
    const word = bold.trim().replace(/:$/, "");
    const isSet = isSetOff(text.slice(end)) || /:$/.test(bold.trim());
    const isIdentifier = kind === "strong" && isName(word) && (isSnake(word) || word === word.toLowerCase());
    return isIdentifier && isSet ? [{ field: word, start, end }] : [];
  });
}

function isSetOff(after: string): boolean {
  return /^\s*(?:[:(=–—<>≥≤→]|-\s|$)/.test(after);
}

function isInPassing({ text }: Line, { start, end }: Named): boolean {
  const before = text.slice(0, start);
  // "Tests counted (`test_count`)" and "… as `test_count`" name it.
  const isNamed = /[(:–—→=]\s*$|\s-\s*$|\bas\s*$/i.test(before) && !/[\p{L}\p{N}]/u.test(text.slice(end));
  return /[\p{L}\p{N}]/u.test(before) && !isNamed;
}

/** "All `public_functions` have at least 1 test" is a yes about each of them. */
function isOfEach({ text }: Line, { start }: Named): boolean {
  return /^\W*(?:all|every|each|no|any|most|none of)\s+(?:the\s+|of\s+)*["(]*$/i.test(text.slice(0, start));
}

/** Tells whether the words about a named box ask for a value, not for a yes. */
function asksForMore(field: string, words: string): boolean {
  const { rest, written } = validatorsIn(words);
  if (written.length > 0 || findStatedType(rest) !== undefined) return true;
  if (/\bmust (?:be|stay|remain) (?:true|false)\b/i.test(rest)) return true;
  const named = typeOfName(field);
  if (named !== undefined && named !== "boolean") return true;
  const [said = ""] = rest.split(/\s;\s/).filter((part) => /[\p{L}\p{N}<>=≥≤]/u.test(part));
  if (typeAtStart(said) !== undefined) return true;
  const promise = promiseIn(field);
  if (promise !== "whole" && beginsWithLimit(said))
    return promise === undefined || !/\b(?:is|are|was|were|has|have|does|do|can)\s+(?!at\b|no\b|more\b)/i.test(said);
  const { rules, type } = meaningOf(field, rest, []);
  return type === "boolean" ? rules.length > 0 : promise === undefined && rules.length > 0;
}

function beginsWithLimit(words: string): boolean {
  const start = words.replace(/^[\s:=(–—-]*(?:(?:is|are|of|must be|should be|a|has|with)\s+)*/i, "");
  const [first = ""] = /^(?:[^\s]+\s*){1,7}/.exec(start) ?? [];
  return /^(?:at|more|greater|less|fewer|no|not|exactly|between|from|min|max|minimum|maximum|up|above|below|over|under|non|equals?|[\d<>=≥≤]|zero)/i.test(
    start,
  )
    ? relationsIn(` ${first}`).relations.length > 0 || /^(?:non-? ?zero|[<>=≥≤])/i.test(start)
    : false;
}

/** A name that says that something was done or is so (`docs_updated`), or all of it is a statement (`no_todo`): its box is a promise. */
function promiseIn(field: string): "last" | "whole" | undefined {
  const parts = field.toLowerCase().split(/[_-]/);
  const last = parts.at(-1) ?? "";
  if (/^(?:is|has|are|was|were|all|no|every)$/.test(parts[0] ?? "") && parts.length > 1) return "whole";
  if (/(?:speed|need|seed|feed|token|children|screen|even|seven|ten)$/.test(last)) return undefined;
  const isDone =
    /(?:ed|en)$|^(?:pass|passes|passing|ok|done|clean|ready|exists?|present|complete|green|valid|ran|run|works?|set|met|built|safe|stable|correct|consistent|match|matches|available|approval)$/;
  return isDone.test(last) ? "last" : undefined;
}

function plainBox(line: Line, required: boolean): Demands {
  const field = asSnake(withoutOption(line.text));
  const isOpen = isOnlyWished(line.text) || /^\W*optional\b/i.test(line.text);
  return field === "" ? noDemands : box(field, line, required && !isOpen);
}

/** A yes, under a name. */
export function box(field: string, line: Line, required: boolean): Demands {
  const description = line.text.replaceAll(/\s+/g, " ").trim();
  const demand = {
    field,
    type: "boolean",
    certainty: "assumed",
    required,
    description,
    rules: [],
    mayBeEmpty: false,
    line: line.line,
  } as const;
  return { ...noDemands, demands: [demand] };
}
