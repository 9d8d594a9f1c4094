import type { Person } from "../gates/approval-rule.ts";
import type { Decision, SignedStatement, SubmissionDecision } from "../gates/approval-statement.ts";
import type { CheckResult, WantedPart } from "../gates/check.ts";
import type { Correction } from "../gates/correction.ts";
import type { Gap } from "../gates/gate.ts";
import type { Violation } from "../gates/rule.ts";
import type { Waived } from "../gates/waiver.ts";
import type { JsonObject } from "../kit/json.ts";
import type { TakenItem } from "./item-state.ts";
import type { Notice } from "./notice.ts";
import type { StepRef } from "./step-ref.ts";

export type { Violation } from "../gates/rule.ts";
export type { StepRef } from "./step-ref.ts";

/** Marks a file as our own readable record of a step; it never replaces another file. */
export type ReadableMark = { readonly readable?: true };

/** A file on record: its path in the project area, size and SHA-256. */
export type ContentRecord = ReadableMark & { readonly path: string; readonly bytes: number; readonly sha256: string };

/** The inputs, outputs, evidence and content submitted for a step. */
export type Submission = {
  readonly inputs?: JsonObject;
  readonly outputs?: JsonObject;
  readonly evidence?: JsonObject;
  readonly content?: readonly ContentRecord[];
};

/** A person's approval and its level: not needed, relayed by the assistant, asked for through the client or at a terminal, or proven by keys. */
export type ApprovalRecord = {
  readonly level: "auto" | "relayed" | "elicited" | "proven";
  readonly text?: string;
  readonly by?: readonly Person[];
};

/** A person's answer given elsewhere: at a terminal or on a page. */
export type AnswerProof<D extends Decision = SubmissionDecision> = {
  readonly level?: "elicited" | "proven";
  /** The person, if a key proves who it is. */
  readonly person?: Person;
  readonly signed?: SignedStatement<D>;
};

/** One entry of the history in the state file. */
export type CompletedEntry = {
  readonly workflow: string;
  readonly step: string;
  readonly timestamp: string;
  readonly duration?: number;
};

/** The step that follows a completed one; `auto`: the completed one continues by itself. */
export type NextStep = { readonly step: string; readonly workflow: string; readonly auto: boolean };

/** The time and the caller: its id, its program, and its name if it has one. */
export type Stamp = {
  readonly at: string;
  readonly by: string;
  readonly client?: string;
  readonly name?: string;
};

/** The digest of a submission and the hash of what it was judged by. */
export type JudgedBy = { readonly digest?: string; readonly judgedBy?: string };

/** A judged condition: its normal form, and the values it read. */
export type JudgedCondition = { readonly condition: string; readonly read: JsonObject };

/** The route that a completion took: its number in the gate, from 0, or the person's words that chose it. */
export type RouteTaken = Partial<JudgedCondition> & { readonly route: number | "person" };

