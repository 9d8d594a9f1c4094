import { setImmediate } from "node:timers/promises";
import type { CheckRules, RuleFile } from "../../engine/ports/checks.ts";
import type { Rule, RuleCheck } from "../../gates/rule.ts";
import { defined } from "../../kit/defined.ts";
import type { Violation } from "../../workflow/events.ts";
import { type Budget, makeBudget } from "../budget.ts";
import type { Finding, Unusable } from "./finding.ts";
import { findWords } from "./forbidden-words.ts";
import { compileGlob } from "./glob.ts";
import { compileSchema } from "./json-schema/schema-check.ts";
import { findMissingHeadings } from "./missing-headings.ts";
import { compilePattern, tooLarge } from "./pattern.ts";
import { findExcess } from "./text-length.ts";

const mostViolations = 200;

/** Runs every check of the rules over the files with bounded work; a check that cannot run or finish is itself a violation. */
export const checkRules: CheckRules = (rules, files) => checkWithin(makeBudget(), rules, files);

/** Runs the checks within a budget. */
export async function checkWithin(
  budget: Budget,
  rules: readonly Rule[],
  files: readonly RuleFile[],
): Promise<readonly Violation[]> {
  const violations: Violation[] = [];
  const normal = files.map((file) => ({ ...file, text: file.text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n") }));
  for (const rule of rules) {
    for (const check of rule.checks) {
      for (const violation of violationsOf(rule, check, normal, budget)) violations.push(violation);
      await setImmediate(); // serve other callers between two checks
    }
  }
  return cut(violations);
}

type Run = (file: RuleFile) => Finding[];

function violationsOf(rule: Rule, check: RuleCheck, files: readonly RuleFile[], budget: Budget): Violation[] {
  const stopped = (reason: string): Violation[] => [
    { rule: rule.name, severity: "error", file: rule.file, message: `this check cannot be run: ${reason}` },
  ];
  const run = prepare(check, budget);
  if ("unusable" in run) return stopped(run.unusable);
  const looksAt = selector(check);
  if ("unusable" in looksAt) return stopped(looksAt.unusable);
  const chosen = files.filter(looksAt);
  if (check.required === true && chosen.length === 0) return [missing(rule, check)];
  const violations: Violation[] = [];
  for (const file of chosen) {
    if (budget.isSpent()) return [...violations, ...stopped("the checks before it took too long")];
    for (const finding of run(file)) violations.push(violation(rule, check, file, finding));
  }
  return violations;
}

/** Without a glob a check covers the workflow's own files it can apply to. */
function selector(check: RuleCheck): ((file: RuleFile) => boolean) | Unusable {
  if (check.glob !== undefined) {
    const matches = compileGlob(check.glob);
    return "unusable" in matches ? matches : ({ path }) => matches(path);
  }
  if (check.kind === "json_schema") return ({ own, path }) => own && /\.json$/i.test(path);
  if (check.kind === "required_headings") return ({ own, path }) => own && /\.(md|markdown|mdx)$/i.test(path);
  return ({ own }) => own;
}

function prepare(check: RuleCheck, budget: Budget): Run | Unusable {
  const reading = (text: string, times = 1): string => {
    budget.spend(text.length * times);
    return text;
  };
  switch (check.kind) {
    case "must_match": {
      const pattern = compilePattern(check.pattern, check.flags);
      if ("unusable" in pattern) return pattern;
      return ({ text }) => {
        const found = pattern.isIn(text, budget);
        if (found === undefined) return [{ detail: tooLarge }];
        return found ? [] : [{ detail: `must match /${check.pattern}/` }];
      };
    }
    case "must_not_match": {
      const pattern = compilePattern(check.pattern, check.flags);
      return "unusable" in pattern ? pattern : ({ text }) => pattern.findLines(text, budget);
    }
    case "required_headings":
      return ({ text }) => findMissingHeadings(reading(text), check.headings);
    case "forbidden_words":
      return ({ text }) => findWords(reading(text, check.words.length), check.words);
    case "max_length":
      return ({ text }) => findExcess(reading(text), check.unit, check.limit);
    case "json_schema": {
      const validate = compileSchema(check.schema);
      return "unusable" in validate ? validate : ({ text }) => validate(reading(text), budget);
    }
    case "unusable":
      return { unusable: check.reason };
  }
}

function missing({ name }: Rule, { glob, severity, message }: RuleCheck): Violation {
  const detail = "no file on record to check";
  return { rule: name, severity, file: glob ?? "content", message: message === "" ? detail : `${message} (${detail})` };
}

function violation(rule: Rule, check: RuleCheck, file: RuleFile, { line, detail }: Finding): Violation {
  const lead =
    check.message === "" && check.kind === "must_not_match" ? `must not match /${check.pattern}/` : check.message;
  return {
    rule: rule.name,
    severity: check.severity,
    file: file.path,
    ...defined({ line }),
    message: lead === "" ? detail : `${lead} (${detail})`,
  };
}

function cut(violations: readonly Violation[]): readonly Violation[] {
  const rest = violations.slice(mostViolations);
  const [first] = rest;
  if (first === undefined) return violations;
  const severity = rest.some((one) => one.severity === "error") ? "error" : "warning";
  const message = `and ${rest.length} more violations, from here on`;
  return [...violations.slice(0, mostViolations), { rule: first.rule, severity, file: first.file, message }];
}
