import type { ApprovalRule } from "../gates/approval-rule.ts";
import type { CheckStatus } from "../gates/check.ts";
import type { Gap } from "../gates/gate.ts";
import type { Problem } from "../gates/problem.ts";
import type { Violation } from "./events.ts";
import type { Move } from "./move.ts";

/** A "no" that the caller can act on, as data; `messages` words it. `at`: the current step, null at the end. */
export type Refusal =
  /** Its turn has not come. */
  | { readonly kind: "ahead"; readonly step: string; readonly workflow: string; readonly at: string | null }
  /** Another workflow comes before this one. */
  | {
      readonly kind: "workflow_ahead";
      readonly workflow: string;
      readonly earlier: string;
      readonly at: string | null;
    }
  | {
      readonly kind: "unknown_step";
      readonly step: string;
      readonly workflow: string;
      readonly known: readonly string[];
    }
  | { readonly kind: "unknown_workflow"; readonly workflow: string | null; readonly known: readonly string[] }
  /** The next step cannot be known. */
  | { readonly kind: "closed"; readonly workflow: string; readonly problem: Problem }
  | { readonly kind: "unopenable"; readonly step: string; readonly problem: Problem }
  | { readonly kind: "gate_closed"; readonly step: string; readonly problem: Problem }
  /** Missing evidence; `checks`: their results, if they found it missing. */
  | {
      readonly kind: "gaps";
      readonly step: string;
      readonly gaps: readonly Gap[];
      readonly checks?: readonly CheckStatus[];
    }
  | { readonly kind: "violations"; readonly step: string; readonly violations: readonly Violation[] }
  /** Checks that failed, or that contradict a claim. */
  | {
      readonly kind: "checks";
      readonly step: string;
      readonly checks: readonly CheckStatus[];
      readonly gaps: readonly Gap[];
    }
  /** Checks that are not trusted here; nothing was run. */
  | { readonly kind: "untrusted"; readonly step: string; readonly checks: readonly CheckStatus[] }
  | { readonly kind: "declined"; readonly step: string; readonly reason?: string }
  /** An unsigned approval of exactly what a person rejected. */
  | { readonly kind: "rejected_before"; readonly step: string }
  /** An answer to a submission that is not waiting: another is, or none. */
  | { readonly kind: "other_submission"; readonly step: string }
  /** An answer that does not count for this step, and why. */
  | {
      readonly kind: "not_enough";
      readonly step: string;
      readonly needs: ApprovalRule;
      readonly why: "level" | "person";
    }
  /** An answer to a step that is not blocked. */
  | { readonly kind: "not_blocked"; readonly step: string }
  /** An answer whose content or signer does not match. */
  | { readonly kind: "unproved"; readonly step: string; readonly problem: string }
  /** It was completed or restarted in the meantime; `last` is the last move, if still known. */
  | {
      readonly kind: "moved";
      readonly step: string;
      readonly workflow: string;
      readonly at: string | null;
      readonly last?: Move;
      readonly open?: NamedAttempt;
      /** The caller's submission is on record with the attempt that was replaced. */
      readonly onRecord?: true;
    }
  /** The named attempt is not the open one, and was not completed with these arguments. */
  | { readonly kind: "not_that_attempt"; readonly step?: string; readonly open?: NamedAttempt }
  /** It may be a late copy of the call that completed `step`: it has the same arguments and names no attempt. */
  | { readonly kind: "late_copy"; readonly step: string; readonly open?: NamedAttempt }
  /** The caller has several open steps and did not say which. */
  | {
      readonly kind: "ambiguous";
      readonly open: readonly { readonly workflow: string; readonly step: string }[];
    }
  | { readonly kind: "not_opened"; readonly step: string }
  | { readonly kind: "nothing_started"; readonly workflow: string; readonly at: string | null }
  | { readonly kind: "aside_not_open"; readonly step: string }
  | { readonly kind: "archived" }
  /** An item that waits: for other items, for room, or for a person. */
  | {
      readonly kind: "item_not_ready";
      readonly item: string;
      readonly after: readonly string[];
      /** The items that have every place. */
      readonly taken?: readonly string[];
      /** Its session ended without settling it. */
      readonly person?: true;
    }
  | { readonly kind: "item_settled"; readonly item: string; readonly outcome: string }
  | { readonly kind: "no_session"; readonly session: string }
  /** The step that an item belongs to was superseded, ended or archived. */
  | { readonly kind: "item_closed"; readonly parent: string }
  | { readonly kind: "not_recorded" }
  /** Submitted texts that cannot be stored durably now. */
  | { readonly kind: "not_stored"; readonly paths: readonly string[] }
  /** The caller's role does not allow this. */
  | { readonly kind: "forbidden"; readonly deed: string; readonly role: string }
  /** Arguments that cannot be accepted, and what to send instead. */
  | { readonly kind: "invalid_input"; readonly message: string; readonly fix: string }
  /** Definitions that cannot be used. */
  | { readonly kind: "invalid_definition"; readonly problem: Problem }
  /** The definition that the run started with is gone. */
  | { readonly kind: "definition_gone"; readonly workflow: string };

/** An open step and its attempt, for a caller that must name it. */
export type NamedAttempt = { readonly step: string; readonly attempt?: string };

/** The code recorded with a refusal; for a step out of turn the plan has its own. */
export function refusalEventCode(
  kind: "gaps" | "violations" | "checks" | "untrusted" | "gate_closed" | "declined",
): string {
  return {
    gaps: "incomplete_checkpoint",
    violations: "check_failed",
    checks: "check_failed",
    untrusted: "check_untrusted",
    gate_closed: "invalid_definition",
    declined: "approval_rejected",
  }[kind];
}
