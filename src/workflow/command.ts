import type { Decision } from "../gates/approval-statement.ts";
import type { CheckResult, CheckStatus } from "../gates/check.ts";
import type { Correction } from "../gates/correction.ts";
import type { Observations } from "../gates/gate.ts";
import { defined } from "../kit/defined.ts";
import type { JsonObject } from "../kit/json.ts";
import type { AnswerProof, ApprovalRecord, SessionFacts, Stamp, StepRef, Submission, Violation } from "./events.ts";
import type { ListedItem } from "./item-state.ts";
import type { GivenApproval, StreamSnapshot, Waiver } from "./stream-snapshot.ts";
import type { Plan } from "./workflow.ts";

/** A command of a caller. */
export type Command =
  | OpenCommand
  | CompleteCommand
  | CheckedCommand
  | ApproveCommand
  | DeclineCommand
  | UnansweredCommand
  | AnswerBlockedCommand
  | WaiveCommand
  | EndCommand
  | BackCommand
  | BeginCommand
  | ArchiveCommand
  | TakeItemsCommand
  | OpenItemCommand
  | SettleItemCommand
  | UpdateCommand;

/** Opens the named step, or the current one. */
export type OpenCommand = {
  readonly kind: "open";
  readonly workflow?: string;
  readonly step?: string;
  readonly resume?: "retry" | "continue" | "restart";
  readonly inputs?: JsonObject;
};

/** Completes a step. */
export type CompleteCommand = {
  readonly kind: "complete";
  readonly workflow?: string;
  readonly step?: string;
  /** The attempt that the caller named. */
  readonly attempt?: string;
  /** The attempt that this call was found to mean; deciding again never changes it. */
  readonly meant?: StepRef;
  readonly submitted: Submission;
  /** A person's approval, if one was given. */
  readonly approval?: ApprovalRecord;
  /** Identifies the same call sent again. */
  readonly fingerprint: string;
  /** Identifies the same submission sent again, with or without an approval. */
  readonly submissionFingerprint?: string;
  /** The attempt and submission that a person approved; the approval covers nothing else. */
  readonly approvedSubmission?: SubmissionRef;
  /** The approvals given elsewhere in this attempt, as far as they are proved. */
  readonly approvals?: readonly GivenApproval[];
  /** The step asks questions or decisions, and this attempt has submitted nothing that answers them. */
  readonly lacksAnswers?: boolean;
  /** The violations that rules found in the content, and the digest of what those rules demand. */
  readonly violations?: readonly Violation[];
  readonly rules?: string;
  /** The reason why the step cannot be done as asked; nothing is completed then. */
  readonly blocked?: string;
  /** The waivers of this attempt, as far as they are proved. */
  readonly waivers?: readonly Waiver[];
  /** A correction of a rule; it needs a person's approval. */
  readonly correction?: Correction;
  /** The facts that the server observed about the evidence. */
  readonly observed?: Observations;
  /** The changes in the work tree outside the step's `edits`, or the reason they are unknown. */
  readonly outside?: ChangedOutside;
  /** The state of the gate's checks; absent while something before them is missing. */
  readonly checks?: readonly CheckStatus[];
};

/** Files changed outside what a step may change, or the reason that is unknown. */
export type ChangedOutside = { readonly files: readonly string[] } | { readonly unknown: string };

/** Records the result of a check of an attempt. */
export type CheckedCommand = { readonly kind: "checked"; readonly ref: StepRef; readonly result: CheckResult };

/** One submission: its attempt, and the digest of what would count. */
export type SubmissionRef = { readonly ref: StepRef; readonly digest: string };

/** Records an approval that a person gave elsewhere; a completion counts it. */
export type ApproveCommand = {
  readonly kind: "approve";
  readonly level: "elicited" | "proven";
  readonly comment?: string;
} & SubmissionRef &
  AnswerProof;

/** Records a person's rejection of a submission; `level` if it was given elsewhere. */
export type DeclineCommand = { readonly kind: "decline"; readonly reason?: string } & SubmissionRef & AnswerProof;