/** A fact about a stream: the only thing that is stored. A known type only ever gains optional fields; an absent one was not recorded. */
export type Event = Stamp &
  /** A step was opened. */
  (
    | ({
        readonly type: "started";
        readonly successor: string | null;
        readonly gated?: true;
        /** Names the attempt for callers; a completion that names it can belong to no other. */
        readonly attemptId?: string;
        readonly inputs?: JsonObject;
        /** The later steps that no longer count because this one is done again. */
        readonly supersedes?: readonly string[];
        /** The hash of what it would be judged by at that moment, without rules. */
        readonly judgedBy?: string;
        /** Globs of files that may change while it is open. */
        readonly edits?: readonly string[];
        /** The commit HEAD was at, if a check counts commits from it. */
        readonly commit?: string;
      } & StepRef)
    /** A person or a route went back: the step and those after it no longer count. */
    | ({
        readonly type: "went_back";
        readonly supersedes: readonly string[];
        /** The step whose completion led back, and its route. */
        readonly from?: string;
        readonly route?: number;
        /** The items of the step that are done again; the others carry over. */
        readonly only?: readonly string[];
      } & StepRef)
    /** The items of an open step, as its list had them at that moment. */
    | ({
        readonly type: "items_taken";
        readonly round: number;
        /** The hash of the list. */
        readonly list: string;
        readonly items: readonly TakenItem[];
        readonly ticked?: true;
        /** The pinned definition that they use, if the step's own is not pinned. */
        readonly definition?: string;
      } & StepRef)
    /** An item has its place, and its session may begin. */
    | ({ readonly type: "item_opened"; readonly item: string; readonly session: string } & StepRef)
    /** The session of an item ended; only an outcome that the step accepts settles the item. */
    | ({
        readonly type: "item_settled";
        readonly item: string;
        readonly session: string;
        readonly round: number;
        readonly outcome: string;
        readonly isAccepted: boolean;
        /** The head of the session's history. */
        readonly head: string;
        readonly collected?: JsonObject;
      } & StepRef)
    /** The condition of the step was false when the position arrived at it. */
    | ({
        readonly type: "passed_over";
        readonly workflow: string;
        readonly pass: number;
        readonly step: string;
      } & JudgedCondition)
    /** A route or a person ended the session or pass at this step. */
    | ({ readonly type: "finished"; readonly outcome: string; readonly reason?: string } & StepRef &
        AnswerProof<Decision>)
    /** A caller continued an interrupted step with what was submitted so far. */
    | ({ readonly type: "continued" } & StepRef)
    /** A caller noticed the step open and was shown it; it is one of the caller's open steps from then on. */
    | ({ readonly type: "met" } & StepRef)
    /** A caller named a step; its next call without a name means this one. */
    | ({ readonly type: "focused" } & StepRef)
    /** Something was submitted. With a digest: the gate passed, and only approval is missing. */
    | ({
        readonly type: "handed_in";
        /** Identifies the same submission sent again, with or without an approval. */
        readonly fingerprint?: string;
      } & StepRef &
        Submission &
        JudgedBy)
    /** A runner is asked for a check, because the server does not see the files. */
    | ({ readonly type: "check_wanted" } & StepRef & WantedPart)
    /** A check that Waymark or a runner ran has ended. */
    | ({ readonly type: "checked"; readonly result: CheckResult } & StepRef)
    /** A person rejected a submission. */
    | ({ readonly type: "declined"; readonly reason?: string } & StepRef & JudgedBy & AnswerProof)
    /** A person approved exactly this submission elsewhere. */
    | ({
        readonly type: "approved";
        readonly digest: string;
        readonly level: "elicited" | "proven";
        readonly comment?: string;
        /** The time from which it no longer counts. */
        readonly expires: string;
      } & StepRef &
        AnswerProof)
    /** The assistant reported that the step cannot be done as asked. */
    | ({
        readonly type: "blocked";
        readonly reason: string;
        /** The route that went back as often as it may; only a person can continue. */
        readonly bound?: number;
        /** Waymark reports it, about items. */
        readonly items?: true;
      } & StepRef)
    /** A person told the assistant how to continue with a blocked step. */
    | ({
        readonly type: "answered";
        readonly text: string;
        /** At a bound: one more round, or on to the next step. */
        readonly follows?: "again" | "continue";
      } & StepRef &
        AnswerProof<Decision>)
    /** A person waived requirements or checks for this attempt. */
    | ({
        readonly type: "waived";
        readonly fields: readonly string[];
        readonly reason: string;
        /** The continuation that replaces the routes reading a waived field: a step, an outcome or "next". */
        readonly follows?: string;
      } & StepRef &
        AnswerProof<Decision>)
    /** A person was asked about this submission and did not answer. */
    | ({ readonly type: "unanswered" } & StepRef & JudgedBy)
    /** A step counts as done. */
    | ({
        readonly type: "completed";
        readonly duration: number;
        readonly word: ApprovalRecord;
        readonly fingerprint: string;
        readonly successor: string | null;
        /** The next step and notices of the reply; the same call sent again gets them again. */
        readonly next: NextStep | null;
        readonly warnings?: readonly string[];
        readonly notices?: readonly Notice[];
        /** No step of the run is left. */
        readonly finished: boolean;
        readonly violations?: readonly Violation[];
        /** The evidence fields that checks give and that were claimed as well. */
        readonly claimed?: readonly string[];
        /** The names of the checks that judged it, in the order of its digest. */
        readonly checks?: readonly string[];
        /** The requirements that a person waived, as far as that counted. */
        readonly waived?: readonly Waived[];
        /** The route it took; none: on to the next step. */
        readonly taken?: RouteTaken;
        /** The condition that made an approval unnecessary. */
        readonly unasked?: JudgedCondition;
        /** The digest of the outcomes and heads of its items. */
        readonly items?: string;
        /** The role that did it, in the gate's words. */
        readonly role?: string;
      } & StepRef &
        Submission &
        JudgedBy)
    /** The author of the definitions skips this step. */
    | {
        readonly type: "skipped";
        readonly workflow: string;
        readonly pass: number;
        readonly step: string;
        readonly reason: string;
      }
    /** A call was refused; its code and what was missing. */
    | ({
        readonly type: "refused";
        readonly workflow: string;
        readonly step: string;
        readonly code: string;
        readonly pass?: number;
        readonly attempt?: number;
        /** The missing evidence: in words, as in old records, and as data. */
        readonly gaps?: readonly string[];
        readonly missing?: readonly Gap[];
        readonly violations?: readonly Violation[];
        /** The evidence that was refused. */
        readonly evidence?: JsonObject;
      } & JudgedBy)
    /** An independent action was opened. */
    | {
        readonly type: "aside_started";
        readonly step: string;
        readonly workflow: string;
        readonly attemptId?: string;
        readonly inputs?: JsonObject;
      }
    /** An independent action was completed. */
    | {
        readonly type: "aside_completed";
        readonly step: string;
        readonly workflow: string;
        readonly duration: number;
        readonly fingerprint: string;
        readonly outputs?: JsonObject;
        /** The correction added to a rule, and its approval. */
        readonly correction?: Correction;
        readonly word?: ApprovalRecord;
      }
    /** A position that a person wrote into the state file was taken over. */
    | ({ readonly type: "adopted" } & Adoption)
    /** The behavior or session began again from its first step. */
    | { readonly type: "began_anew"; readonly reason: string }
    /** Log entries that existed before the first record, kept in front of ours. */
    | { readonly type: "log_adopted"; readonly log: readonly JsonObject[] }
    /** The project the history belongs to; `later`: it began before the project had an identity. */
    | { readonly type: "identified"; readonly project: string; readonly later?: true }
    /** A session of a phased workflow began. */
    | ({ readonly type: "session_began" } & SessionFacts)
    /** A person moved a session to another version of its definition; the named steps no longer count. */
    | {
        readonly type: "updated";
        readonly workflow: string;
        readonly pass: number;
        readonly definition: string;
        readonly total: number;
        readonly supersedes: readonly string[];
      }
    /** A person archived an unfinished session. */
    | { readonly type: "archived"; readonly reason?: string }
    /** A person had the submitted content of the run erased; the hashes are those of the texts. */
    | {
        readonly type: "forgotten";
        readonly reason: string;
        readonly hashes: readonly string[];
        /** The workflow of a bot that it was about. */
        readonly workflow?: string;
      }
    /** A person accepted the history as it is: the problems, and the hashes of the records or histories meant. */
    | { readonly type: "accepted"; readonly what: readonly string[]; readonly hashes: readonly string[] }
  );

