import type { ApprovalRule } from "../gates/approval-rule.ts";
import type { CheckStatus } from "../gates/check.ts";
import type { Correction } from "../gates/correction.ts";
import type { ApprovalRecord, Event, NextStep, StepRef, Submission, Violation } from "./events.ts";
import type { ItemState } from "./item-state.ts";
import type { Warning } from "./notice.ts";
import type { Refusal } from "./refusal.ts";
import type { GivenApproval } from "./stream-snapshot.ts";

/** A decision: the events to record first, and the outcome to answer once they are. */
export type Decision = {
  readonly events: readonly Event[];
  readonly outcome: Outcome;
  readonly notices: readonly Warning[];
};

/** The parts of a completion: its submission, and what rules and checks found. */
export type CompletionDetails = {
  readonly submitted: Submission;
  readonly violations?: readonly Violation[];
  readonly checks?: readonly CheckStatus[];
};

export type Outcome =
  /** `show`: how much the caller has not been shown yet: everything, everything but what the run's earlier steps said, or nothing. */
  | {
      readonly kind: "opened";
      readonly ref: StepRef;
      readonly last: boolean;
      readonly show: "whole" | "step" | "nothing";
      /** The submission so far, if the caller continues another's attempt. */
      readonly resumed?: Submission;
    }
  | { readonly kind: "interrupted"; readonly ref: StepRef; readonly last: boolean; readonly submitted: Submission }
  | { readonly kind: "review"; readonly ref: StepRef; readonly submitted: Submission; readonly skipped?: string }
  | ({ readonly kind: "completed"; readonly ref: StepRef; readonly next: NextStep | null } & CompletionDetails)
  | ({
      readonly kind: "finished";
      readonly workflow: string;
      readonly ref: StepRef | null;
      readonly nextWorkflow: string | null;
      /** How it ended, where its author declares that. */
      readonly outcome?: string;
    } & CompletionDetails)
  /** The completion is recorded, its route is used up, and only a person can continue. */
  | ({ readonly kind: "at_bound"; readonly ref: StepRef; readonly reason: string } & CompletionDetails)
  | { readonly kind: "gone_back"; readonly ref: StepRef }
  | { readonly kind: "archived"; readonly workflow: string }
  /** Items were taken, opened or settled; no ref: nothing of it counts any more. */
  | { readonly kind: "items"; readonly ref: StepRef | null; readonly item?: ItemState; readonly session?: string }
  /** The session follows another version of its definition; the superseded steps must be done again. */
  | { readonly kind: "updated"; readonly workflow: string; readonly supersedes: readonly string[] }
  /** Only approval is missing; `digest` names what it would cover. */
  | {
      readonly kind: "awaiting";
      readonly ref: StepRef;
      readonly submitted: Submission;
      readonly digest: string;
      readonly violations?: readonly Violation[];
      /** The correction of a rule, if the approval is about one. */
      readonly correction?: Correction;
      readonly checks?: readonly CheckStatus[];
      /** This caller asked a person about this exact submission and got no answer. */
      readonly unanswered: boolean;
      /** A person has rejected this exact submission. */
      readonly declined: boolean;
      /** The reason for the rejection, if one was given. */
      readonly reason?: string;
      /** The approval needed, and the approvals given so far. */
      readonly needs: ApprovalRule;
      readonly given: readonly GivenApproval[];
      /** The level of an approval that came with the call and is not enough. */
      readonly insufficientLevel?: ApprovalRecord["level"];
    }
  /** The assistant's report that the step cannot be done is recorded. */
  | { readonly kind: "blocked"; readonly ref: StepRef; readonly submitted: Submission; readonly reason: string }
  /** A person answered or waived; the step is open again. */
  | { readonly kind: "unblocked"; readonly ref: StepRef }
  /** A person's approval is recorded; the next decision shows if it completes the step. */
  | { readonly kind: "approved"; readonly ref: StepRef; readonly digest: string }
  /** Nothing else is missing, and checks are running. */
  | {
      readonly kind: "checking";
      readonly ref: StepRef;
      readonly submitted: Submission;
      readonly checks: readonly CheckStatus[];
    }
  /** The result of a check is recorded, unless its attempt is no longer open. */
  | { readonly kind: "checked"; readonly ref: StepRef; readonly counts: boolean }
  | { readonly kind: "aside_opened"; readonly workflow: string; readonly step: string }
  | { readonly kind: "aside_completed"; readonly workflow: string; readonly step: string }
  | {
      readonly kind: "refused";
      readonly workflow: string | null;
      /** The step whose content the caller may have instead. */
      readonly current: StepRef | null;
      readonly refusal: Refusal;
      /** The submission that is kept from the refused attempt. */
      readonly kept?: Submission;
    };
