import type { Decision } from "../gates/approval-statement.ts";
import type { CheckResult, WantedPart } from "../gates/check.ts";
import { type CopyOnce, copyOnce } from "../kit/copy-once.ts";
import type { JsonObject } from "../kit/json.ts";
import type {
  AnswerProof,
  CompletedEntry,
  ContentRecord,
  NextStep,
  SessionFacts,
  StepRef,
  Submission,
  Violation,
} from "./events.ts";
import type { StepItems } from "./item-state.ts";
import type { Move } from "./move.ts";
import type { Warning } from "./notice.ts";
import { stepKey } from "./step-ref.ts";

/** The state of one step of a run. */
export type StepState = {
  readonly attempt: number;
  /** The name of this attempt for callers; absent if it was opened before attempts had one. */
  readonly id?: string;
  readonly status: "started" | "completed" | "skipped" | "vouched" | "superseded" | "passed_over";
  readonly startedAt: string;
  /** The callers that opened this attempt. */
  readonly openedBy: readonly string[];
  /** The last time a caller continued it. */
  readonly resumedAt?: string;
  /** The callers that noticed it open and were shown it. */
  readonly noticedBy?: readonly string[];
  readonly successor?: string | null;
  readonly gated: boolean;
  /** Globs of files that may change while it is open, as declared when it was opened. */
  readonly edits?: readonly string[];
  /** The commit HEAD was at when it was opened, if a check counts commits from it. */
  readonly commit?: string;
  readonly submitted: Submission;
  /** The results of this attempt's checks, the newest of each. */
  readonly checks?: readonly CheckResult[];
  /** The checks that a runner is asked for and has not reported, and since when. */
  readonly wanted?: readonly (WantedPart & { readonly since: string })[];
  /** The failed results of earlier tries, the newest of each; callers know them, and they run again. */
  readonly failedChecks?: readonly CheckResult[];
  /** The code of the last refused try to complete it. */
  readonly refusedCode?: string;
  /** The refusals by its gate in this attempt. */
  readonly gateRefusals?: GateRefusals;
  /** The program that opened this attempt. */
  readonly client?: string;
  /** The latest submission, and since when it has been waiting for a person. */
  readonly waiting?: { readonly since: string; readonly digest?: string; readonly fingerprint?: string };
  /** The approvals that people gave elsewhere in this attempt and no rejection has revoked. */
  readonly approvals?: readonly GivenApproval[];
  /** The nonces of statements signed in this attempt; each counts once. */
  readonly nonces?: readonly string[];
  /** The last rejection, until something else is submitted. */
  readonly rejection?: Rejection;
  /** The assistant's report that the step cannot be done as asked, until it is answered or withdrawn. */
  readonly blocked?: BlockedReport;
  /** A person's answer to the last such report. */
  readonly answer?: BlockedAnswer;
  /** The requirements that people waived in this attempt. */
  readonly waivers?: readonly Waiver[];
  /** The submissions that a person was asked about without an answer, and by which caller. */
  readonly unanswered?: readonly UnansweredQuestion[];
  readonly completion?: Completion;
  /** Its completions in this pass, superseded ones included. */
  readonly rounds?: number;
  /** How often each of its routes went back in this pass. */
  readonly routesTaken?: { readonly [route: string]: number };
  /** The step whose completion led back to this one, and what was submitted there. */
  readonly cameBackFrom?: { readonly step: string; readonly submitted: Submission };
  /** The items of this step; those of a superseded attempt are kept only if they carry over. */
  readonly items?: StepItems;
  /** The step whose completion had led back to this one, once it is completed. */
  readonly backFrom?: string;
  /** How the session or pass ended at this step. */
  readonly ended?: string;
  /** The open attempt that this one replaced: its callers and its submission. */
  readonly replacedAttempt?: {
    readonly attempt: number;
    readonly heldBy: readonly string[];
    readonly submitted: Submission;
  };
};

/** The refusals by a gate: in all, since it last passed, what was missing last, and if the same was missing before. */
export type GateRefusals = {
  readonly times: number;
  readonly inARow: number;
  readonly missing: readonly string[];
  /** Identifies the reasons of the last refusal. */
  readonly reasons?: string;
  readonly same?: true;
};

