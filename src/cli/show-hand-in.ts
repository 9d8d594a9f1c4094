import type { Engine } from "../engine/engine.ts";
import type { HandIn, Waits } from "../engine/hand-ins.ts";
import type { ContentFile, StaleProof } from "../engine/ports.ts";
import type { Approval } from "../evidence/approval.ts";
import type { JsonObject } from "../evidence/json.ts";
import type { AboutHandIn, EarlierFile } from "../overview/about-hand-in.ts";
import { type Line, linesOf } from "../overview/difference.ts";
import { rejectionInWords, waitsForWhom } from "../words/approval.ts";
import type { Rejected } from "../workflow/desk.ts";
import type { Event, Violation } from "../workflow/events.ts";
import { paint, plain } from "./print.ts";
import {
  checkLines,
  claimLine,
  claimsOf,
  type ShownCheck,
  type ShownClaim,
  shownChecks,
  turnedDown,
} from "./show-checks.ts";
import { handInLines, type ShownOnce, shownHandIns } from "./show-hand-ins.ts";
import { moment } from "./status-lines.ts";

/** A hand-in as scripts get it, and the files for people. */
export type ShownHandIn = {
  readonly run: string;
  /** The name of the run of the bot, where it has one. */
  readonly run_name?: string;
  readonly step: string;
  /** Which pass through the workflow. */
  readonly pass: number;
  readonly attempt: number;
  readonly since: string;
  /** What it waits for; null where it is completed or nothing of it is asked of anybody. */
  readonly waiting_for: "person" | null;
  /** What that takes, and who has agreed so far. */
  readonly needs?: Approval;
  readonly given?: readonly string[];
  /** What a person said no to it, where the last one did. */
  readonly rejected?: Rejected;
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
  /** What was claimed of the fields that checks give, and what they found. */
  readonly claims: readonly ShownClaim[];
  /** What a session is about. */
  readonly target?: string;
  /** The files that earlier steps put on record: no yes to this hand-in speaks of them. */
  readonly earlier: readonly EarlierFile[];
  /** Why the last try to complete it was turned down, where it was. */
  readonly turned_down?: { readonly code: string; readonly missing: readonly string[] };
  /** Every hand-in of this attempt, oldest first, so that two can be compared. */
  readonly hand_ins: readonly ShownOnce[];
  readonly digest: string | null;
  readonly files: readonly ContentFile[];
  /** The texts that would be replaced, by path. */
  readonly before: ReadonlyMap<string, string>;
  /** What people call the step. */
  readonly title: string;
};

/** A hand-in by the name of its run, with what is on record of its attempt, and its proofs that no longer hold. */
export type NamedHandIn = {
  readonly name: string;
  readonly run: string | undefined;
  /** What people call the step. */
  readonly title: string;
  readonly handIn: HandIn;
  readonly about: AboutHandIn;
  readonly engine: Engine;
  readonly events: readonly Event[];
  readonly stale: readonly StaleProof[];
  /** The same of every step of its workflow. */
  readonly staleInRun: readonly StaleProof[];
};

/** One that only waits for people. */
export type Waiting = NamedHandIn & { readonly handIn: HandIn & { readonly waits: Waits } };

/** A hand-in with everything that is needed to judge it. */
export function shownHandIn({ name: run, run: name, title, handIn, about, events, stale }: NamedHandIn): ShownHandIn {
  const { ref, state, files, violations = [], waits } = handIn;
  const { target, earlier } = about;
  const { outputs = {}, evidence = {}, content = [] } = state.handed;
  const isNew = new Map(files.map((file) => [file.path, file.isNew]));
  return {
    run,
    ...(name === undefined ? {} : { run_name: name }),
    ...(target === undefined ? {} : { target }),
    step: ref.step,
    pass: ref.pass,
    attempt: ref.attempt,
    since: state.waiting?.since ?? state.completion?.at ?? state.startedAt,
    waiting_for: state.waiting === undefined ? null : "person",
    ...(waits === undefined ? {} : { needs: waits.needs, given: namesOf(waits) }),
    ...(state.rejected === undefined ? {} : { rejected: state.rejected }),
    outputs,
    evidence,
    content: content.map(({ path, bytes, sha256 }) => ({ path, bytes, sha256, new: isNew.get(path) === true })),
    rules: violations,
    checks: shownChecks(events, stale),
    claims: claimsOf(events),
    ...turnedDown(handIn.state, events),
    hand_ins: shownHandIns(events),
    digest: state.waiting?.digest ?? null,
    earlier,
    files,
    before: waits?.before ?? new Map(),
    title,
  };
}

