import type { LiveBot } from "../bots/live-bots.ts";
import { findContradictions } from "./contradictions.ts";
import type { Noted } from "./finding.ts";
import { inspectRuleFiles } from "./inspect-rule-files.ts";
import { type PlacedCheck, type SourcedRule, sourcedRules } from "./placed-checks.ts";
import type { Surroundings, Survey } from "./survey.ts";

/** Reports rules that nobody can keep, checks that cannot be run, and rules that do not show what they mean. */
export function inspectRules({ bots }: Survey, surroundings: Surroundings): Noted[] {
  return bots.flatMap((bot) => [...inspectRuleFiles(bot.tree), ...inspectRulesOf(bot, surroundings)]);
}

function inspectRulesOf({ tree }: LiveBot, surroundings: Surroundings): Noted[] {
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

function withoutExamples({ rule, path, line }: SourcedRule): Noted[] {
  if (rule.checks.some(({ kind }) => kind === "unusable") && rule.description === "") return [];
  const has = (side: "do" | "dont"): boolean => rule.examples.some((example) => example[side] !== undefined);
  if (has("do") && has("dont")) return [];
  const lacks = has("do") ? "no example of what not to do" : has("dont") ? "no example of what to do" : "no example";
  const fix = 'Add one: "examples": [{ "do": "…", "dont": "…" }].';
  return [{ code: "rule-without-examples", path, line, message: `the rule ${rule.name} has ${lacks}`, fix }];
}

function repeatedNames(rules: readonly SourcedRule[]): Noted[] {
  const first = new Map<string, SourcedRule>();
  return rules.flatMap((rule): Noted[] => {
    const name = rule.rule.name.toLowerCase();
    const known = first.get(name);
    if (known === undefined) first.set(name, rule);
    if (known === undefined) return [];
    const message = `a second rule is named ${rule.rule.name}; corrections go to the one in ${known.rule.file}`;
    return [{ code: "duplicate-rule", path: rule.path, line: rule.line, message, fix: "Give it a name of its own." }];
  });
}

function unusable(placed: PlacedCheck, surroundings: Surroundings): Noted[] {
  const { check, path, rule } = placed;
  const note = (reason: string, line: number): Noted => ({
    code: "unusable-check",
    path,
    line,
    message: `a check of ${rule} cannot be run and counts as broken: ${reason}`,
    fix: "Mend the check, or delete it.",
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
