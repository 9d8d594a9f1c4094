/** What a page is about, as its server tells it: one hand-in to judge, or one passkey to make. */
export type PageData = JudgingData | EnrolmentData;

/** A hand-in with everything that is needed to judge it. What a yes would cover is what is shown. */
export type JudgingData = {
  readonly kind: "judging";
  /** The folder of the project, by its name. */
  readonly project: string;
  /** The run as people name it: `story_bot.shape`, or what a session is about with its id. */
  readonly run: string;
  /** The step likewise: `validate_rules`, or `Phase 2: Proof`. */
  readonly step: string;
  readonly attempt: number;
  readonly since: string;
  /** What became of it. */
  readonly standing: "waits" | "completed" | "over";
  /** Names everything that is shown; empty where it waits no longer. */
  readonly digest: string;
  readonly needs: ShownNeed;
  readonly given: readonly ShownApproval[];
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly evidence: readonly ShownEvidence[];
  readonly files: readonly ShownFile[];
  /** What earlier steps of the same workflow put on record: no part of what a yes covers. */
  readonly earlier: readonly ShownEarlier[];
  readonly rules: readonly ShownRule[];
  readonly checks: readonly ShownCheck[];
  /** Whose passkey can answer here. */
  readonly people: readonly ShownPerson[];
};

/** What is needed of people: how their word must come, whose, and of how many. */
export type ShownNeed = {
  readonly level: "relayed" | "elicited" | "proven";
  readonly by?: readonly string[];
  readonly count: number;
};

/** A yes that counts already. */
export type ShownApproval = { readonly name: string; readonly at: string; readonly comment?: string };

/** A field of the evidence, and how far it was looked at: found by Waymark, claimed and found so, claimed and found otherwise, or only claimed. */
export type ShownEvidence = {
  readonly field: string;
  readonly value: unknown;
  readonly standing: "found" | "agrees" | "differs" | "word";
  /** Which check found it. */
  readonly check?: string;
  /** What it found, where that is something else. */
  readonly found?: unknown;
};

/** A file that is handed in, with the text that stands in its place now; or why it cannot be shown. */
export type ShownFile =
  | { readonly path: string; readonly isNew: boolean; readonly text: string; readonly before?: string }
  | { readonly path: string; readonly problem: string };

/** A file that an earlier step put on record. */
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

/** Somebody whom the definitions name, whose word would count here. */
export type ShownPerson = { readonly name: string; readonly key: string; readonly trusted: boolean };

/** A passkey that is to be made. */
export type EnrolmentData = { readonly kind: "enrolment"; readonly project: string; readonly name: string };

/** What a page asks before a person is asked: a statement about just what it shows. */
export type StatementWanted = {
  readonly decision: "approve" | "reject";
  readonly digest: string;
  readonly comment?: string;
};

/** What the passkey is to sign; `nonce` names it. */
export type StatementMade = {
  readonly nonce: string;
  readonly challenge: string;
  readonly rpId: string;
  readonly credentials: readonly string[];
};

/** What a passkey answered. Binary parts are in base64url. */
export type PasskeyAnswer = {
  readonly nonce: string;
  readonly credential: string;
  readonly authenticatorData: string;
  readonly clientDataJSON: string;
  readonly signature: string;
};

/** What became of an answer. */
export type AnswerTaken = {
  /** Completed; on record, but more is needed; sent back; or not taken. */
  readonly result: "completed" | "recorded" | "rejected" | "refused";
  readonly message: string;
};

/** What a browser needs to make a passkey. */
export type EnrolmentOptions = {
  readonly challenge: string;
  readonly rpId: string;
  readonly userId: string;
  readonly name: string;
  readonly algorithms: readonly number[];
  /** Passkeys of this person that are there already. */
  readonly known: readonly string[];
};

/** A passkey that was taken. */
export type Enrolled = { readonly name: string; readonly key: string };
