import type { CheckResult, CheckStanding } from "../evidence/check.ts";
import type { Correction } from "../evidence/correction.ts";
import type { Observations } from "../evidence/gate.ts";
import type { JsonObject } from "../evidence/json.ts";
import type { GivenApproval } from "./desk.ts";
import type { Answered, HandedIn, SessionFacts, Stamp, StepRef, Violation, Word } from "./events.ts";

/** What a caller asks for. */
export type Command =
  | OpenCommand
  | CompleteCommand
  | CheckedCommand
  | ApproveCommand
  | DeclineCommand
  | UnansweredCommand
  | BackCommand
  | BeginCommand
  | ArchiveCommand;

/** Go to a step: the named one, or where the work stands. */
export type OpenCommand = {
  readonly kind: "open";
  readonly workflow?: string;
  readonly step?: string;
  readonly resume?: "retry" | "continue" | "restart";
  readonly inputs?: JsonObject;
};

/** Count a step as done. */
export type CompleteCommand = {
  readonly kind: "complete";
  readonly workflow?: string;
  readonly step?: string;
  readonly handed: HandedIn;
  /** A person's word, where one was given. */
  readonly word?: Word;
  /** Tells the same call sent again from another one. */
  readonly fingerprint: string;
  /** Tells the same hand-in sent again from another one, whatever word comes with it. */
  readonly handIn?: string;
  /** The attempt that a person agreed to, and what they were shown of it: a yes to anything else is no yes. */
  readonly agreed?: Agreed;
  /** What people said yes to elsewhere in this attempt, as far as it is proved to be theirs. */
  readonly approvals?: readonly GivenApproval[];
  /** What the rules that a machine can check found in the content, and the name of what those rules demand. */
  readonly violations?: readonly Violation[];
  readonly rules?: string;
  /** What is to become part of a rule: that takes a person's word. */
  readonly correction?: Correction;
  /** What the server found out about the evidence by itself. */
  readonly observed?: Observations;
  /** What was changed in the work tree while the step was open and lies outside its `edits`; or why nobody can tell. */
  readonly outside?: ChangedOutside;
  /** How the checks of the gate stand; not looked at as long as something before them is missing. */
  readonly checks?: readonly CheckStanding[];
};

/** Files that were changed outside what a step may change, or why that cannot be told. */
export type ChangedOutside = { readonly files: readonly string[] } | { readonly unknown: string };

/** A check of an attempt has ended. */
export type CheckedCommand = { readonly kind: "checked"; readonly ref: StepRef; readonly result: CheckResult };

/** One hand-in: which attempt, and the digest of what would count. */
export type Agreed = { readonly ref: StepRef; readonly digest: string };

/** A person said yes elsewhere to a hand-in: it goes on record, and a completion counts it. */
export type ApproveCommand = {
  readonly kind: "approve";
  readonly level: "elicited" | "proven";
  readonly comment?: string;
} & Agreed &
  Answered;

/** A person said no to a hand-in; `level` where they did so elsewhere. */
export type DeclineCommand = { readonly kind: "decline"; readonly reason?: string } & Agreed & Answered;

/** A person was asked about a hand-in, and nobody answered. */
export type UnansweredCommand = { readonly kind: "unanswered" } & Agreed;

/** A person wants a completed step done again, by whoever opens it next. */
export type BackCommand = { readonly kind: "back"; readonly workflow?: string; readonly step: string };

/** Begin a session: its first step is open from then on. */
export type BeginCommand = { readonly kind: "begin"; readonly facts: SessionFacts };

/** A person puts unfinished work away. */
export type ArchiveCommand = { readonly kind: "archive"; readonly reason?: string };

/** Who calls, with which program, and by what name where there is one; what a caller stands at follows from the events it caused. */
export type Caller = {
  readonly id: string;
  readonly client?: string;
  readonly name?: string;
  /** After so many seconds nobody can say that what this caller began is still its own: it may be another of its chats. */
  readonly forgetsAfter?: number;
  /** Whether it may make corrections part of rules; anybody may, where nothing else is said. */
  readonly corrects?: boolean;
};

/** The mark that everything a caller does bears. */
export function stampOf({ id, client, name }: Caller, at: string): Stamp {
  return { at, by: id, ...(client === undefined ? {} : { client }), ...(name === undefined ? {} : { name }) };
}

/** Whole seconds between two times; 0 where one of them is no time, as a person's file may have it. */
export function secondsBetween(from: string, to: string): number {
  const seconds = Math.round((Date.parse(to) - Date.parse(from)) / 1000);
  return Number.isFinite(seconds) ? Math.max(0, seconds) : 0;
}
