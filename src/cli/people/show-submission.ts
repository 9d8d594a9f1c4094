import { compareLines, type DiffLine } from "../../dashboard/overview/difference.ts";
import { evidenceCountText } from "../../dashboard/overview/evidence-text.ts";
import type { EarlierFile, EarlierStep, SubmissionContext } from "../../dashboard/overview/submission-context.ts";
import type { Engine } from "../../engine/engine.ts";
import type { StaleProof } from "../../engine/ports/checks.ts";
import type { ContentFile } from "../../engine/ports/content.ts";
import type { ApprovalWait, SubmissionReview } from "../../engine/submissions.ts";
import type { ApprovalRule } from "../../gates/approval-rule.ts";
import type { Waived } from "../../gates/waiver.ts";
import { countText } from "../../kit/count-text.ts";
import { defined } from "../../kit/defined.ts";
import type { JsonObject } from "../../kit/json.ts";
import { localTime } from "../../kit/local-time.ts";
import { approvalWaitText, rejectionText } from "../../messages/approval-texts.ts";
import { responseCommandsFor, waivedTexts } from "../../messages/blocked-texts.ts";
import { readableLines } from "../../messages/readable-value.ts";
import type { Event, Violation } from "../../workflow/events.ts";
import type { Rejection } from "../../workflow/stream-snapshot.ts";
import { isOpen } from "../../workflow/stream-snapshot.ts";
import { recordedWaivers } from "../../workflow/waivers.ts";
import { oneLine, paint, printable } from "../terminal/print.ts";
import { terminalSize, wrap } from "../terminal/wrap.ts";
import {
  checkLines,
  claimLine,
  lastRefusal,
  type ShownCheck,
  type ShownClaim,
  shownChecks,
  shownClaims,
} from "./show-checks.ts";
import { listSubmissions, type ShownAttemptSubmission, submissionHistoryLines } from "./show-submissions.ts";

/** A submission as printed for scripts, with its files for people. */
export type ShownSubmission = {
  readonly run: string;
  /** The name of the bot's run, if it has one. */
  readonly run_name?: string;
  readonly step: string;
  /** The pass through the workflow. */
  readonly pass: number;
  readonly attempt: number;
  readonly since: string;
  /** "blocked" while a report waits for an answer, "person" while a submission waits for approval, otherwise null. */
  readonly waiting_for: "blocked" | "person" | null;
  /** The reason why the assistant reported the step as blocked, and the names that can be waived. */
  readonly reason?: string;
  readonly waivable?: readonly string[];
  /** It is completed, and led back as often as it may. */
  readonly at_bound?: true;
  /** The outcomes with which a person can end the run. */
  readonly outcomes?: readonly string[];
  /** The requirements that people waived in this attempt. */
  readonly waived: readonly Waived[];
  /** The approval needed, and the people who have approved so far. */
  readonly needs?: ApprovalRule;
  readonly given?: readonly string[];
  /** The latest rejection, if it was rejected. */
  readonly rejected?: Rejection;
  readonly outputs: JsonObject;
  readonly evidence: JsonObject;
  readonly content: readonly {
    readonly path: string;
    readonly bytes: number;
    readonly sha256: string;
    readonly new: boolean;
  }[];
  readonly rules: readonly Violation[];
  readonly checks: readonly ShownCheck[];
  /** The claimed values of fields that checks provide, with what the checks found. */
  readonly claims: readonly ShownClaim[];
  /** The target of a session. */
  readonly target?: string;
  /** Files recorded by earlier steps, which this approval does not cover. */
  readonly earlier: readonly EarlierFile[];
  /** The reason of the last refusal, if it was refused. */
  readonly turned_down?: { readonly code: string; readonly missing: readonly string[] };
  /** Every submission of this attempt, oldest first. */
  readonly hand_ins: readonly ShownAttemptSubmission[];
  readonly digest: string | null;
  readonly forPeople: {
    readonly files: readonly ContentFile[];
    /** The texts to be replaced, by path. */
    readonly before: ReadonlyMap<string, string>;
    /** The name of the step. */
    readonly title: string;
    /** The argument with which commands name the run. */
    readonly argument: string;
    readonly earlierSteps: readonly EarlierStep[];
  };
};

/** A submission under its run's name, with the events of its attempt and its stale proofs. */
export type NamedSubmission = {
  readonly name: string;
  readonly run: string | undefined;
  /** The name of the step for people. */
  readonly title: string;
  /** The argument with which commands name the run. */
  readonly argument: string;
  readonly submission: SubmissionReview;
  readonly about: SubmissionContext;
  readonly engine: Engine;
  readonly events: readonly Event[];
  readonly stale: readonly StaleProof[];
  /** The names in its gate that can be waived. */
  readonly waivable: readonly string[];
  /** The outcomes with which a person can end the run. */
  readonly outcomes: readonly string[];
  /** The stale proofs of every step of its workflow. */
  readonly staleInRun: readonly StaleProof[];
};

