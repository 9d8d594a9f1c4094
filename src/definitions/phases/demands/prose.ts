import { joinLines, type Line } from "../markdown/lines.ts";
import { type Demands, gather, noDemands } from "./demand.ts";
import { fieldDemands } from "./field-demands.ts";
import { codeNames, fieldsIn, furtherNames, leadingField, type Named, unreadNames } from "./fields.ts";
import { findIndicator } from "./indicators.ts";
import { isSnake } from "./names.ts";

/** How much the place of a line says already: evidence is being listed, the gate is being described, or nothing. */
export type Asking = "listed" | "gate" | "nothing";

/** Reads the lines of a paragraph or list item as seed 004 does: who asks for evidence and names it, gets a field. */
export function proseDemands(lines: readonly Line[], asking: Asking): Demands {
  const inGate = asking !== "nothing";
  return gather(segmentsOf(lines, inGate).map((line) => demandsIn(line, asking)));
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
  const isAsked = (line: Line): boolean => findIndicator(line, inGate) !== undefined;
  const whole = joinLines(lines.slice(0, 20));
  // "You must⏎provide …": a line's end may fall between the words that ask.
  return !segments.some(isAsked) && isAsked(whole) ? [whole] : segments;
}

/** A line that asks, or one that begins with a name where the line before it was at an end. */
function beginsAnew(line: Line, before: string, inGate: boolean): boolean {
  const { text, marks } = line;
  if (findIndicator(line, inGate) !== undefined) return true;
  const [first] = marks;
  const isNamed = first !== undefined && !/[\p{L}\p{N}]/u.test(text.slice(0, first.start));
  // Outside a gate a name alone asks for nothing, and goes on what was asked before it.
  return inGate && isNamed && !/[,;(–—-]\s*$|\b(?:and|or|plus|with|of|the|than|to|as|in|an?)\s*$/i.test(before);
}

function demandsIn(line: Line, asking: Asking): Demands {
  const indicator = findIndicator(line, asking !== "nothing");
  const fields = namesIn(line, asking, indicator?.end);
  if (fields.length > 0)
    return {
      ...fieldDemands(line, fields, indicator?.end ?? 0),
      nameless: (indicator === undefined ? [] : unreadNames(line, fields, indicator.end)).map(({ field }) => ({
        line: line.line,
        message: `${field} is named where evidence is asked for, and is not read as a field`,
      })),
    };
  const said = line.text.slice(indicator?.end ?? 0).trim();
  if ((asking !== "listed" && indicator === undefined) || /[:：]\s*$/.test(line.text) || isNoDemand(said))
    return noDemands;
  return {
    ...noDemands,
    nameless: [{ line: line.line, message: `"${line.text.trim()}" asks for evidence and names no field` }],
  };
}

/** "Required: yes", "Evidence: see the table below": a remark, and nothing is missing. */
function isNoDemand(said: string): boolean {
  return /^\W*(?:(?:yes|no|none|not|n\/a|optional|true|false|mandatory)\W*$|see\b|(?:as )?(?:above|below)\b|(?:the )?(?:end|start|beginning) of\b|phase \d)/i.test(
    said,
  );
}

function namesIn(line: Line, asking: Asking, indicatorEnd: number | undefined): Named[] {
  if (indicatorEnd !== undefined) return fieldsIn(line, indicatorEnd);
  if (asking === "listed") return fieldsIn(line, 0);
  const [leading] = [leadingField(line)].filter((named) => named !== undefined);
  if (leading !== undefined && (asking === "gate" || isDemanded(line, leading))) return withFurther(line, leading);
  return asking === "gate" ? requested(line) : [];
}

/** "**Tests pass** — `test_count` (integer)": the name in backticks is the field, and what stands in bold is its title. */
function withFurther(line: Line, leading: Named): Named[] {
  const codes = codeNames(line);
  const further = furtherNames(line, leading, codes);
  const isTitle =
    further.length > 0 &&
    !codes.some(({ start }) => start <= leading.start) &&
    !isSnake(line.text.slice(leading.start, leading.end));
  return isTitle ? further : [leading, ...further];
}

/** "`alpha_count` must be provided", "`beta` is required (list)": the demand comes after the name. */
function isDemanded({ text }: Line, { end }: Named): boolean {
  const after = text.slice(end).replace(/^\s*\([^)]*\)/, "");
  return /^\s*[–—:-]?\s*(?:must|shall|has to|have to|needs? to)\s+(?:also\s+)?be\s+(?:provided|submitted|supplied|handed in)\b/i.test(
    after,
  );
}

/** In a gate, "Record `x`" and "Confirm that **y** is true" ask as well. */
function requested(line: Line): Named[] {
  const end =
    /^\W*(?:(?:please|also|then|and|you)\s+)*(?:provide|submit|supply|record|report|confirm|include|attach|hand in|state|enter|specify)\b(?:\s+that)?/i.exec(
      line.text,
    )?.[0].length;
  if (end === undefined) return [];
  return fieldsIn(line, end).filter(({ field, start, end: after }) => {
    const isCode = line.marks.some((mark) => mark.kind === "code" && mark.start === start);
    return isCode || isSnake(field) || /^\s*(?:[:(–—=]|(?:is|are|as an?)\b)/i.test(line.text.slice(after));
  });
}