/** Records that a person was asked about a submission and did not answer. */
export type UnansweredCommand = { readonly kind: "unanswered" } & SubmissionRef;

/** Records a person's answer to the report that a step is blocked. */
export type AnswerBlockedCommand = {
  readonly kind: "answer";
  readonly ref: StepRef;
  readonly text: string;
  /** At a bound: one more round, or on to the next step. */
  readonly follows?: "again" | "continue";
} & AnswerProof<Decision>;

/** Records a person's waiver of requirements or checks of an open step. */
export type WaiveCommand = {
  readonly kind: "waive";
  readonly ref: StepRef;
  readonly fields: readonly string[];
  readonly reason: string;
  /** The chosen continuation where routes read a waived field: a step, an outcome or "next". */
  readonly follows?: string;
} & AnswerProof<Decision>;

/** Ends a run at its open step with one of its outcomes. */
export type EndCommand = {
  readonly kind: "end";
  readonly ref: StepRef;
  readonly outcome: string;
  readonly reason: string;
} & AnswerProof<Decision>;

/** Goes back to a completed step; the next caller opens it again. */
export type BackCommand = { readonly kind: "back"; readonly workflow?: string; readonly step: string };

/** Begins a session with its first step open. */
export type BeginCommand = { readonly kind: "begin"; readonly facts: SessionFacts };

/** Archives unfinished work. */
export type ArchiveCommand = { readonly kind: "archive"; readonly reason?: string };

/** Takes the items of an open step as its list has them now. */
export type TakeItemsCommand = {
  readonly kind: "take_items";
  readonly ref: StepRef;
  readonly listed: readonly ListedItem[];
  /** The hash of the list. */
  readonly list: string;
  /** The pinned definition of the workflow they use, if the step's own is not pinned. */
  readonly definition?: string;
};

/** Opens an item of the current step. */
export type OpenItemCommand = {
  readonly kind: "open_item";
  readonly item: string;
  readonly workflow?: string;
  /** The stream that has the item. */
  readonly parent: { readonly id: string; readonly isBot: boolean };
  /** The number of open items whose sessions are blocked; their places are free. */
  readonly blocked?: number;
};

/** Records that the session of an item has ended. */
export type SettleItemCommand = {
  readonly kind: "settle_item";
  readonly session: string;
  readonly outcome: string;
  readonly head: string;
  readonly collected: JsonObject;
};

/** Moves a session to another version of its definition. */
export type UpdateCommand = {
  readonly kind: "update";
  readonly to: Plan;
  /** Names the pinned copy of that version. */
  readonly definition: string;
  readonly total: number;
};

/** The caller: its id, program and name. Its open steps follow from the events it caused. */
export type Caller = {
  readonly id: string;
  readonly client?: string;
  readonly name?: string;
  /** After this many seconds an open step may belong to another chat of the same caller. */
  readonly forgetsAfter?: number;
  /** A call may arrive after its client has sent it again elsewhere, as over HTTP. */
  readonly mayArriveLate?: boolean;
  /** The commit of the caller's work tree, if the server does not see it and the caller says so. */
  readonly commit?: string;
  /** False if the caller may not add corrections to rules. */
  readonly mayCorrect?: boolean;
};

/** Stamps an event with its caller and time. */
export function stampOf({ id, client, name }: Caller, at: string): Stamp {
  return { at, by: id, ...defined({ client, name }) };
}

/** A time as it is recorded: never before the last record, even if this machine's clock is behind. */
export function timeAfter({ changedAt }: Pick<StreamSnapshot, "changedAt">, at: string): string {
  return changedAt !== null && Date.parse(at) < Date.parse(changedAt) ? changedAt : at;
}

/** Whole seconds between two times; 0 if either is not a time, as in a file edited by hand. */
export function secondsBetween(from: string, to: string): number {
  const seconds = Math.round((Date.parse(to) - Date.parse(from)) / 1000);
  return Number.isFinite(seconds) ? Math.max(0, seconds) : 0;
}
