import type { SignedStatement, SubmissionDecision } from "../gates/approval-statement.ts";
import type { SubmissionRef } from "../workflow/command.ts";

/** A person's answer to one submission, given at a terminal or on a page; only a signature shows who gave it. */
export type AnswerRequest = SubmissionRef & {
  readonly decision: SubmissionDecision;
  /** A comment; for a rejection, the reason. */
  readonly comment?: string;
  readonly signed?: SignedStatement;
};
