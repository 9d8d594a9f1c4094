import type { HistoryName } from "../../gates/approval-statement.ts";
import type { Check, CheckResult, CheckStatus } from "../../gates/check.ts";
import type { Gate, Observations } from "../../gates/gate.ts";
import type { Rule } from "../../gates/rule.ts";
import type { JsonObject } from "../../kit/json.ts";
import type { ChangedOutside } from "../../workflow/command.ts";
import type { ContentRecord, StepRef, Violation } from "../../workflow/events.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import type { ContentFile } from "./content.ts";
import type { CallerTree } from "./runners.ts";

/** A text for the rules; `own`: submitted by the workflow that the rules belong to. */
export type RuleFile = { readonly path: string; readonly text: string; readonly own: boolean };

/** Runs the rules over files. */
export type CheckRules = (rules: readonly Rule[], files: readonly RuleFile[]) => Promise<readonly Violation[]>;

/** Checks what evidence claims about the outside: files that must exist, texts that must match. */
export type ObserveEvidence = (gate: Gate, evidence: JsonObject, submitted: SubmittedAt) => Promise<Observations>;

/** Tells if a file, or one in a folder, was submitted with the step or is saved. `to_be_saved`: held, and saved once the completion counts. */
export type SubmittedAt = (path: string, kind: "file" | "folder") => Promise<"to_be_saved" | "on_record" | undefined>;

/** The checks of one attempt, with their known results. */
export type CheckRequest = {
  readonly id: StreamId;
  readonly ref: StepRef;
  readonly checks: readonly Check[];
  /** The results so far. */
  results(): Promise<readonly CheckResult[]>;
  /** The last earlier result of a check, from an earlier try or step. */
  previousResult(name: string): Promise<CheckResult | undefined>;
  /** The commit HEAD was at when the attempt was opened, if that is on record. */
  readonly since?: string | undefined;
  /** The submitted content; a command must see exactly that. */
  readonly content: readonly ContentRecord[];
  /** A submitted file as it would be saved; undefined if none was for that path. */
  readonly submittedFile?: (path: string) => Promise<ContentFile | undefined>;
  /** The caller's work tree, if it is elsewhere and a bridge reports it. */
  readonly tree?: CallerTree | undefined;
  readonly commit?: string | undefined;
  /** Names the history in signed statements. */
  historyName?(): Promise<HistoryName>;
  /** Records a result once its check has ended, possibly much later. */
  record(result: CheckResult): Promise<void>;
};

/** A check of a completed step, as defined and with its result. */
export type Proof = {
  readonly workflow: string;
  readonly step: string;
  readonly check: Check;
  readonly result: CheckResult;
};

/** A proof that no longer holds because files it read have changed; lists them as far as known. */
export type StaleProof = { readonly proof: Proof; readonly files: readonly string[] };

/** Runs the checks of gates. Commands run in the background and belong to the server, not to a call. */
export type Checks = {
  /** Returns the state of each check on the current files, and starts those that must run. */
  start(asked: CheckRequest): Promise<readonly CheckStatus[]>;
  /** The proofs that no longer hold for the current files. */
  stale(proofs: readonly Proof[]): Promise<readonly StaleProof[]>;
  /** Offers the wanted checks to runners, once they are on record; absent where commands run here. */
  offer?(checks: readonly CheckStatus[]): Promise<void>;
  /** Waits up to `ms` for a check of a stream to end and be recorded; false if none did. */
  waitForEnd(id: StreamId, ms: number): Promise<boolean>;
  /** Ends everything that runs. */
  close(): void;
};

/** Finds changes in a work tree while a step is open. */
export type WorkTree = {
  /** The commit HEAD is at; git's empty tree before the first one, undefined outside a repository. */
  head(): Promise<string | undefined>;
  /** Notes the state of the files before the attempt is recorded as begun. */
  mark(id: StreamId, ref: StepRef): Promise<void>;
  /** The files changed since that match no glob, or the reason it is unknown: `handed` will be saved, `saved` was before. */
  changedOutside(
    id: StreamId,
    ref: StepRef,
    edits: readonly string[],
    content: { readonly submitted: readonly ContentRecord[]; readonly saved: readonly ContentRecord[] },
  ): Promise<ChangedOutside>;
};