/** A submission that only waits for people. */
export type WaitingSubmission = NamedSubmission & {
  readonly submission: SubmissionReview & { readonly waits: ApprovalWait };
};

/** Collects everything needed to review a submission. */
export function showSubmission({
  name: run,
  run: name,
  title,
  argument,
  submission,
  about,
  events,
  stale,
  waivable,
  outcomes,
}: NamedSubmission): ShownSubmission {
  const { ref, state, files, violations = [], waits } = submission;
  const { target, earlier, earlierSteps } = about;
  const blocked = isOpen(state) ? state.blocked : undefined;
  const { outputs = {}, evidence = {}, content = [] } = state.submitted;
  const isNew = new Map(files.map((file) => [file.path, file.isNew]));
  return {
    run,
    ...defined({ run_name: name, target }),
    step: ref.step,
    pass: ref.pass,
    attempt: ref.attempt,
    since: blocked?.since ?? state.waiting?.since ?? state.completion?.at ?? state.startedAt,
    waiting_for: blocked !== undefined ? "blocked" : state.waiting === undefined ? null : "person",
    ...(blocked === undefined
      ? {}
      : {
          reason: blocked.reason,
          ...(blocked.bound === undefined ? { waivable } : { waivable: [], at_bound: true }),
          ...(outcomes.length === 0 ? {} : { outcomes }),
        }),
    waived: recordedWaivers(state),
    ...(waits === undefined ? {} : { needs: waits.needs, given: approverNames(waits) }),
    ...defined({ rejected: state.rejection }),
    outputs,
    evidence,
    content: content.map(({ path, bytes, sha256 }) => ({ path, bytes, sha256, new: isNew.get(path) === true })),
    rules: violations,
    checks: shownChecks(events, stale),
    claims: shownClaims(events),
    ...lastRefusal(submission.state, events),
    hand_ins: listSubmissions(events),
    digest: state.waiting?.digest ?? null,
    earlier,
    forPeople: { files, before: waits?.before ?? new Map(), title, argument, earlierSteps },
  };
}

/** Names a run for people; a session by its target and id. */
export function runName({ name, run, about }: Pick<NamedSubmission, "name" | "run" | "about">): string {
  return runText(name, run, about.target);
}

function runText(name: string, run: string | undefined, target: string | undefined): string {
  const named = target === undefined ? oneLine(name) : `${oneLine(target)} (${oneLine(name)})`;
  return run === undefined ? named : `${named} (run ${oneLine(run)})`;
}

function approverNames({ given }: ApprovalWait): readonly string[] {
  return given.flatMap(({ person }) => person?.name ?? []);
}

/** Formats a submission in full for a person at a terminal. */
export function submissionLines(shown: ShownSubmission): string[] {
  const { attempt, since, waiting_for, outputs, evidence, rules, digest } = shown;
  const { title, files, before } = shown.forPeople;
  const { turned_down: no, checks, claims, needs, given = [], rejected, reason, waived } = shown;
  // What a check found is verified, whether it was claimed or not.
  const found = new Set(claims.flatMap(({ field, hand_in }) => (hand_in === shown.hand_ins.length ? [field] : [])));
  const named = runText(shown.run, shown.run_name, shown.target);
  const again = attempt > 1 ? `, attempt ${attempt}` : "";
  const submitted = no === undefined ? "submitted" : `refused: ${no.code}`;
  const how =
    waiting_for === null
      ? `${submitted}, ${localTime(since)}`
      : reason !== undefined
        ? `blocked since ${localTime(since)}`
        : `waiting for approval from ${needs === undefined ? "a person" : approvalWaitText(needs, given)} since ${localTime(since)}`;
  return [
    ...wrap(`${named}: ${oneLine(title)}${again} (${how})`, terminalSize().width, 2).map((line) => paint("bold", line)),
    ...(digest === null || needs?.question === undefined ? [] : [oneLine(needs.question)]),
    ...(reason === undefined ? [] : blockedSection(shown, reason)),
    ...section(
      "Waived",
      waivedTexts(waived).map((line) => oneLine(line)),
    ),
    ...(rejected === undefined ? [] : ["", paint("yellow", oneLine(rejectionText(rejected, title)))]),
    ...section("Missing", no?.missing.map(oneLine) ?? []),
    ...valueLines("Outputs", outputs),
    ...files.flatMap((file) => fileLines(file, { waits: digest !== null, before: before.get(file.path) })),
    ...section(
      "Evidence (verified)",
      claims.map((claim) => claimLine(claim, shown.hand_ins.length)),
    ),
    ...valueLines(
      "Evidence (claimed)",
      Object.fromEntries(Object.entries(evidence).filter(([name]) => !found.has(name))),
    ),
    ...section("Checks", checks.flatMap(checkLines)),
    ...rules.map(ruleLine),
    ...submissionHistoryLines(shown.hand_ins),
    ...(digest === null ? [] : [...earlierSection(shown), "", paint("dim", `digest ${digest}`)]),
  ];
}

