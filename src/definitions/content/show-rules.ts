import type { Rule, RuleCheck } from "../../gates/rule.ts";
import { countText } from "../../kit/count-text.ts";
import type { Violation } from "../../workflow/events.ts";
import type { loadRules } from "../rules/load-rules.ts";
import { uniquePieces } from "./material-pieces.ts";
import { displayPathOf, type MaterialFound, type MaterialSource, onePiece } from "./material-source.ts";

const mostShown = 50;

/** The rules of a behavior as loaded. */
export type LoadedRules = ReturnType<typeof loadRules>;

/** Shows rules with their examples, and which of them Waymark checks. */
export function showRules({ rules, problems }: LoadedRules): MaterialFound {
  const pieces = rules.map((rule) => ({
    name: rule.name,
    text: ruleText(rule),
    brief: (rule.description.split("\n")[0] ?? "").slice(0, 160),
  }));
  return { pieces: uniquePieces(pieces), problems };
}

/** Shows the results of the checks, and the rules left to judge. */
export function showResults({ rules }: LoadedRules, violations: readonly Violation[] | undefined): MaterialFound {
  if (violations === undefined) return { pieces: [], problems: [] };
  const left = rules.filter(({ checks }) => !isChecked(checks)).length;
  const result = violations.length === 0 ? "no violations" : countText(violations.length, "violation");
  const lines = [
    ...violations.slice(0, mostShown).map(violationLine),
    ...(violations.length > mostShown ? [`- and ${violations.length - mostShown} more`] : []),
    left === 0 ? "Every rule has a check." : `Left for you to judge: the ${left} not checked.`,
  ];
  return { title: `Checked by Waymark: ${result}`, pieces: onePiece("check_results", lines.join("\n")), problems: [] };
}

/** Explains how to submit a correction, and lists the rules that can take one. */
export function showCorrections(source: MaterialSource, { rules, problems }: LoadedRules): MaterialFound {
  const folder = `${displayPathOf(source, source.behavior.folder ?? source.tree.folder)}/rules`;
  const names =
    rules.length === 0
      ? `There are no rules yet; the first one goes into ${folder}/<name>.json.`
      : `Rules: ${[...new Set(rules.map(({ name }) => name))].join(", ")}.`;
  const how =
    'Call this tool again with this action and inputs {"rule": name, "dont": what was wrong, "do": what is right, "pattern": optional RE2 pattern that finds the mistake in a file}. Once a person approves all of it (pass their own words as confirmation if this client does not ask them), it becomes the rule\'s next example, and the pattern a check.';
  return { pieces: onePiece("corrections", `${how}\n${names}`), problems };
}

function ruleText({ name, description, notes = [], examples, checks }: Rule): string {
  return [
    `### ${name}${isChecked(checks) ? " (checked)" : ""}`,
    ...(description === "" ? [] : [description]),
    ...notes,
    ...exampleLines(examples),
    ...checks.flatMap((check) => (check.kind === "unusable" ? [`- Its check cannot run: ${check.reason}`] : [])),
  ].join("\n");
}

/** Puts one-line examples side by side, in the same order on both sides. */
function exampleLines(examples: Rule["examples"]): string[] {
  const isPaired = examples.every((one) => isOneLine(one.do) && isOneLine(one.dont));
  if (isPaired && examples.length > 1)
    return [
      item("Do", examples.map((one) => one.do).join(" | ")),
      item("Don't", examples.map((one) => one.dont).join(" | ")),
    ];
  return examples.flatMap((one) => [
    ...(one.do === undefined ? [] : [item("Do", one.do)]),
    ...(one.dont === undefined ? [] : [item("Don't", one.dont)]),
  ]);
}

function isOneLine(text: string | undefined): boolean {
  return text !== undefined && text.length <= 120 && !/[\n|]/.test(text);
}

function item(label: string, text: string): string {
  return `- ${label}: ${text.replaceAll("\n", "\n  ")}`;
}

function isChecked(checks: readonly RuleCheck[]): boolean {
  return checks.some(({ kind }) => kind !== "unusable");
}

function violationLine({ rule, severity, file, line, message }: Violation): string {
  const place = line === undefined ? file : `${file}:${line}`;
  return `- ${rule}${severity === "warning" ? " (warning)" : ""}, ${place}: ${message}`;
}
