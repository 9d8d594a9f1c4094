import type { Asked } from "../engine/caller.ts";
import type { ContentFile } from "../engine/ports.ts";
import type { Reply } from "../engine/reply.ts";
import type { CheckStanding } from "../evidence/check.ts";
import type { Correction } from "../evidence/correction.ts";
import type { Json } from "../evidence/json.ts";
import type { Violation } from "../workflow/events.ts";
import { typedRun } from "./approval.ts";
import { oneLine } from "./one-line.ts";

/** A host shows a question in a small window: this much of it is read. */
const room = 2000;

/** What a person is asked before a step counts: what it is, what is handed in, and where all of it is shown whole. */
export function questionFor({ reply, files, confirmation }: Asked): string {
  const { outcome } = reply;
  if (outcome.kind !== "awaiting") return "";
  if (outcome.correction !== undefined) return aboutCorrection(outcome.correction, confirmation);
  const { handed, digest } = outcome;
  const head = [
    titleOf(reply),
    ...(confirmation === undefined
      ? []
      : [`The assistant says you said: ${JSON.stringify(oneLine(confirmation, 300))}`]),
  ];
  const tail = [
    `waymark show ${typedRun(reply.id, outcome.ref)} shows all of it (${digest.slice(0, 12)}).`,
    "Answer yes to complete it, no to keep it open.",
  ];
  const sections = [
    section("Files:", files, fileLine),
    section("Outputs:", Object.entries(handed.outputs ?? {}), valueLine),
    section("Evidence:", Object.entries(handed.evidence ?? {}), valueLine),
  ].filter(({ total }) => total > 0);
  const all = [
    ...sections,
    ...ruleSection(outcome.violations ?? reply.violations),
    ...(outcome.checks === undefined ? [] : [section("Checked by Waymark:", outcome.checks, checkLine)]),
  ];
  return [...head, ...fitted(all, room - lengthOf([...head, ...tail])), ...tail].join("\n");
}

/** A correction, whole: what becomes part of a rule is read to its last character by whoever agrees to it. */
function aboutCorrection(
  { dont, do: right, pattern, place = "" }: Correction,
  confirmation: string | undefined,
): string {
  return [
    `Is this to become part of the rule ${oneLine(place, 160)}?`,
    `Wrong: ${JSON.stringify(dont)}`,
    `Right: ${JSON.stringify(right)}`,
    ...(pattern === undefined ? [] : [`Refused from now on, where it matches: ${JSON.stringify(pattern)}`]),
    ...(confirmation === undefined
      ? []
      : [`The assistant says you said: ${JSON.stringify(oneLine(confirmation, 100))}`]),
    "Assistants are told it from now on. Answer yes to keep it, no to leave the rule as it is.",
  ].join("\n");
}

/** Lines under a title; `total` counts those that are left out as well. */
type Section = { readonly title: string; readonly lines: readonly string[]; readonly total: number };

/** More lines of one kind nobody reads in a small window. */
const mostLines = 30;

function titleOf({ id, outcome, desk }: Reply): string {
  if (outcome.kind !== "awaiting") return "";
  const { step, workflow } = outcome.ref;
  const run = id.run === undefined ? "" : ` (run ${id.run})`;
  if (id.kind === "bot") return `Is ${oneLine(step, 100)} of ${oneLine(workflow, 100)}${run} done?`;
  const target = desk.session?.target ?? null;
  const about = target === null ? "" : ` (${oneLine(target, 100)})`;
  return `Is Phase ${step} of ${oneLine(workflow, 100)}${about} done? Its gate asks for your approval.`;
}

function section<T>(title: string, things: readonly T[], line: (thing: T) => string): Section {
  return { title, lines: things.slice(0, mostLines).map(line), total: things.length };
}

/** A file with what is to be known of it before anybody opens it. */
function fileLine(file: ContentFile): string {
  const path = oneLine(file.path, 120);
  if (!("text" in file)) return `- ${path}: ${oneLine(file.problem, 120)}`;
  const lines = file.text === "" ? 0 : file.text.replace(/\n$/, "").split("\n").length;
  return `- ${path}: ${lines} ${lines === 1 ? "line" : "lines"}, ${file.isNew ? "new" : "stands there already"}`;
}

function valueLine([name, value]: [string, Json]): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `- ${oneLine(name, 60)}: ${oneLine(text, 160)}`;
}

function ruleSection(violations: readonly Violation[] | undefined): Section[] {
  if (violations === undefined) return [];
  if (violations.length === 0) return [section("Rules checked by Waymark: no violations.", [], violationLine)];
  return [section(`Rules checked by Waymark: ${violations.length} violation(s).`, violations, violationLine)];
}

function checkLine({ name, status, summary }: CheckStanding): string {
  return `- ${oneLine(name, 60)} ${status}: ${oneLine(summary, 160)}`;
}

function violationLine({ rule, file, line, message }: Violation): string {
  const place = `${oneLine(file, 120)}${line === undefined ? "" : `:${line}`}`;
  return `- ${oneLine(rule, 60)}: ${place} ${oneLine(message, 120)}`;
}

/** Leaves lines out, from the end of the longest section, until the rest has room; says how many. */
function fitted(sections: readonly Section[], left: number): string[] {
  const shown = sections.map(({ lines }) => lines.length);
  const linesOf = ({ title, lines, total }: Section, count: number): string[] => {
    const missing = total - count;
    return [title, ...lines.slice(0, count), ...(missing === 0 ? [] : [`- and ${missing} more`])];
  };
  for (;;) {
    const parts = sections.map((one, at) => linesOf(one, shown[at] ?? 0));
    if (lengthOf(parts.flat()) <= left || shown.every((count) => count === 0)) return parts.flat();
    const lengths = parts.map((lines, at) => ((shown[at] ?? 0) === 0 ? 0 : lengthOf(lines)));
    const longest = lengths.indexOf(Math.max(...lengths));
    shown[longest] = (shown[longest] ?? 1) - 1;
  }
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}
