import type { Approval } from "../evidence/approval.ts";
import type { CheckStanding } from "../evidence/check.ts";
import type { Gap } from "../evidence/gate.ts";
import type { Problem } from "../evidence/problem.ts";
import type { Move } from "./desk.ts";
import type { Violation } from "./events.ts";

/** A "no" that the caller can act on, as data; whoever answers puts it into words. `at`: the step whose turn it is, null at the end. */
export type Refusal =
  /** Its turn has not come. */
  | { readonly kind: "ahead"; readonly step: string; readonly workflow: string; readonly at: string | null }
  /** The turn of the whole workflow has not come: another stands before it. */
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
  /** What follows cannot be known. */
  | { readonly kind: "closed"; readonly workflow: string; readonly problem: Problem }
  | { readonly kind: "unopenable"; readonly step: string; readonly problem: Problem }
  | { readonly kind: "gate_closed"; readonly step: string; readonly problem: Problem }
  /** What evidence lacks; `checks`: what they came to, where what is lacking was found by them. */
  | {
      readonly kind: "gaps";
      readonly step: string;
      readonly gaps: readonly Gap[];
      readonly checks?: readonly CheckStanding[];
    }
  | { readonly kind: "violations"; readonly step: string; readonly violations: readonly Violation[] }
  /** Checks that failed, or that found something else than was claimed. */
  | {
      readonly kind: "checks";
      readonly step: string;
      readonly checks: readonly CheckStanding[];
      readonly gaps: readonly Gap[];
    }
  /** Checks that no person has trusted here: nothing was run. */
  | { readonly kind: "untrusted"; readonly step: string; readonly checks: readonly CheckStanding[] }
  | { readonly kind: "declined"; readonly step: string; readonly reason?: string }
  /** An answer to something that does not wait for one: another hand-in waits now, or none. */
  | { readonly kind: "other_hand_in"; readonly step: string }
  /** An answer that does not count where it is needed, and why. */
  | {
      readonly kind: "not_enough";
      readonly step: string;
      readonly needs: Approval;
      readonly why: "level" | "person";
    }
  /** An answer that is not what it says, or not of whom. */
  | { readonly kind: "unproved"; readonly step: string; readonly problem: string }
  /** It was completed or begun anew meanwhile: what was done to it last, where that is still known. */
  | {
      readonly kind: "moved";
      readonly step: string;
      readonly workflow: string;
      readonly at: string | null;
      readonly last?: Move;
      /** What the caller had handed in is on record with the attempt that was taken over. */
      readonly onRecord?: true;
    }
  /** The caller stands at several steps, and did not say which. */
  | {
      readonly kind: "ambiguous";
      readonly open: readonly { readonly workflow: string; readonly step: string }[];
    }
  | { readonly kind: "not_opened"; readonly step: string }
  | { readonly kind: "nothing_started"; readonly workflow: string; readonly at: string | null }
  | { readonly kind: "aside_not_open"; readonly step: string }
  | { readonly kind: "archived" }
  | { readonly kind: "not_recorded" }
  /** The caller may not do this: it takes another role. */
  | { readonly kind: "forbidden"; readonly deed: string; readonly role: string }
  /** Arguments that cannot be taken, and what to send instead. */
  | { readonly kind: "invalid_input"; readonly message: string; readonly fix: string }
  /** Definitions that cannot be used. */
  | { readonly kind: "invalid_definition"; readonly problem: Problem }
  /** The definition that the run began with is gone. */
  | { readonly kind: "definition_gone"; readonly workflow: string };

/** The code by which a "no" goes on record; that of a step out of turn is the plan's own. */
export function recordedCode(
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
