import type { Demands } from "./demand.ts";
import { noDemands } from "./demand.ts";
import { findIndicator } from "./indicators.ts";
import { joinLines, type Line } from "./lines.ts";
import { asSnake, isName, isSnake } from "./names.ts";
import { proseDemands } from "./prose.ts";
import { findStatedType, typeAtStart, typeOfName } from "./type-words.ts";

/** Reads one checkbox under a gate's heading: a yes or no, unless it names a field whose words ask for something else. */
export function checkboxDemands(
  lines: readonly Line[],
  required: boolean,
  isShared: (field: string) => boolean = () => false,
): Demands {
  const line = joinLines(lines);
  const name = nameIn(line);
  // Two boxes that both speak of one thing in passing are two demands.
  if (name === undefined || (isShared(name.field) && isInPassing(line, name))) return plainBox(line, required);
  if (!asksForMore(line, name)) return box(name.field, line, required && !/\boptional\b/i.test(line.text));
  const read = proseDemands([{ ...line, marks: line.marks }], "listed");
  const demands = read.demands
    .filter(({ field }) => field === name.field)
    .map((demand) => ({ ...demand, required: demand.required && required }));
  return demands.length === 0 ? box(name.field, line, required) : { ...read, demands, nameless: [] };
}

type Name = { readonly field: string; readonly end: number; readonly start: number };

/** A name in backticks: at the start, or anywhere if no sentence would have such a word. */
function nameIn({ text, marks }: Line): Name | undefined {
  const codes = marks.filter(({ kind, text }) => kind === "code" && isName(text));
  const fits =
    codes.find(({ start }) => !/[\p{L}\p{N}]/u.test(text.slice(0, start))) ?? codes.find(({ text }) => isSnake(text));
  return fits === undefined ? undefined : { field: fits.text, start: fits.start, end: fits.end };
}

/** The field that a checkbox names in backticks, if any. */
export function boxName(lines: readonly Line[]): string | undefined {
  return nameIn(joinLines(lines))?.field;
}

function isInPassing({ text }: Line, { start, end }: Name): boolean {
  return /[\p{L}\p{N}]/u.test(text.slice(0, start)) && /[\p{L}\p{N}]/u.test(text.slice(end));
}

function asksForMore(line: Line, { field, end }: Name): boolean {
  const after = line.text.slice(end);
  if (findIndicator(line.text, false) !== undefined) return true;
  const stated = findStatedType(after);
  if (stated !== undefined) return true;
  const named = typeOfName(field);
  if (named !== undefined) return named !== "boolean" || /\bfalse\b/i.test(after);
  const started = /^\s*[:(–—-]/.test(after) ? typeAtStart(after.replace(/^\s*\(/, "")) : undefined;
  if (started !== undefined) return true;
  return (
    /\bmust (?:be|stay|remain) (?:true|false)\b|\bvalidator\b/i.test(after) ||
    /^\s*(?:is|are|must be|should be|of|:|-|–|—)?\s*\(?(?:at least|at most|more than|greater than|less than|fewer than|exactly|between|>=|<=|[<>≥≤=])\s*\d/i.test(
      after,
    )
  );
}

function plainBox(line: Line, required: boolean): Demands {
  const field = asSnake(line.text.replaceAll(/\(optional\)/gi, ""));
  return field === "" ? noDemands : box(field, line, required && !/\(optional\)|^\W*optional\b/i.test(line.text));
}

function box(field: string, line: Line, required: boolean): Demands {
  const description = line.text.replaceAll(/\s+/g, " ").trim();
  const demand = {
    field,
    type: "boolean",
    certainty: "read",
    required,
    description,
    rules: [],
    mayBeEmpty: false,
    line: line.line,
  } as const;
  return { ...noDemands, demands: [demand] };
}