/** A run as people know it: a session by what it is about, beside its id. */
export function knownAs({ name, run, about }: Pick<NamedHandIn, "name" | "run" | "about">): string {
  return runInWords(name, run, about.target);
}

function runInWords(name: string, run: string | undefined, target: string | undefined): string {
  const named = target === undefined ? plain(name) : `${plain(target)} (${plain(name)})`;
  return run === undefined ? named : `${named} (run ${plain(run)})`;
}

function namesOf({ given }: Waits): readonly string[] {
  return given.flatMap(({ person }) => person?.name ?? []);
}

/** The same for a person at a terminal, whole. */
export function showLines(shown: ShownHandIn): string[] {
  const { title, attempt, since, waiting_for, outputs, evidence, rules, digest, files, before, earlier } = shown;
  const { turned_down: no, checks, claims, needs, given = [], rejected } = shown;
  const named = runInWords(shown.run, shown.run_name, shown.target);
  const again = attempt > 1 ? `, attempt ${attempt}` : "";
  const handedIn = no === undefined ? "handed in" : `turned down: ${no.code}`;
  const how =
    waiting_for === null
      ? `${handedIn}, ${moment(since)}`
      : `waits for ${needs === undefined ? "a person" : waitsForWhom(needs, given)} since ${moment(since)}`;
  return [
    paint("bold", `${named}: ${plain(title)}${again} (${how})`),
    ...(rejected === undefined ? [] : ["", paint("yellow", plain(rejectionInWords(rejected, title)))]),
    ...valueLines("Outputs", outputs),
    ...valueLines("Evidence", evidence),
    ...section("Missing", no?.missing.map(plain) ?? []),
    ...section(
      "Claimed and found",
      claims.map((claim) => claimLine(claim, shown.hand_ins.length)),
    ),
    ...section("Checks", checks.flatMap(checkLines)),
    ...handInLines(shown.hand_ins),
    ...rules.map(ruleLine),
    ...files.flatMap((file) => fileLines(file, { waits: digest !== null, before: before.get(file.path) })),
    ...(digest === null ? [] : section("On record before, not part of this yes", earlier.map(earlierLine))),
    ...(digest === null ? [] : ["", paint("dim", `digest ${digest}`)]),
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", paint("bold", title), ...lines.map((line) => `  ${line}`)];
}

function valueLines(title: string, values: JsonObject): string[] {
  const entries = Object.entries(values);
  if (entries.length === 0) return [];
  const lines = entries.map(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
    return `  ${plain(name)}: ${visible(text).replaceAll("\n", "\n    ")}`;
  });
  return ["", paint("bold", title), ...lines];
}

function ruleLine({ rule, severity, file, line, message }: Violation): string {
  const place = `${plain(file)}${line === undefined ? "" : `:${line}`}`;
  return paint(severity === "error" ? "red" : "yellow", `! ${plain(rule)}: ${place} ${plain(message)}`);
}

/** A file, whole: what stands in its place already may be nobody's word either. Where it replaces another text, its changes are marked. */
function fileLines(file: ContentFile, now: { readonly waits: boolean; readonly before: string | undefined }): string[] {
  const path = plain(file.path);
  if (!("text" in file)) return ["", paint("red", `${path}: ${plain(file.problem)}`)];
  if (now.before !== undefined) {
    const lines = linesOf(now.before, file.text);
    const count = (kind: Line["kind"]): number => lines.filter((line) => line.kind === kind).length;
    const about = `changed: ${countOf(count("added"), "line")} added, ${count("removed")} removed`;
    return ["", paint("bold", `${path} (${about})`), ...lines.map(changeLine)];
  }
  const about = file.isNew ? "new" : now.waits ? "stands there as it is" : "stands there already";
  return ["", paint("bold", `${path} (${about})`), visible(file.text).trimEnd()];
}

function changeLine(one: Line): string {
  switch (one.kind) {
    case "same":
      return `  ${visible(one.text)}`;
    case "added":
      return paint("green", `+ ${visible(one.text)}`);
    case "removed":
      return paint("red", `- ${visible(one.text)}`);
  }
}

function earlierLine({ path, bytes, sha256, step }: EarlierFile): string {
  return `${plain(path)}, ${countOf(bytes, "byte")}, ${sha256.slice(0, 12)}, at ${/^\d+$/.test(step) ? `phase ${step}` : plain(step)}`;
}

function countOf(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

/** What stands in a file as it is, but for what would move a terminal's cursor or hide something. */
function visible(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll(/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\uFFFD");
}
