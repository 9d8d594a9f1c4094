import { walkHistory } from "../../dashboard/overview/walk.ts";
import type { WalkedSubmission } from "../../dashboard/overview/walked-submissions.ts";
import type { Gap } from "../../gates/gate.ts";
import { defined } from "../../kit/defined.ts";
import { canonical, type Json, type JsonObject } from "../../kit/json.ts";
import { localTime } from "../../kit/local-time.ts";
import type { Event } from "../../workflow/events.ts";
import { oneLine, paint } from "../terminal/print.ts";

/** One submission of an attempt as printed for scripts, with its outcome. */
export type ShownAttemptSubmission = {
  readonly number: number;
  readonly at: string;
  readonly client?: string;
  readonly outcome: WalkedSubmission["outcome"];
  readonly code?: string;
  readonly missing?: readonly Gap[];
  readonly same_gaps?: true;
  readonly reason?: string;
  readonly outputs: JsonObject;
  readonly evidence: JsonObject;
  readonly content: readonly { readonly path: string; readonly bytes: number; readonly sha256: string }[];
};

/** Lists every submission of an attempt, oldest first. */
export function listSubmissions(events: readonly Event[]): readonly ShownAttemptSubmission[] {
  const submissions = walkHistory(events).at(-1)?.handIns ?? [];
  return submissions.map(({ number, at, client, outcome, code, missing, sameGaps, reason, ...submitted }) => ({
    ...{ number, at, outcome },
    ...defined({ client, code, missing }),
    ...(sameGaps ? { same_gaps: true } : {}),
    ...defined({ reason }),
    outputs: submitted.outputs ?? {},
    evidence: submitted.evidence ?? {},
    content: (submitted.content ?? []).map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 })),
  }));
}

/** Formats the submissions of an attempt if there were several, and what changed in the last one. */
export function submissionHistoryLines(submissions: readonly ShownAttemptSubmission[]): string[] {
  const [before, last] = submissions.slice(-2);
  if (before === undefined || last === undefined) return [];
  const differences = submissionDifferences(before, last);
  return [
    "",
    paint("bold", `Submitted ${submissions.length} times`),
    ...submissions.slice(-maxSubmissionsShown).map(submissionLine),
    ...(differences.length === 0
      ? [`  Nothing changed since submission ${before.number}.`]
      : [`  Changed since submission ${before.number}:`, ...differences.map((one) => `    ${one}`)]),
  ];
}

/** The number of submissions listed; scripts get all of them. */
const maxSubmissionsShown = 5;

function submissionLine({
  number,
  at,
  client,
  outcome,
  code,
  missing = [],
  same_gaps,
  reason,
}: ShownAttemptSubmission): string {
  const what = outcome === "refused" ? `refused (${code})` : outcome;
  const gaps = missing.map(({ field }) => oneLine(field)).join(", ");
  const said = [
    gaps === "" ? "" : `missing ${gaps}`,
    same_gaps ? "same as before" : "",
    reason === undefined ? "" : `"${oneLine(reason)}"`,
    client === undefined ? "" : oneLine(client),
  ].filter((part) => part !== "");
  const line = `  ${number}  ${localTime(at)}  ${what}${said.length === 0 ? "" : `: ${said.join("; ")}`}`;
  return outcome === "refused" || outcome === "declined" ? paint("red", line) : line;
}

/** Compares two submissions: one line per output, evidence field and file. */
export function submissionDifferences(before: ShownAttemptSubmission, last: ShownAttemptSubmission): string[] {
  return [
    ...valueDifferences(before.evidence, last.evidence),
    ...valueDifferences(before.outputs, last.outputs),
    ...fileDifferences(before, last),
  ];
}

function valueDifferences(before: JsonObject, last: JsonObject): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(last)])];
  return names.flatMap((name) => {
    const [from, to] = [ownValue(before, name), ownValue(last, name)];
    if (from !== undefined && to !== undefined && canonical(from) === canonical(to)) return [];
    return [
      `${oneLine(name)}: ${from === undefined ? "missing" : shortJson(from)} → ${to === undefined ? "gone" : shortJson(to)}`,
    ];
  });
}

function fileDifferences(before: ShownAttemptSubmission, last: ShownAttemptSubmission): string[] {
  const hashes = new Map(before.content.map(({ path, sha256 }) => [path, sha256]));
  return last.content.flatMap(({ path, sha256, bytes }) => {
    const known = hashes.get(path);
    if (known === sha256) return [];
    return [`${oneLine(path)}: ${known === undefined ? "new," : "changed,"} ${bytes} bytes`];
  });
}

function ownValue(values: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function shortJson(value: Json): string {
  const text = oneLine(JSON.stringify(value));
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
