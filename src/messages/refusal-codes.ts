/** The codes of every refusal; callers can rely on them. */
export const refusalCodes = [
  "phase_sequence_violation",
  "action_sequence_violation",
  "incomplete_checkpoint",
  "item_not_ready",
  "session_not_found",
  "unknown_workflow",
  "unknown_action",
  "invalid_definition",
  "approval_required",
  "approval_rejected",
  "check_failed",
  "check_untrusted",
  "conflict",
  "invalid_input",
  "forbidden",
  "too_large",
  "unavailable",
] as const;

export type RefusalCode = (typeof refusalCodes)[number];

/** A refusal as the caller reads it. */
export type RefusalMessage = {
  readonly error: RefusalCode;
  /** Says what happened, and to what. */
  readonly message: string;
  /** Says what to do now. */
  readonly required_action: string;
  /** Names the current position. */
  readonly reason?: string;
  readonly violation_type?: "attempted_skip";
  readonly missing_evidence?: readonly string[];
};
