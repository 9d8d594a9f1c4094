import type { ContentFile } from "../engine/ports/content.ts";
import type { ApprovalQuestion, Reply } from "../engine/reply.ts";
import type { CheckStatus } from "../gates/check.ts";
import type { Correction } from "../gates/correction.ts";
import { countText } from "../kit/count-text.ts";
import type { Json, JsonObject } from "../kit/json.ts";
import { oneLine } from "../kit/one-line.ts";
import type { Violation } from "../workflow/events.ts";
import { runArgument } from "./approval-texts.ts";
import { readableLines } from "./readable-value.ts";
import { stepLabel } from "./stream-words.ts";

/** Hosts show a question in a small window, so it has at most this many characters. */
const maxQuestionLength = 2000;

/** The question a person answers before a step counts: the step, the submission, and the command that shows all of it. */
export function approvalQuestion({ reply, files, confirmation }: ApprovalQuestion): string {
  const { outcome } = reply;
  if (outcome.kind !== "awaiting") return "";
  if (outcome.correction !== undefined) return correctionQuestion(outcome.correction, confirmation);
  const { submitted, digest } = outcome;
  const head = [
    questionTitle(reply),
    ...(confirmation === undefined
      ? []
      : [`The assistant says you said: ${JSON.stringify(oneLine(confirmation, 300))}`]),
  ];
  const tail = [
    `waymark show ${runArgument(reply.id, outcome.ref)} shows all of it (${digest.slice(0, 12)}).`,
    "Answer yes to complete it, no to keep it open.",
  ];
  const verified = verifiedValues(reply);
  const claimed = Object.entries(submitted.evidence ?? {}).filter(([name]) => !Object.hasOwn(verified, name));
  const sections = [
    section("Outputs:", Object.entries(submitted.outputs ?? {}), valueLines),
    section("Files:", files, fileLine),
    section("Evidence (verified):", Object.entries(verified), valueLines),
    section("Evidence (claimed):", claimed, valueLines),
  ].filter(({ lines }) => lines.length > 0);
  const all = [
    ...sections,
    ...ruleSection(outcome.violations ?? reply.violations),
    ...(outcome.checks === undefined ? [] : [section("Checked by Waymark:", outcome.checks, checkLine)]),
  ];
  return [...head, ...fitSections(all, maxQuestionLength - totalLength([...head, ...tail])), ...tail].join("\n");
}

/** Asks about a correction in full: a person reads every character that becomes part of a rule. */
function correctionQuestion(
  { dont, do: right, pattern, place = "" }: Correction,
  confirmation: string | undefined,
): string {
  return [
    `Add this to the rule ${oneLine(place, 160)}?`,
    `Wrong: ${JSON.stringify(dont)}`,
    `Right: ${JSON.stringify(right)}`,
    ...(pattern === undefined ? [] : [`Refused from now on if it matches: ${JSON.stringify(pattern)}`]),
    ...(confirmation === undefined
      ? []
      : [`The assistant says you said: ${JSON.stringify(oneLine(confirmation, 100))}`]),
    "Assistants will see it from now on. Answer yes to add it, no to leave the rule as it is.",
  ].join("\n");
}

/** The evidence that the checks of the open step found. */
function verifiedValues({ outcome, stream }: Reply): JsonObject {
  if (outcome.kind !== "awaiting") return {};
  const { workflow, step } = outcome.ref;
  const { checks = [] } = stream.runs.get(workflow)?.steps.get(step) ?? {};
  return Object.assign({}, ...checks.map(({ found }) => found ?? {}));
}

const longestLine = 200;

/** Lines under a title. */
type Section = { readonly title: string; readonly lines: readonly string[] };

function questionTitle({ id, outcome, stream }: Reply): string {
  if (outcome.kind !== "awaiting") return "";
  const { step, workflow } = outcome.ref;
  const { question } = outcome.needs;
  if (question !== undefined) return `${oneLine(question, 300)} (${oneLine(stepLabel(id, outcome.ref), 200)})`;
  const run = id.run === undefined ? "" : ` (run ${id.run})`;
  if (id.kind === "bot") return `Do you approve ${oneLine(step, 100)} of ${oneLine(workflow, 100)}${run}?`;
  const target = stream.session?.target ?? null;
  const about = target === null ? "" : ` (${oneLine(target, 100)})`;
  return `Do you approve Phase ${step} of ${oneLine(workflow, 100)}${about}? Its gate requires your approval.`;
}

function section<T>(title: string, things: readonly T[], line: (thing: T) => string | readonly string[]): Section {
  return { title, lines: things.flatMap(line) };
}

/** One line about a file: its path, its length and whether it is new. */
function fileLine(file: ContentFile): string {
  const path = oneLine(file.path, 120);
  if (!("text" in file)) return `- ${path}: ${oneLine(file.problem, 120)}`;
  const lines = file.text === "" ? 0 : file.text.replace(/\n$/, "").split("\n").length;
  return `- ${path}: ${countText(lines, "line")}, ${file.isNew ? "new" : "already exists"}`;
}

function valueLines([name, value]: [string, Json]): readonly string[] {
  return readableLines(name, value, "| ").map((line) => `${/^ */.exec(line)?.[0] ?? ""}${oneLine(line, longestLine)}`);
}

function ruleSection(violations: readonly Violation[] | undefined): Section[] {
  if (violations === undefined) return [];
  if (violations.length === 0) return [section("Rules checked by Waymark: no violations.", [], violationLine)];
  return [section(`Rules checked by Waymark: ${violationCount(violations)}.`, violations, violationLine)];
}

/** Counts violations by severity: `1 error, 2 warnings`. */
export function violationCount(violations: readonly { readonly severity?: unknown }[]): string {
  const errors = violations.filter(({ severity }) => severity === "error").length;
  const counts = [countOf(errors, "error"), countOf(violations.length - errors, "warning")];
  return counts.flat().join(", ");
}

function countOf(count: number, noun: string): string[] {
  return count === 0 ? [] : [countText(count, noun)];
}

function checkLine({ name, status, summary }: CheckStatus): string {
  return `- ${oneLine(name, 60)} ${status}: ${oneLine(summary, 160)}`;
}

function violationLine({ rule, file, line, message }: Violation): string {
  const place = `${oneLine(file, 120)}${line === undefined ? "" : `:${line}`}`;
  return `- ${oneLine(rule, 60)}: ${place} ${oneLine(message, 120)}`;
}

/** Drops lines from the end of the longest section until the rest fits, and says how many. */
function fitSections(sections: readonly Section[], left: number): string[] {
  const shown = sections.map(({ lines }) => Math.min(lines.length, left));
  const linesOf = ({ title, lines }: Section, count: number): string[] => {
    const missing = lines.length - count;
    return [
      title,
      ...lines.slice(0, count),
      ...(missing === 0 ? [] : [`… and ${countText(missing, "more line", "more lines")}`]),
    ];
  };
  for (;;) {
    const parts = sections.map((one, at) => linesOf(one, shown[at] ?? 0));
    if (totalLength(parts.flat()) <= left || shown.every((count) => count === 0)) return parts.flat();
    const lengths = parts.map((lines, at) => ((shown[at] ?? 0) === 0 ? 0 : totalLength(lines)));
    const longest = lengths.indexOf(Math.max(...lengths));
    shown[longest] = (shown[longest] ?? 1) - 1;
  }
}

function totalLength(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}
