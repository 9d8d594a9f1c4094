import type { Approval } from "../evidence/approval.ts";
import type { CheckStanding } from "../evidence/check.ts";
import type { Correction } from "../evidence/correction.ts";
import type { GivenApproval } from "./desk.ts";
import type { Event, HandedIn, Next, StepRef, Violation, Word } from "./events.ts";
import type { Said } from "./notice.ts";
import type { Refusal } from "./refusal.ts";

/** What a decision leads to: the facts to record first, and what may be answered once they are. */
export type Decision = {
  readonly events: readonly Event[];
  readonly outcome: Outcome;
  readonly notices: readonly Said[];
};

/** A completion: what counted, what follows, and what the rules found. */
export type Completed = {
  readonly handed: HandedIn;
  readonly violations?: readonly Violation[];
  readonly checks?: readonly CheckStanding[];
};

export type Outcome =
  /** How much of the step the caller has not been shown: all there is, all but what the run's earlier steps said, or nothing. */
  | {
      readonly kind: "opened";
      readonly ref: StepRef;
      readonly last: boolean;
      readonly show: "whole" | "step" | "nothing";
      /** What was handed in so far, where the caller goes on with another's attempt. */
      readonly resumed?: HandedIn;
    }
  | { readonly kind: "interrupted"; readonly ref: StepRef; readonly last: boolean; readonly handed: HandedIn }
  | { readonly kind: "review"; readonly ref: StepRef; readonly handed: HandedIn; readonly skipped?: string }
  | ({ readonly kind: "completed"; readonly ref: StepRef; readonly next: Next | null } & Completed)
  | ({
      readonly kind: "finished";
      readonly workflow: string;
      readonly ref: StepRef | null;
      readonly nextWorkflow: string | null;
    } & Completed)
  | { readonly kind: "gone_back"; readonly ref: StepRef }
  | { readonly kind: "archived"; readonly workflow: string }
  /** Only a person's word is missing; `digest` names what it would be given to. */
  | {
      readonly kind: "awaiting";
      readonly ref: StepRef;
      readonly handed: HandedIn;
      readonly digest: string;
      readonly violations?: readonly Violation[];
      /** What is to become part of a rule, where that is what the word is about. */
      readonly correction?: Correction;
      readonly checks?: readonly CheckStanding[];
      /** A person was asked about this very hand-in by this caller, and nobody answered. */
      readonly unanswered: boolean;
      /** A person has said no to this very hand-in. */
      readonly declined: boolean;
      /** The reason, where they gave one. */
      readonly reason?: string;
      /** What is needed, and what of it has been given so far. */
      readonly needs: Approval;
      readonly given: readonly GivenApproval[];
      /** The level of a word that came with it and is not enough. */
      readonly below?: Word["level"];
    }
  /** A person's yes is on record; whether it completes the step is decided next. */
  | { readonly kind: "approved"; readonly ref: StepRef; readonly digest: string }
  /** Everything else is there, and checks are under way. */
  | {
      readonly kind: "checking";
      readonly ref: StepRef;
      readonly handed: HandedIn;
      readonly checks: readonly CheckStanding[];
    }
  /** The result of a check is on record, or the attempt that it was for is no longer open. */
  | { readonly kind: "checked"; readonly ref: StepRef; readonly counts: boolean }
  | { readonly kind: "aside_opened"; readonly workflow: string; readonly step: string }
  | { readonly kind: "aside_completed"; readonly workflow: string; readonly step: string }
  | {
      readonly kind: "refused";
      readonly workflow: string | null;
      /** The step whose content the caller may have instead. */
      readonly current: StepRef | null;
      readonly refusal: Refusal;
      /** What is kept of the attempt that was turned down. */
      readonly kept?: HandedIn;
    };