/** The facts of a session from its first record on. */
export type SessionFacts = {
  readonly workflow: string;
  readonly target: string | null;
  readonly options: JsonObject;
  readonly inputs?: JsonObject;
  /** The run of the worktree it was started in; none in the main one. */
  readonly run?: string;
  /** The item that it is for, and the session or behavior that has it. */
  readonly item?: ItemFacts;
  /** Names the pinned definition. */
  readonly definition: string;
  /** The number of its first step, and its number of steps. */
  readonly first: number;
  readonly total: number;
};

/** An item that a session is for: its parent, and its fields. */
export type ItemFacts = {
  readonly parent: string;
  readonly id: string;
  readonly values: JsonObject;
};

/** A position that a person wrote: before the first run (`found`), or over ours (`edited`). */
export type Adoption = {
  readonly origin: "found" | "edited";
  readonly workflow: string;
  /** Absent if the file named no usable step; the workflow then begins at its first. */
  readonly step?: string;
  readonly state: "started" | "completed";
  readonly timestamp: string;
  readonly completed: readonly CompletedEntry[];
  /** Nothing is left to do at this position. */
  readonly finished?: true;
  /** The steps before the position; those that were proved stay proved. */
  readonly before: readonly string[];
  /** The ungated steps that the person vouches for: those before the position, and those listed as completed elsewhere. */
  readonly vouched: readonly { readonly workflow: string; readonly step: string }[];
};
