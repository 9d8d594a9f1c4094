import type { Person } from "../evidence/approval.ts";
import type { CheckResult } from "../evidence/check.ts";
import type { Correction } from "../evidence/correction.ts";
import type { Gap } from "../evidence/gate.ts";
import type { JsonObject } from "../evidence/json.ts";
import type { Readable } from "../evidence/readable.ts";
import type { Violation } from "../evidence/rule.ts";
import type { Signed } from "../people/statement.ts";
import type { Notice } from "./notice.ts";
import type { StepRef } from "./step-ref.ts";

export type { Violation } from "../evidence/rule.ts";
export type { StepRef } from "./step-ref.ts";

/** A file put on record: where it stands in the project area, how long it is, and its SHA-256. */
export type ContentRecord = Readable & { readonly path: string; readonly bytes: number; readonly sha256: string };

/** What was handed in towards completing a step. */
export type HandedIn = {
  readonly inputs?: JsonObject;
  readonly outputs?: JsonObject;
  readonly evidence?: JsonObject;
  readonly content?: readonly ContentRecord[];
};

/**
 * A person's word, with how it reached us: nobody's needed, passed on by the assistant, asked for through the client or at a
 * terminal, or proved by the keys of the people who gave it.
 */
export type Word = {
  readonly level: "auto" | "relayed" | "elicited" | "proven";
  readonly text?: string;
  readonly by?: readonly Person[];
};

/** A person's answer that was given elsewhere: at a terminal, on a page. */
export type Answered = {
  readonly level?: "elicited" | "proven";
  /** Who gave it, where a key proves that. */
  readonly person?: Person;
  readonly signed?: Signed;
};

/** One line of the history that the state file shows. */
export type CompletedEntry = {
  readonly workflow: string;
  readonly step: string;
  readonly timestamp: string;
  readonly duration?: number;
};

/** What follows a completed step; `auto`: the completed one goes on by itself. */
export type Next = { readonly step: string; readonly workflow: string; readonly auto: boolean };

/** When, and who: the caller's id, the program it calls with, and its name where it has one. */
export type Stamp = {
  readonly at: string;
  readonly by: string;
  readonly client?: string;
  readonly name?: string;
};

/** What a hand-in came to, so that it can be told from any other: the digest of what would count, and the hash of what it was judged by. */
export type Judged = { readonly digest?: string; readonly judgedBy?: string };