/** A report that a step cannot be done as asked. */
export type BlockedReport = {
  readonly since: string;
  readonly reason: string;
  readonly client?: string;
  /** The route of the completed step that went back as often as it may. */
  readonly bound?: number;
  readonly items?: true;
};

/** A person's answer to such a report. */
export type BlockedAnswer = {
  readonly at: string;
  readonly text: string;
  readonly by: string;
  /** At a bound: what followed. */
  readonly follows?: "again" | "continue";
};

/** A person's waiver, as recorded; `by` names the person. */
export type Waiver = AnswerProof<Decision> & {
  readonly at: string;
  readonly fields: readonly string[];
  readonly reason: string;
  readonly by: string;
  /** The chosen continuation, where routes read a waived field. */
  readonly follows?: string;
};

/** A submission that a person was asked about without an answer. */
export type UnansweredQuestion = { readonly digest: string; readonly by: string };

/** An approval that a person gave elsewhere, as recorded. */
export type GivenApproval = AnswerProof & {
  readonly at: string;
  readonly digest: string;
  readonly level: "elicited" | "proven";
  readonly comment?: string;
  readonly expires: string;
};

/** A person's rejection, with the submission it was about. */
export type Rejection = RejectedSubmission & { readonly at: string; readonly by?: string };

/** A submission that a person rejected. */
export type RejectedSubmission = { readonly digest: string; readonly reason?: string };

/** The result of completing a step. */
export type Completion = {
  readonly at: string;
  readonly by: string;
  readonly fingerprint: string;
  /** The fingerprint of the submission that a person approved elsewhere. */
  readonly approvedFingerprint?: string;
  readonly finished: boolean;
  readonly next: NextStep | null;
  readonly notices: readonly Warning[];
  readonly violations?: readonly Violation[];
};

/** The completion of an attempt that another has replaced. */
export type PastCompletion = { readonly ref: StepRef; readonly id?: string; readonly completion: Completion };

/** One pass through one workflow. */
export type Run = { readonly workflow: string; readonly pass: number; readonly steps: ReadonlyMap<string, StepState> };

/** The state of an independent step. */
export type IndependentStepState = {
  readonly status: "started" | "completed";
  /** Counts how often it was opened. */
  readonly attempt: number;
  readonly id?: string;
  readonly startedAt: string;
  readonly openedBy: string;
  readonly completion?: Completion;
  readonly inputs?: JsonObject;
  readonly unanswered?: readonly UnansweredQuestion[];
};

/** The state that a stream's events add up to: derived, never stored. */
export type StreamSnapshot = {
  /** The latest pass of each workflow. */
  readonly runs: ReadonlyMap<string, Run>;
  /** The highest pass ever begun, by workflow; a restart never reuses a number. */
  readonly passes: ReadonlyMap<string, number>;
  readonly focus: Focus | null;
  readonly completedCount: number;
  readonly recentCompletions: readonly CompletedEntry[];
  readonly independentSteps: ReadonlyMap<string, IndependentStepState>;
  readonly lastCompleted: StepRef | null;
  /** The latest completions of attempts that another has replaced: a late copy of such a call is still known. */
  readonly pastCompletions: readonly PastCompletion[];
  /** The rejections by step; they hold for every attempt and pass. */
  readonly rejections: ReadonlyMap<string, readonly RejectedSubmission[]>;
  /** The open steps of each recent caller, the one that moved last at the end. */
  readonly openSteps: ReadonlyMap<string, readonly StepRef[]>;
  /** The session, if the stream is one. */
  readonly session: SessionState | null;
  /** The project it is identified with; `isLater`: it began before the project had an identity; `from`: it was another project's. */
  readonly project?: { readonly id: string; readonly isLater: boolean; readonly from?: string };
  /** The time a person archived the work. */
  readonly archivedAt: string | null;
  /** The time of the last record. */
  readonly changedAt: string | null;
  /** The latest moves, newest last, so that a returning caller learns what others did. */
  readonly moves: readonly Move[];
  /** The number of records that claim proof by a person's key, or waivers; an audit checks each. */
  readonly provenCount: number;
};

/** A session's facts and times. */
export type SessionState = SessionFacts & {
  readonly beganAt: string;
  readonly changedAt: string;
};

