import { RE2JS } from "re2js";
import { collectFindings, type Finding, type IsOver, type Unusable } from "./finding.ts";
import { lineIndexAt, lineStarts } from "./lines.ts";

/** An author's pattern, ready to search with in linear time. */
export type Pattern = {
  /** Undefined where the text is too large for the pattern to be searched in bounded time. */
  isIn(text: string): boolean | undefined;
  /** Every line on which a match begins. */
  findLines(text: string, isOver: IsOver): Finding[];
};

// One unit is one instruction on one character: 15 ns at worst for a yes or no, 70 ns for a place (measured).
const unitsToTest = 100_000_000;
const unitsToFind = 20_000_000;

/** Compiles a pattern with RE2, which never backtracks; what RE2 cannot do (lookaround, backreferences) is unusable. */
export function compilePattern(pattern: string, flags: string): Pattern | Unusable {
  let re2: RE2JS;
  try {
    re2 = RE2JS.compile(RE2JS.translateRegExp(pattern), flagBits(flags));
  } catch (error) {
    return { unusable: `the pattern /${pattern}/ is not one that RE2 understands: ${reason(error)}` };
  }
  const units = (text: string): number => re2.programSize() * text.length;
  const isIn = (text: string): boolean | undefined => (units(text) > unitsToTest ? undefined : re2.test(text));
  const local = staysInLine(pattern, flags);
  return {
    isIn: (text) => (local ? isInSomeLine(text, isIn) : isIn(text)),
    findLines(text, isOver) {
      if (local) return findByLine(text, isIn, isOver);
      const found = isIn(text);
      if (found === undefined) return [{ detail: tooLarge }];
      if (!found) return [];
      if (units(text) > unitsToFind) return [{ detail: "somewhere in this file, which is too large to say where" }];
      return findInWhole(text, re2, isOver);
    },
  };
}

/** What is said of a file that cannot be searched in bounded time. */
export const tooLarge = "cannot be checked: the file is too large for this pattern";
const tooLong = "not searched to the end: the checks took too long";

/**
 * Tells that no match can hold a line break and nothing looks past one, so that searching line by line finds the same.
 * Errs on the side of no.
 */
function staysInLine(pattern: string, flags: string): boolean {
  const looksFurther = /\[\^|\[\[:|\(\?(?!:|i\))|\\[^bdwS.\-/()[\]{}|*+?^$"'#]/;
  if (flags.includes("s") || looksFurther.test(pattern) || [...pattern].some((char) => char < " ")) return false;
  return flags.includes("m") || !/[\^$]/.test(pattern.replace(/\\./g, ""));
}

function isInSomeLine(text: string, isIn: Pattern["isIn"]): boolean | undefined {
  // A long text is searched by line, so that its length does not count against the pattern.
  const whole = isIn(text);
  if (whole !== undefined) return whole;
  let answer: boolean | undefined = false;
  for (const line of text.split("\n")) {
    const found = isIn(line);
    if (found) return true;
    answer = found === undefined ? undefined : answer;
  }
  return answer;
}

function findByLine(text: string, isIn: Pattern["isIn"], isOver: IsOver): Finding[] {
  const findings = collectFindings();
  if (isIn(text) === false) return [];
  for (const [index, line] of text.split("\n").entries()) {
    const found = isIn(line);
    if (found === undefined) findings.add({ line: index + 1, detail: tooLarge });
    if (found) findings.add({ line: index + 1, detail: excerpt(line) });
    if (index % 1_000 === 999 && isOver()) return [...findings.all(), { detail: tooLong }];
  }
  return findings.all();
}

function findInWhole(text: string, re2: RE2JS, isOver: IsOver): Finding[] {
  const findings = collectFindings();
  const starts = lineStarts(text);
  const matcher = re2.matcher(text);
  let from = 0;
  while (from <= text.length && matcher.find(from)) {
    const index = lineIndexAt(starts, matcher.start());
    const nextLine = starts[index + 1] ?? text.length + 1;
    findings.add({ line: index + 1, detail: excerpt(text.slice(starts[index], nextLine)) });
    from = Math.max(nextLine, matcher.end()); // one finding a line
    if (isOver()) return [...findings.all(), { detail: tooLong }];
  }
  return findings.all();
}

function excerpt(line: string): string {
  const shown = line.trim();
  return shown.length > 80 ? `${shown.slice(0, 79)}…` : shown;
}

function flagBits(flags: string): number {
  const bits = { i: RE2JS.CASE_INSENSITIVE, m: RE2JS.MULTILINE, s: RE2JS.DOTALL };
  return (flags.includes("i") ? bits.i : 0) | (flags.includes("m") ? bits.m : 0) | (flags.includes("s") ? bits.s : 0);
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message.replace("error parsing regexp: ", "") : String(error);
}