/** A fact about a desk: the only thing that is stored. A known type only ever gains optional fields; one that is absent was not recorded. */
export type Event = Stamp &
  (
    | ({
        readonly type: "started";
        readonly successor: string | null;
        readonly gated?: true;
        readonly inputs?: JsonObject;
        /** The steps after it that no longer count, where it is done again. */
        readonly supersedes?: readonly string[];
        /** What it would be judged by at that moment, but for the rules. */
        readonly judgedBy?: string;
        /** What may be changed while it is open, as globs. */
        readonly edits?: readonly string[];
      } & StepRef)
    /** A person went back: the step and those after it no longer count. */
    | ({ readonly type: "went_back"; readonly supersedes: readonly string[] } & StepRef)
    | ({ readonly type: "continued" } & StepRef)
    /** A caller found the step open, and was shown it: it stands there from now on. */
    | ({ readonly type: "met" } & StepRef)
    | ({ readonly type: "focused" } & StepRef)
    /** With a digest: everything a gate asks for is there, and a person's word is what is missing. */
    | ({
        readonly type: "handed_in";
        /** Tells the same hand-in sent again from another one, whatever word came with it. */
        readonly fingerprint?: string;
      } & StepRef &
        HandedIn &
        Judged)
    /** A check that Waymark ran has ended. */
    | ({ readonly type: "checked"; readonly result: CheckResult } & StepRef)
    | ({ readonly type: "declined"; readonly reason?: string } & StepRef & Judged & Answered)
    /** A person said yes elsewhere to this very hand-in. */
    | ({
        readonly type: "approved";
        readonly digest: string;
        readonly level: "elicited" | "proven";
        readonly comment?: string;
        /** From when on it no longer counts. */
        readonly expires: string;
      } & StepRef &
        Answered)
    /** A person was asked about this hand-in, and nobody answered. */
    | ({ readonly type: "unanswered" } & StepRef & Judged)
    | ({
        readonly type: "completed";
        readonly duration: number;
        readonly word: Word;
        readonly fingerprint: string;
        readonly successor: string | null;
        /** What the answer said of the next step, and what it noted: the same call sent again gets them again. */
        readonly next: Next | null;
        readonly warnings?: readonly string[];
        readonly notices?: readonly Notice[];
        /** No step of the run is left to do. */
        readonly finished: boolean;
        readonly violations?: readonly Violation[];
        /** The fields of the evidence that checks give and that were claimed all the same. */
        readonly claimed?: readonly string[];
        /** The checks that it was judged by, by name, in the order in which its digest has them. */
        readonly checks?: readonly string[];
      } & StepRef &
        HandedIn &
        Judged)
    | {
        readonly type: "skipped";
        readonly workflow: string;
        readonly pass: number;
        readonly step: string;
        readonly reason: string;
      }
    | ({
        readonly type: "refused";
        readonly workflow: string;
        readonly step: string;
        readonly code: string;
        readonly pass?: number;
        readonly attempt?: number;
        /** What a gate found missing: in words, as old records have it, and as data. */
        readonly gaps?: readonly string[];
        readonly missing?: readonly Gap[];
        readonly violations?: readonly Violation[];
        /** The evidence that was turned down. */
        readonly evidence?: JsonObject;
      } & Judged)
    | { readonly type: "aside_started"; readonly step: string; readonly workflow: string; readonly inputs?: JsonObject }
    | {
        readonly type: "aside_completed";
        readonly step: string;
        readonly workflow: string;
        readonly duration: number;
        readonly fingerprint: string;
        readonly outputs?: JsonObject;
        /** What became part of a rule, and on whose word. */
        readonly correction?: Correction;
        readonly word?: Word;
      }
    | ({ readonly type: "adopted" } & Adoption)
    | { readonly type: "began_anew"; readonly reason: string }
    /** Log entries that stood there before the first record, kept in front of ours. */
    | { readonly type: "log_adopted"; readonly log: readonly JsonObject[] }
    | ({ readonly type: "session_began" } & SessionFacts)
    /** A person put an unfinished session away. */
    | { readonly type: "archived"; readonly reason?: string }
    /** A person took the history as it stands: what was said of it, and the hashes of the records or histories that were meant. */
    | { readonly type: "accepted"; readonly what: readonly string[]; readonly hashes: readonly string[] }
  );

/** What a session is about, from its first record on. */
export type SessionFacts = {
  readonly workflow: string;
  readonly target: string | null;
  readonly options: JsonObject;
  /** The run of the work tree that it was begun in; none in the main one. */
  readonly run?: string;
  /** Names the copy of the definition that the session keeps. */
  readonly definition: string;
  /** The number of its first step, and how many there are. */
  readonly first: number;
  readonly total: number;
};

/** A position that a person wrote: before the first run (`found`), or over ours (`edited`). */
export type Adoption = {
  readonly origin: "found" | "edited";
  readonly workflow: string;
  /** Absent: the file named no usable step, and the workflow begins at its first. */
  readonly step?: string;
  readonly state: "started" | "completed";
  readonly timestamp: string;
  readonly completed: readonly CompletedEntry[];
  /** Nothing is left to do at this position. */
  readonly finished?: true;
  /** The steps before the position; what of them was proved stays proved. */
  readonly before: readonly string[];
  /** The ungated steps that the person vouches for: those before the position, and those listed as completed elsewhere. */
  readonly vouched: readonly { readonly workflow: string; readonly step: string }[];
};
