/** The codes a caller can rely on. */
export const refusalCodes = [
  "phase_sequence_violation",
  "action_sequence_violation",
  "incomplete_checkpoint",
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

/** A "no" in the words that a caller reads. */
export type RefusalWords = {
  readonly error: RefusalCode;
  /** What happened, and to what. */
  readonly message: string;
  /** What to do now. */
  readonly required_action: string;
  /** Where the work stands instead. */
  readonly reason?: string;
  readonly violation_type?: "attempted_skip";
  readonly missing_evidence?: readonly string[];
};