/** The current step of the stream, and since when. */
export type Focus = {
  readonly workflow: string;
  readonly step: string | null;
  readonly state: "started" | "completed";
  readonly timestamp: string;
};

export const emptyStream: StreamSnapshot = {
  runs: new Map(),
  passes: new Map(),
  focus: null,
  completedCount: 0,
  recentCompletions: [],
  independentSteps: new Map(),
  lastCompleted: null,
  pastCompletions: [],
  rejections: new Map(),
  openSteps: new Map(),
  session: null,
  archivedAt: null,
  changedAt: null,
  moves: [],
  provenCount: 0,
};

/** The newest rejection of exactly this submission at this step; undefined if there is none. */
export function rejectionOf(stream: StreamSnapshot, ref: StepRef, digest: string): RejectedSubmission | undefined {
  return stream.rejections.get(stepKey(ref))?.findLast((one) => one.digest === digest);
}

/** The submission so far at the open step a caller means: in the named workflow, its own, or the focused one. */
export function submittedSoFar(stream: StreamSnapshot, caller: string, named?: string): Submission {
  const meant = [named, stream.openSteps.get(caller)?.at(-1)?.workflow, stream.focus?.workflow];
  const run = meant.flatMap((workflow) => stream.runs.get(workflow ?? "") ?? [])[0];
  return [...(run?.steps.values() ?? [])].find(({ status }) => status === "started")?.submitted ?? {};
}

/** Tells if a step needs no more work: completed, skipped by its author, passed over, or vouched for by a person. */
export function isSatisfied(state: StepState | undefined): boolean {
  if (state?.status === "completed") return state.blocked === undefined;
  return state?.status === "skipped" || state?.status === "vouched" || state?.status === "passed_over";
}

/** Tells if a step is open: started, or completed and held at a bound until a person continues. */
export function isOpen(state: StepState | undefined): boolean {
  return state?.status === "started" || isAtBound(state);
}

/** Tells if a step is completed, but led back as often as it may. */
export function isAtBound(state: StepState | undefined): boolean {
  return state?.status === "completed" && state.blocked !== undefined;
}

/** The run that a workflow would start now. */
export function newRun(stream: StreamSnapshot, workflow: string): Run {
  return { workflow, pass: (stream.passes.get(workflow) ?? 0) + 1, steps: new Map() };
}

/** Merges submissions: the later value of a name counts, and evidence is replaced as a whole. */
export function mergeSubmissions(before: Submission, later: Submission, own: CopyOnce = copyOnce()): Submission {
  const merged: { -readonly [Part in keyof Submission]: Submission[Part] } = {};
  const inputs = mergeValues(before.inputs, later.inputs, own);
  if (inputs !== undefined) merged.inputs = inputs;
  const outputs = mergeValues(before.outputs, later.outputs, own);
  if (outputs !== undefined) merged.outputs = outputs;
  const evidence = later.evidence ?? before.evidence;
  if (evidence !== undefined) merged.evidence = evidence;
  if ((before.content ?? later.content) === undefined) return merged;
  if (later.content === undefined || before.content === undefined) {
    const only = newestByPath(later.content ?? before.content ?? []);
    if (only.length > 0) merged.content = only;
    return merged;
  }
  const content = own.list(before.content);
  const indexes = indexByPath(content);
  for (const item of later.content) {
    const at = indexes.get(item.path) ?? content.length;
    content[at] = item;
    indexes.set(item.path, at);
  }
  merged.content = content;
  return merged;
}

function newestByPath(content: readonly ContentRecord[]): readonly ContentRecord[] {
  const paths = new Map(content.map((item) => [item.path, item]));
  return paths.size === content.length ? content : [...paths.values()];
}

/** The index of each path in a growing list, cached because replay asks for it with every event. */
function indexByPath(content: readonly ContentRecord[]): Map<string, number> {
  const known = pathIndexes.get(content);
  if (known?.size === content.length) return known;
  const found = new Map(content.map(({ path }, at) => [path, at]));
  pathIndexes.set(content, found);
  return found;
}

const pathIndexes = new WeakMap<readonly ContentRecord[], Map<string, number>>();

function mergeValues(
  before: JsonObject | undefined,
  later: JsonObject | undefined,
  own: CopyOnce,
): JsonObject | undefined {
  return before === undefined || later === undefined ? (later ?? before) : own.values(before, later);
}
