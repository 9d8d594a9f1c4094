import type { Check, CheckResult, WantedPart } from "../../gates/check.ts";
import type { ResultStatement, RunnerLevel, SignedResult } from "../../gates/result-statement.ts";
import type { JsonObject } from "../../kit/json.ts";
import type { ContentRecord, StepRef } from "../../workflow/events.ts";
import type { StreamId } from "../../workflow/stream-id.ts";

/** The bridge of a caller: the principal of its token, and the fingerprint of the key it signs with. */
export type Bridge = { readonly principal: string; readonly key: string };

/** A call's knowledge of its checks, if its caller's files are elsewhere. */
export type CallerTree = {
  readonly bridge?: Bridge | undefined;
  /** The nonces of its results whose files are unchanged. */
  readonly valid: ReadonlySet<string>;
  /** The checks that were asked for during this call. */
  readonly wanted: Set<string>;
};

/** A check that a runner is asked for, for one submission. */
export type WantedCheck = {
  readonly id: string;
  readonly project: string;
  readonly stream: StreamId;
  readonly ref: StepRef;
  readonly part: WantedPart;
  /** The check itself, which a runner gets only while it holds the claim. */
  readonly check: Check;
  readonly content: readonly ContentRecord[];
  /** The commit that the step was opened at. */
  readonly since?: string;
  /** The names of project and history in signed statements. */
  readonly history: { readonly project: string; readonly first: string | null };
  /** The bridge whose caller submitted it. */
  readonly bridge?: Bridge;
};

/** A runner's claim, for as long as its lease lasts. */
export type RunnerClaim = {
  readonly nonce: string;
  readonly principal: string;
  /** The fingerprint of its key, and the key. */
  readonly key: string;
  readonly public: string;
  /** The process that claimed it, which gets a claim again whose answer was lost. */
  readonly instance: string;
  readonly level: RunnerLevel;
  readonly runner?: string;
};

/** A runner's reason for not running a check. */
export type RunnerNote = {
  readonly kind: "untrusted" | "failed";
  readonly text: string;
  /** The command by which a person trusts it there. */
  readonly trust?: string;
};

export type QueuedCheck = WantedCheck & {
  /** The claim, unless its lease has expired. */
  readonly claim?: RunnerClaim;
  readonly note?: RunnerNote;
};

/** The checks that runners are asked for, shared by all replicas. Losing it loses nothing: the next call asks again. */
export type CheckQueue = {
  /** Asks for a check, or asks again and drops its note; a claim stays. */
  put(wanted: WantedCheck): Promise<void>;
  find(id: string): Promise<QueuedCheck | undefined>;
  list(project: string): Promise<readonly QueuedCheck[]>;
  /** Claims a check for this many seconds; false if another claim holds it. */
  claim(id: string, claim: RunnerClaim, seconds: number): Promise<boolean>;
  /** Extends a claim; false if its lease has expired. */
  renew(id: string, nonce: string, seconds: number): Promise<boolean>;
  /** Ends a claim and leaves a note. */
  release(id: string, nonce: string, note: RunnerNote): Promise<boolean>;
  remove(id: string): Promise<void>;
};

/** When something was last seen: a runner, or the use of a token. */
export type Sighting = { readonly name: string; readonly at: string; readonly about: JsonObject };

/** The latest sightings, shared by all replicas. */
export type Sightings = {
  note(kind: "runner" | "token", sighting: Sighting): Promise<void>;
  list(kind: "runner" | "token"): Promise<readonly Sighting[]>;
};

/** The seconds after which a runner that was not seen counts as gone. */
export const seenSeconds = 60;

/** The way in which a server that sees no files asks runners. */
export type RunnerDispatch = {
  readonly project: string;
  readonly queue: CheckQueue;
  readonly sightings: Sightings;
  /** Tells all replicas that a check is asked for, or has ended. */
  wake(stream: StreamId): Promise<void>;
  /** Waits until a replica tells something about the checks of a stream, or of any, at most `ms`. */
  nextChange(ms: number, stream?: StreamId): Promise<void>;
  /** Tells if the key of a recorded result still counts at its level. */
  counts(signed: SignedResult): Promise<boolean>;
  /** The command that starts a runner. */
  startCommand(level: RunnerLevel): string;
};

/** A runner's request to its server. */
export type RunnerRequest =
  | { readonly do: "claim"; readonly public: string; readonly instance: string; readonly wait: number }
  | { readonly do: "check"; readonly id: string; readonly nonce: string; readonly definition: string }
  | { readonly do: "renew"; readonly id: string; readonly nonce: string }
  | { readonly do: "decline"; readonly id: string; readonly nonce: string; readonly note: RunnerNote }
  | {
      readonly do: "result";
      readonly id: string;
      readonly nonce: string;
      readonly result: CheckResult;
      readonly statement: ResultStatement;
      readonly signature: string;
    };

/** A claimed check as its runner gets it: everything but the check itself, which it names by its hash. */
export type ClaimedCheck = Omit<WantedCheck, "check" | "bridge"> & {
  readonly nonce: string;
  readonly lease: number;
  readonly level: RunnerLevel;
};
