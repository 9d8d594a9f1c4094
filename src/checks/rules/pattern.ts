import type { RE2JS } from "re2js";
import { re2 } from "../../kit/libraries.ts";
import { type Budget, makeBudget } from "../budget.ts";
import { collectFindings, type Finding, type Unusable } from "./finding.ts";
import { lineIndexAt, lineStarts } from "./lines.ts";

/** A compiled pattern that searches in linear time. */
export type Pattern = {
  /** Undefined if the text is too large for the pattern. */
  isIn(text: string, budget?: Budget): boolean | undefined;
  /** Every line on which a match begins. */
  findLines(text: string, budget?: Budget): Finding[];
};

// One unit is one instruction on one character: at most 15 ns for a yes or no, five times that for a position (measured).
const unitsToTest = 100_000_000;
const unitsToFind = 20_000_000;
const findingCosts = 5;

/** Compiles a pattern with RE2, which never backtracks; lookaround and backreferences are unusable. */
export function compilePattern(pattern: string, flags: string): Pattern | Unusable {
  const { RE2JS } = re2();
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(RE2JS.translateRegExp(pattern), flagBits(flags));
  } catch (error) {
    return { unusable: `the pattern /${pattern}/ is not a valid RE2 pattern: ${reason(error)}` };
  }
  const units = (text: string): number => compiled.programSize() * text.length;
  const counted = (budget: Budget) => (text: string) => {
    if (units(text) > unitsToTest) return undefined;
    budget.spend(units(text));
    return compiled.test(text);
  };
  const local = staysInLine(pattern, flags);
  return {
    isIn: (text, budget = makeBudget()) =>
      local ? isInSomeLine(text, counted(budget), budget) : counted(budget)(text),
    findLines(text, budget = makeBudget()) {
      const isIn = counted(budget);
      if (local) return findByLine(text, isIn, budget);
      const found = isIn(text);
      if (found === undefined) return [{ detail: tooLarge }];
      if (!found) return [];
      if (units(text) > unitsToFind) return [{ detail: "somewhere in this file, which is too large to say where" }];
      return findInWhole(text, compiled, budget);
    },
  };
}

type IsIn = (text: string) => boolean | undefined;

/** The message for a file that cannot be searched in bounded time. */
export const tooLarge = "cannot be checked: the file is too large for this pattern";
const tooLong = "not searched to the end: that would take too long";

/** Tells if no match can span a line break, so that searching line by line finds the same; false if unsure. */
function staysInLine(pattern: string, flags: string): boolean {
  const looksFurther = /\[\^|\[\[:|\(\?(?!:|i\))|\\[^bdwS.\-/()[\]{}|*+?^$"'#]/;
  if (flags.includes("s") || looksFurther.test(pattern) || [...pattern].some((char) => char < " ")) return false;
  return flags.includes("m") || !/[\^$]/.test(pattern.replace(/\\./g, ""));
}

function isInSomeLine(text: string, isIn: IsIn, budget: Budget): boolean | undefined {
  // A long text is searched by line, so that its length does not count against the pattern.
  const whole = isIn(text);
  if (whole !== undefined) return whole;
  let answer: boolean | undefined = false;
  for (const line of text.split("\n")) {
    if (budget.isSpent()) return undefined;
    const found = isIn(line);
    if (found) return true;
    answer = found === undefined ? undefined : answer;
  }
  return answer;
}

function findByLine(text: string, isIn: IsIn, budget: Budget): Finding[] {
  const findings = collectFindings();
  if (isIn(text) === false) return [];
  for (const [index, line] of text.split("\n").entries()) {
    if (budget.isSpent()) return [...findings.all(), { detail: tooLong }];
    const found = isIn(line);
    if (found === undefined) findings.add({ line: index + 1, detail: tooLarge });
    if (found) findings.add({ line: index + 1, detail: excerpt(line) });
  }
  return findings.all();
}

/** A search may read the rest of the text before it knows where a match ends, and is charged for it. */
function findInWhole(text: string, compiled: RE2JS, budget: Budget): Finding[] {
  const findings = collectFindings();
  const starts = lineStarts(text);
  const matcher = compiled.matcher(text);
  let from = 0;
  let left = unitsToFind;
  const isAllowed = (): boolean => {
    const units = compiled.programSize() * (text.length - from);
    left -= units;
    if (left >= 0) budget.spend(units * findingCosts);
    return left >= 0;
  };
  while (from <= text.length) {
    if (!isAllowed()) return [...findings.all(), { detail: tooLong }];
    if (!matcher.find(from)) break;
    const index = lineIndexAt(starts, matcher.start());
    const nextLine = starts[index + 1] ?? text.length + 1;
    findings.add({ line: index + 1, detail: excerpt(text.slice(starts[index], nextLine)) });
    from = Math.max(nextLine, matcher.end()); // one finding a line
  }
  return findings.all();
}

function excerpt(line: string): string {
  const shown = line.trim();
  return shown.length > 80 ? `${shown.slice(0, 79)}…` : shown;
}

function flagBits(flags: string): number {
  const { RE2JS } = re2();
  const bits = { i: RE2JS.CASE_INSENSITIVE, m: RE2JS.MULTILINE, s: RE2JS.DOTALL };
  return (flags.includes("i") ? bits.i : 0) | (flags.includes("m") ? bits.m : 0) | (flags.includes("s") ? bits.s : 0);
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message.replace("error parsing regexp: ", "") : String(error);
}
