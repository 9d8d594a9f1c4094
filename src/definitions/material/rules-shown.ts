import type { Violation } from "../../workflow/events.ts";
import type { Rule, RuleCheck } from "../../workflow/rule.ts";
import type { loadRules } from "../rules/load-rules.ts";
import { type Found, onePiece, type Source, shownPath } from "./found.ts";
import { named } from "./pieces.ts";

const mostShown = 50;

/** The rules of a behavior as they were loaded. */
export type LoadedRules = ReturnType<typeof loadRules>;

/** Shows rules with what to do and what not, and what Waymark checks of them. */
export function showRules({ rules, problems }: LoadedRules): Found {
  const pieces = rules.map((rule) => ({
    name: rule.name,
    text: ruleText(rule),
    brief: (rule.description.split("\n")[0] ?? "").slice(0, 160),
  }));
  return { pieces: named(pieces), problems };
}

/** Shows what running the checks found, and which rules are left to judge. */
export function showResults({ rules }: LoadedRules, violations: readonly Violation[] | undefined): Found {
  if (violations === undefined) return { pieces: [], problems: [] };
  const left = rules.filter(({ checks }) => checks.length === 0).map(({ name }) => name);
  const count = `${violations.length} violation${violations.length === 1 ? "" : "s"}`;
  const result = violations.length === 0 ? "no violations in what can be checked by machine" : count;
  const lines = [
    ...violations.slice(0, mostShown).map(violationLine),
    ...(violations.length > mostShown ? [`- and ${violations.length - mostShown} more`] : []),
    left.length === 0 ? "Every rule has a check." : `Left for you to judge, no machine can: ${left.join(", ")}.`,
  ];
  return { title: `Checked by Waymark: ${result}`, pieces: onePiece("check_results", lines.join("\n")), problems: [] };
}

/** Shows how a correction is handed in, and the rules that can take one. */
export function showCorrections(source: Source, { rules, problems }: LoadedRules): Found {
  const folder = `${shownPath(source, source.behavior.folder ?? source.tree.folder)}/rules`;
  const names =
    rules.length === 0
      ? `There are no rules yet; the first goes into ${folder}/<name>.json.`
      : `Rules: ${[...new Set(rules.map(({ name }) => name))].join(", ")}.`;
  const how =
    'Call this tool again with this action and inputs {"rule": name, "dont": what was wrong, "do": what is right, "pattern": optional RE2 pattern that finds the wrong in a file}. It is kept as the rule\'s next example, the pattern as a check.';
  return { pieces: onePiece("corrections", `${how}\n${names}`), problems };
}

function ruleText({ name, description, notes = [], examples, checks }: Rule): string {
  return [
    `### ${name}`,
    ...(description === "" ? [] : [description]),
    ...notes,
    ...examples.flatMap((example) => [
      ...(example.do === undefined ? [] : [item("Do", example.do)]),
      ...(example.dont === undefined ? [] : [item("Don't", example.dont)]),
    ]),
    ...checks.map((check) => `- Checked: ${checkText(check)}`),
  ].join("\n");
}

function item(label: string, text: string): string {
  return `- ${label}: ${text.replaceAll("\n", "\n  ")}`;
}

function checkText(check: RuleCheck): string {
  const where = check.glob === undefined ? "" : ` in ${check.glob}`;
  return `${demand(check)}${where}${check.severity === "warning" ? " (warning)" : ""}`;
}

function demand(check: RuleCheck): string {
  switch (check.kind) {
    case "must_match":
      return `must match /${check.pattern}/${check.flags}`;
    case "must_not_match":
      return `must not match /${check.pattern}/${check.flags}`;
    case "required_headings":
      return `headings ${check.headings.join(", ")}`;
    case "forbidden_words":
      return `not the words ${check.words.join(", ")}`;
    case "max_length":
      return `at most ${check.limit} ${check.unit}`;
    case "json_schema":
      return "valid by its JSON Schema";
    case "unusable":
      return `cannot be run (${check.reason})`;
  }
}

function violationLine({ rule, severity, file, line, message }: Violation): string {
  const place = line === undefined ? file : `${file}:${line}`;
  return `- ${rule}${severity === "warning" ? " (warning)" : ""}, ${place}: ${message}`;
}
