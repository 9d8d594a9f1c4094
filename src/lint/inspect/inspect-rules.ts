import type { LiveBot } from "../../definitions/bots/live-bot.ts";
import { findContradictions } from "../contradictions.ts";
import type { CheckContext, DefinitionsSurvey } from "../load-for-check.ts";
import { type LocatedCheck, type SourcedRule, sourcedRules } from "../located-checks.ts";
import type { ReportedFinding } from "../reported-finding.ts";
import { inspectRuleFiles } from "./inspect-rule-files.ts";

/** Reports rules that no content can satisfy, checks that cannot run, and rules without examples. */
export function inspectRules({ bots }: DefinitionsSurvey, surroundings: CheckContext): ReportedFinding[] {
  return bots.flatMap((bot) => [...inspectRuleFiles(bot.tree), ...inspectRulesOf(bot, surroundings)]);
}

function inspectRulesOf({ tree }: LiveBot, surroundings: CheckContext): ReportedFinding[] {
  return tree.behaviors.flatMap((behavior) => {
    const rules = sourcedRules(tree, behavior);
    const checks = rules.flatMap((rule) => rule.checks);
    return [
      ...rules.flatMap(withoutExamples),
      ...repeatedNames(rules),
      ...checks.flatMap((placed) => unusable(placed, surroundings)),
      ...findContradictions(checks),
    ];
  });
}

function withoutExamples({ rule, path, line }: SourcedRule): ReportedFinding[] {
  if (rule.checks.some(({ kind }) => kind === "unusable") && rule.description === "") return [];
  const has = (side: "do" | "dont"): boolean => rule.examples.some((example) => example[side] !== undefined);
  if (has("do") && has("dont")) return [];
  const lacks = has("do") ? "no example of what not to do" : has("dont") ? "no example of what to do" : "no example";
  const fix = 'Add one: "examples": [{ "do": "…", "dont": "…" }].';
  return [{ code: "rule-without-examples", path, line, message: `the rule ${rule.name} has ${lacks}`, fix }];
}

function repeatedNames(rules: readonly SourcedRule[]): ReportedFinding[] {
  const first = new Map<string, SourcedRule>();
  return rules.flatMap((rule): ReportedFinding[] => {
    const name = rule.rule.name.toLowerCase();
    const known = first.get(name);
    if (known === undefined) first.set(name, rule);
    if (known === undefined) return [];
    const message = `another rule is also named ${rule.rule.name}; corrections go to the one in ${known.rule.file}`;
    return [{ code: "duplicate-rule", path: rule.path, line: rule.line, message, fix: "Rename one of them." }];
  });
}

function unusable(placed: LocatedCheck, surroundings: CheckContext): ReportedFinding[] {
  const { check, path, rule } = placed;
  const note = (reason: string, line: number): ReportedFinding => ({
    code: "unusable-check",
    path,
    line,
    message: `a check of ${rule} cannot run and counts as failed: ${reason}`,
    fix: "Fix the check or delete it.",
  });
  if (check.kind === "unusable")
    return [note(check.reason, placed.lineOf(...(check.key === undefined ? [] : [check.key])))];
  const inGlob = check.glob === undefined ? undefined : surroundings.globProblem(check.glob);
  const inSchema = check.kind === "json_schema" ? surroundings.schemaProblem(check.schema) : undefined;
  return [
    ...(inGlob === undefined ? [] : [note(inGlob, placed.lineOf("glob"))]),
    ...(inSchema === undefined ? [] : [note(inSchema, placed.lineOf("schema", "schema_file"))]),
  ];
}