/** The reason of a report, and the commands with which a person responds. */
function blockedSection(
  { forPeople: { argument: named }, waivable = [], at_bound, outcomes = [] }: ShownSubmission,
  reason: string,
): string[] {
  const ends = outcomes.length === 0 ? [] : [`waymark end ${oneLine(named)} ${outcomes.map(oneLine).join("|")}`];
  const names = waivable.length === 0 ? [] : [`can be waived: ${waivable.map((name) => oneLine(name)).join(", ")}`];
  return [
    ...["", paint("yellow", `Blocked: ${oneLine(reason)}`)],
    ...section("You can", [
      ...responseCommandsFor(oneLine(named), at_bound),
      ...ends,
      "waymark back or waymark archive",
      ...names,
    ]),
  ];
}

/** Lists the evidence and files of earlier steps. */
function earlierSection({ earlier, forPeople: { earlierSteps } }: ShownSubmission): string[] {
  const steps = earlierSteps.map(
    ({ step, title, evidence }) => `${oneLine(stepName(step, title))}: ${evidenceCountText(evidence)}`,
  );
  return section("Recorded by earlier steps, not part of this approval", [...steps, ...earlier.map(earlierLine)]);
}

/** The commands with which a person answers a submission that waits. */
export function answerCommandLines({ digest, forPeople: { argument } }: ShownSubmission): string[] {
  const named = oneLine(argument);
  const commands = [`waymark approve ${named}`, `waymark reject ${named} --comment "WHY"`];
  return digest === null ? [] : section("You can", commands);
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", paint("bold", title), ...lines.map((line) => `  ${line}`)];
}

function valueLines(title: string, values: JsonObject): string[] {
  const entries = Object.entries(values);
  if (entries.length === 0) return [];
  const lines = entries.flatMap(([name, value]) => readableLines(name, value).map((line) => `  ${printable(line)}`));
  return ["", paint("bold", title), ...lines];
}

function ruleLine({ rule, severity, file, line, message }: Violation): string {
  const place = `${oneLine(file)}${line === undefined ? "" : `:${line}`}`;
  return paint(severity === "error" ? "red" : "yellow", `! ${oneLine(rule)}: ${place} ${oneLine(message)}`);
}

/** Shows a file in full, with its changes marked if it replaces another text. */
function fileLines(file: ContentFile, now: { readonly waits: boolean; readonly before: string | undefined }): string[] {
  const path = oneLine(file.path);
  if (!("text" in file)) return ["", paint("red", `${path}: ${oneLine(file.problem)}`)];
  if (now.before !== undefined) {
    const lines = compareLines(now.before, file.text);
    const count = (kind: DiffLine["kind"]): number => lines.filter((line) => line.kind === kind).length;
    const about = `changed: ${countText(count("added"), "line")} added, ${count("removed")} removed`;
    return ["", paint("bold", `${path} (${about})`), ...lines.map(changeLine)];
  }
  const about = file.isNew ? "new" : now.waits ? "unchanged" : "already saved";
  return ["", paint("bold", `${path} (${about})`), printable(file.text).trimEnd()];
}

function changeLine(one: DiffLine): string {
  switch (one.kind) {
    case "same":
      return `  ${printable(one.text)}`;
    case "added":
      return paint("green", `+ ${printable(one.text)}`);
    case "removed":
      return paint("red", `- ${printable(one.text)}`);
  }
}

function earlierLine({ path, bytes, sha256, step }: EarlierFile): string {
  return `${oneLine(path)}, ${countText(bytes, "byte")}, ${sha256.slice(0, 12)}, at ${oneLine(stepName(step))}`;
}

/** Names a step of any run: `phase 2`, `phase 2: Proof`, `gather_context`. */
function stepName(step: string, title?: string): string {
  const named = /^\d+$/.test(step) ? `phase ${step}` : step;
  return title === undefined ? named : `${named}: ${title}`;
}
