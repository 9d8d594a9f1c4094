import type { ShownEvidence } from "../../overview/evidence-text.ts";

export type { ShownEvidence };

/** The data of a page: a submission to review, or a passkey to create. */
export type PageData = ReviewData | EnrolmentData;

/** A submission with everything needed to review it; an approval covers what is shown. */
export type ReviewData = {
  readonly kind: "judging";
  /** The name of the project folder. */
  readonly project: string;
  /** The run's name for people: `story_bot.shape`, or a session's target with its id. */
  readonly run: string;
  /** The step's name for people: `validate_rules`, or `Phase 2: Proof`. */
  readonly step: string;
  readonly attempt: number;
  readonly since: string;
  /** The state of the submission. */
  readonly standing: "waits" | "blocked" | "completed" | "over";
  /** The assistant's report that the step cannot be done as asked, and how a person can respond. */
  readonly blocked?: ShownReport;
  /** The requirements that people waived in this attempt. */
  readonly waived: readonly { readonly field: string; readonly reason: string; readonly by: string }[];
  /** The digest of everything shown; empty if it is no longer waiting. */
  readonly digest: string;
  readonly needs: ShownNeed;
  /** The author's own question. */
  readonly question?: string;
  readonly given: readonly ShownApproval[];
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly evidence: readonly ShownEvidence[];
  readonly files: readonly ShownFile[];
  /** Files recorded by earlier steps, which the approval does not cover. */
  readonly earlier: readonly ShownEarlier[];
  readonly rules: readonly ShownRule[];
  readonly checks: readonly ShownCheck[];
  /** The people whose passkey can answer here. */
  readonly people: readonly ShownPerson[];
};

/** A report with its reason, the names that can be waived, the commands to copy, and if answering or waiving takes a passkey. */
export type ShownReport = {
  readonly reason: string;
  /** The step led back as often as it may: only one more round or the next step can follow. */
  readonly isAtBound: boolean;
  /** The fields that routes read, and what can follow if they are waived. */
  readonly routed: readonly string[];
  readonly continuations: readonly string[];
  /** How the run can be ended. */
  readonly outcomes: readonly string[];
  readonly waivable: readonly string[];
  readonly commands: readonly string[];
  readonly signs: { readonly answer: boolean; readonly waive: boolean };
};

/** The required approval: its level, approvers and count. */
export type ShownNeed = {
  readonly level: "relayed" | "elicited" | "proven";
  readonly by?: readonly string[];
  readonly count: number;
};

/** An approval that already counts. */
export type ShownApproval = { readonly name: string; readonly at: string; readonly comment?: string };

/** A submitted file with the text it replaces, or the reason why it cannot be shown. */
export type ShownFile =
  | { readonly path: string; readonly isNew: boolean; readonly text: string; readonly before?: string }
  | { readonly path: string; readonly problem: string };

/** A file recorded by an earlier step. */
export type ShownEarlier = {
  readonly step: string;
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
};

export type ShownRule = {
  readonly rule: string;
  readonly severity: "error" | "warning";
  readonly file: string;
  readonly line?: number;
  readonly message: string;
};

export type ShownCheck = {
  readonly name: string;
  readonly status: "passed" | "failed";
  readonly summary: string;
  readonly output?: string;
};

/** An approver whose approval would count here. */
export type ShownPerson = { readonly name: string; readonly key: string; readonly trusted: boolean };

/** A passkey to be created. */
export type EnrolmentData = { readonly kind: "enrolment"; readonly project: string; readonly name: string };

/** The request for a statement about what the page shows. */
export type StatementRequest = {
  readonly decision: "approve" | "reject";
  readonly digest: string;
  readonly comment?: string;
};

/** A person's answer to a blocked step or, with fields, a waiver. */
export type ResponseRequest = {
  readonly text: string;
  readonly fields?: readonly string[];
  /** The continuation: `again` or `continue` at a bound; a step, an outcome or `next` after a waiver. */
  readonly follows?: string;
  /** The outcome with which the run ends. */
  readonly ends?: string;
};

/** The statement for the passkey to sign; `nonce` identifies it. */
export type StatementToSign = {
  readonly nonce: string;
  readonly challenge: string;
  readonly rpId: string;
  readonly credentials: readonly string[];
};

/** The answer of a passkey, with binary parts in base64url. */
export type PasskeyAnswer = {
  readonly nonce: string;
  readonly credential: string;
  readonly authenticatorData: string;
  readonly clientDataJSON: string;
  readonly signature: string;
};

/** The result of an answer. */
export type AnswerResult = {
  /** Completed; recorded, but more is needed; rejected; answered or waived; or not accepted. */
  readonly result: "completed" | "recorded" | "rejected" | "responded" | "refused";
  readonly message: string;
  /** The person who answered, how and when, and the record of it. */
  readonly receipt?: AnswerReceipt;
  /** A prompt with which the assistant goes on. */
  readonly prompt?: string;
};

/** The trace of an answer in the history. */
export type AnswerReceipt = {
  readonly by: string;
  readonly how: string;
  readonly at: string;
  readonly record: number;
  readonly head: string;
};

/** The options for creating a passkey in a browser. */
export type EnrolmentOptions = {
  readonly challenge: string;
  readonly rpId: string;
  readonly userId: string;
  readonly name: string;
  readonly algorithms: readonly number[];
  /** The ids of this person's existing passkeys. */
  readonly known: readonly string[];
};

/** A passkey that was enrolled. */
export type Enrolled = { readonly name: string; readonly key: string };
