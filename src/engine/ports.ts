import type { Level } from "../evidence/approval.ts";
import type { Check, CheckResult, CheckStanding } from "../evidence/check.ts";
import type { Correction } from "../evidence/correction.ts";
import type { Gate, Observations } from "../evidence/gate.ts";
import type { JsonObject } from "../evidence/json.ts";
import type { Problem } from "../evidence/problem.ts";
import type { Readable } from "../evidence/readable.ts";
import type { Rule } from "../evidence/rule.ts";
import type { ChangedOutside } from "../workflow/command.ts";
import type { Desk } from "../workflow/desk.ts";
import type { ContentRecord, Event, StepRef, Violation } from "../workflow/events.ts";
import type { Said } from "../workflow/notice.ts";
import type { Found, Repair } from "../workflow/reconcile.ts";
import type { Plan } from "../workflow/workflow.ts";

/** Names one stream of events: the work of a bot in a project, one of its named runs, or a session. */
export type DeskId = { readonly kind: "bot" | "session"; readonly name: string; readonly run?: string };

/** What a log knows of one desk: how many records it has, the hash of the last, what they add up to. */
export type Snapshot = {
  readonly seen: number;
  readonly head: string;
  readonly desk: Desk;
  /** What could not be read or written on the way here, and what is wrong with the history. */
  readonly warnings: readonly string[];
  /** How many records stand beside those that count, because git has merged another side of the history into this one. */
  readonly setAside?: number;
};

/** What becomes of a record that cannot be written: held in memory until it can be, or not recorded at all. */
export type OnFault = "hold" | "refuse";

/** What goes on record besides the events, and how. */
export type Appending = {
  readonly onFault: OnFault;
  /** The view that these events answer, as `Views.look` named it. */
  readonly answers?: string | undefined;
  /** What is kept and saved with the record, all of it or nothing; only where `Content.prepare` says that the store can. */
  readonly saving?: Saving | undefined;
};

/** The content of a completed step, and the texts of it that nothing keeps yet. */
export type Saving = {
  readonly ref: StepRef;
  readonly records: readonly ContentRecord[];
  readonly texts: readonly string[];
};

/** How an append went. `behind`: others wrote first, decide anew. `held`: kept in memory until it can be written. `failed`, only of what is not held: nothing counts. */
export type Appended = {
  readonly status: "recorded" | "behind" | "held" | "failed";
  readonly warnings: readonly string[];
  /** What is to be said of what was saved with it; absent where nothing was. */
  readonly saved?: readonly string[];
};

/** One record as it is stored: its text, whose SHA-256 the next one names, and the events in it. */
export type StoredRecord = {
  readonly seq: number;
  readonly hash: string;
  readonly text: string;
  readonly events: readonly Event[];
};

/** Durable histories, one for each desk, whatever holds them. */
export type EventLog = {
  /** Every desk that has left a trace, or every one of this kind; where only names that begin so are meant, others may be among them. */
  desks(kind?: DeskId["kind"], begins?: string): Promise<readonly DeskId[]>;
  /** So many desks of a kind that were recorded at last, the latest first, where the store knows that without looking at each. */
  latest?(kind: DeskId["kind"], most: number): Promise<readonly DeskId[]>;
  /** Whether a desk has a record. */
  has(id: DeskId): Promise<boolean>;
  /** Looks at everything recorded so far, by whomever. */
  look(id: DeskId): Promise<Snapshot>;
  /** Records one transition, whole or not at all, if nobody has recorded one since `seen`. */
  append(id: DeskId, seen: number, events: readonly Event[], how: Appending): Promise<Appended>;
  /** The records that count, oldest first, those numbered after `from`: all that came since a look that had seen so many. */
  records(id: DeskId, from?: number): AsyncIterable<StoredRecord>;
  /** Calls whenever something may have been recorded, by whomever, until it is told to stop. A hint: look to know. */
  follow(id: DeskId, changed: () => void): () => void;
  /** Reads the history again, believing nothing but what is stored. */
  audit(id: DeskId): Promise<AuditedLog>;
  /** Whether something waits in memory to be recorded: the next look tries again. */
  owes(id: DeskId): boolean;
  /** Lets go of everything that is held open. */
  close(): void;
};

/** What reading a history again came to. */
export type AuditedLog = {
  readonly records: number;
  readonly seq: number;
  readonly head: string;
  /** The hash of the first record: names the history. */
  readonly first: string | null;
  /** The hash of every record that counts, by its number. */
  readonly hashes: ReadonlyMap<number, string>;
  /** As whose history it was begun, where that is another desk's. */
  readonly begunAs?: string;
  /** The stored lines that are no record that counts, in order. */
  readonly lines: readonly AuditedLine[];
  /** What the records that count add up to. */
  readonly desk: Desk;
  /** Where it is not whole or not what it was, in order. */
  readonly breaks: readonly Readonly<{ line: number; offset: number; seq: number; reason: string }>[];
  /** Bytes at the end that never became a record. */
  readonly unfinished: number;
  /** Why nothing can be read, where something was there. */
  readonly missing?: string;
  /** It is not there, and git keeps it on another branch. */
  readonly elsewhere?: true;
  /** What else speaks against it, in words. */
  readonly doubts: readonly string[];
  /** What is to be said of it until a person accepts it; `hash` names the history that is meant. */
  readonly disputes?: readonly { readonly text: string; readonly hash?: string }[];
  /** What is to be said of it and speaks against nothing. */
  readonly notes?: readonly string[];
  /** What people have accepted, as far as that is believed here: hashes of records, of the first records of histories, and of what was disputed. */
  readonly accepted?: ReadonlySet<string>;
  /** The same where it was not given on this machine, and so proves nothing here: each with the number of the record that says so. */
  readonly unseen?: ReadonlyMap<string, number>;
  /** Where it is stored, as a person knows it. */
  readonly place: string;
};

/**
 * One stored line that is no record that counts, or what stands in the place of one. `void`: it came too late, or was
 * written twice, and nobody was told that it counts. `aside`: somebody was; it is of another side of the history, which git
 * has merged with this one, `accepted` once a person has. `marker`: what git leaves around the sides of a conflict.
 */
export type AuditedLine = { readonly line: number; readonly offset: number; readonly hash: string } & (
  | {
      readonly kind: "void" | "aside" | "accepted";
      readonly record: { readonly seq: number; readonly op: string; readonly events: readonly Event[] };
    }
  | { readonly kind: "damaged"; readonly seq: number }
  | { readonly kind: "torn" | "marker" | "bridge" }
);

/** What stands in the project area for people to see. */
export type Viewed = {
  readonly found: Found;
  /** A log that stood there before our first record. */
  readonly foundLog?: readonly JsonObject[];
  /** Names what was found, where it is not ours: the record that answers it bears this name. */
  readonly answers?: string | undefined;
  readonly warnings: readonly string[];
};

/** What shows a desk to people: a projection of its log, never more. */
export type Views = {
  /** Compares what stands there with the history. */
  look(id: DeskId): Promise<Viewed>;
  /** Shows what the history says now. */
  publish(id: DeskId): Promise<readonly string[]>;
  /** Puts a view right: shown anew from the history, what stood there kept aside where it says so. */
  repair(id: DeskId, repair: Repair): Promise<readonly string[]>;
  /** What the views say, or would say. */
  shown(id: DeskId): Promise<JsonObject>;
  /** Whether each view says what the history says. */
  audit(id: DeskId): Promise<readonly { readonly view: string; readonly verdict: ViewVerdict }[]>;
};

/** How a view stands to the history: says what it says, an earlier point of it, is not there, was cut short by a crash, cannot be read, or says something else. */
export type ViewVerdict = "current" | "behind" | "missing" | "torn" | "unreadable" | "differs";

/** Content that a caller hands in: its text, or the path of what stands there. A readable record finds a free name itself, and is marked on record. */
export type ContentItem = Readable & { readonly path: string; readonly text?: string | undefined };

/** Why a content path cannot be taken. */
export type ContentRefusal = { readonly path: string; readonly reason: string };

/** What holding content comes to: records for the history, or a refusal of the whole. */
export type Held =
  | { readonly records: readonly ContentRecord[]; readonly warnings: readonly string[] }
  | { readonly refused: readonly ContentRefusal[] };

/** Content on record as it stands now; or why it is not what was put on record. `isLost`: its text has to be handed in again. */
export type ContentFile = { readonly path: string; readonly isNew: boolean } & (
  | { readonly text: string }
  | { readonly problem: string; readonly isLost?: boolean }
);

/** The content of a project: handed in, held by hash until a completion counts, then saved. */
export type Content = {
  /** A path as it is named here, however it is written: `./docs/a.md` is `docs/a.md`. It need not be one that can be taken. */
  nameOf(written: string): string;
  /** Checks every path, keeps the texts safe, and says what to put on record; or refuses them all and writes nothing. */
  hold(id: DeskId, ref: StepRef, items: readonly ContentItem[], onFault: OnFault): Promise<Held>;
  /** The same without keeping anything: the append that is given the texts keeps them and saves the content. Only where log and content are one store. */
  prepare?(items: readonly ContentItem[]): Promise<Held>;
  /** Saves what was held for a completed step at its place in the project; returns warnings. */
  save(id: DeskId, ref: StepRef, records: readonly ContentRecord[]): Promise<readonly string[]>;
  /** Finishes the saving that a crash cut off: for every completed attempt that still has something held. */
  saveLeftOvers(
    id: DeskId,
    isCompleted: (ref: StepRef) => Promise<readonly ContentRecord[] | undefined>,
  ): Promise<readonly string[]>;
  /** The content on record, what is held before what is saved. `isNew`: nothing stands at its place in the project yet. */
  read(id: DeskId, ref: StepRef, records: readonly ContentRecord[]): Promise<readonly ContentFile[]>;
  /** The text that stands at a path of the project now, for whoever compares; undefined where none does that can be shown. */
  stands?(path: string): Promise<string | undefined>;
  /** Whether a file, or one in a folder, is saved at this path; where content stands in no work tree. */
  isSaved?(path: string, kind: "file" | "folder"): Promise<boolean>;
  /** A text that was handed in once, by its hash, whatever stands at its path now; where texts are kept for good. */
  recall?(sha256: string): Promise<string | undefined>;
};

/** Keeps copies of definitions by what they say: the name of a copy is the SHA-256 of its text. */
export type Pins = {
  /** Keeps a text for good; undefined where that failed. */
  keep(text: string): Promise<string | undefined>;
  /** The text as it was kept; undefined where it is gone or no longer the same. */
  find(pin: string): Promise<string | undefined>;
  /** How a copy stands, for whoever audits; where nothing can say more than that it is not found, this is left out. */
  look?(pin: string): Promise<PinStanding>;
};

/** How a copy of a definition stands, and where it stands or should. */
export type PinStanding = { readonly verdict: "whole" | "changed" | "gone"; readonly place: string };

/** What a step shows when it is opened. */
export type Presented = {
  readonly text: string;
  readonly warnings: readonly string[];
  /** The documents that the text comes from, where a caller is told. */
  readonly sources?: readonly string[];
  /** The parts of the step that can be read by themselves. */
  readonly parts?: readonly { readonly part: string; readonly name: string }[];
};

/** What an earlier step produced, for the ones that build on it. */
export type Produced = {
  readonly workflow: string;
  readonly step: string;
  readonly outputs?: JsonObject;
  readonly content: readonly ContentRecord[];
  /** The readable record of what was handed in, inside the project area. */
  readonly record?: string;
};

export type PresentRequest = {
  readonly workflow: string;
  readonly step: string;
  /** Only this part of the step. */
  readonly part?: string;
  /** Without what the caller was told with an earlier step of the same run. */
  readonly brief?: true;
  readonly produced: readonly Produced[];
  /** Rule results to show, where the step shows rules. */
  readonly violations?: readonly Violation[];
};

/** The definitions that one desk is walked by. */
export type Definitions = {
  /** The plan as it is now: as it is defined, or as the desk pinned it. */
  plan(history: Promise<Pick<Snapshot, "desk">>): Promise<PlanReading>;
  /** What a step shows; undefined where it has no such part. */
  present(desk: Desk, request: PresentRequest): Promise<Presented | undefined>;
  /** The readable record of what a step handed in: where it stands, and what it says; absent where none is written. */
  readonly record?: { path(ref: StepRef): string; text(ref: StepRef, outputs: JsonObject): string };
  /** What a machine can check of a workflow's content; absent where there are no rules. */
  readonly rules?: RuleDefinitions;
};

/** The rules of a desk, and the steps that work with them. */
export type RuleDefinitions = {
  /** True for a step that runs the workflow's rules over the content on record. */
  checks(step: string): boolean;
  /** The rules of one workflow, the bot's own rules among them. */
  of(workflow: string): Promise<readonly Rule[]>;
  /** True for a step that keeps corrections. */
  keepsCorrections(step: string): boolean;
  /** Finds a correction in what was handed in; undefined where there is none. */
  readCorrection(handed: JsonObject | undefined): Correction | { readonly invalid: string } | undefined;
  /** Finds the rule that a correction is about; `keep` makes it the rule's next example, and answers what was written. */
  placeCorrection(workflow: string, correction: Correction): Promise<PlacedCorrection | { readonly refused: string }>;
};

/** A correction that has its place: the rule and its file, in words. */
export type PlacedCorrection = {
  readonly place: string;
  keep(): Promise<{ readonly kept: string; readonly isNew: boolean } | { readonly refused: string }>;
};

/** The plan as the definitions say it now; `closed` where they cannot be understood well enough to go on. */
export type PlanReading = {
  readonly plan: Plan;
  readonly settings: Settings;
  readonly notices: readonly Said[];
  /** What takes a look to find out, and can wait until the record is made. */
  readonly later?: () => Promise<readonly Said[]>;
  readonly closed?: { readonly problem: Problem } | { readonly gone: string };
};

/** A text for the rules to look at; `own`: it was handed in by the workflow that the rules belong to. */
export type CheckedFile = { readonly path: string; readonly text: string; readonly own: boolean };

/** Runs the rules a machine can check. */
export type CheckRules = (rules: readonly Rule[], files: readonly CheckedFile[]) => Promise<readonly Violation[]>;

/** Looks at what evidence claims about the outside: what must be there, texts that must match. */
export type ObserveEvidence = (gate: Gate, evidence: JsonObject, handedIn: HandedInAt) => Promise<Observations>;

/**
 * Whether a file, or one in a folder, was handed in with the step, or stands where content is saved. `to_be_saved`: its text is kept,
 * nothing stands at its place yet, and it comes there when the completion counts.
 */
export type HandedInAt = (path: string, kind: "file" | "folder") => Promise<"to_be_saved" | "on_record" | undefined>;

/** The checks of one attempt, with what is known of them. */
export type ChecksAsked = {
  readonly id: DeskId;
  readonly ref: StepRef;
  readonly checks: readonly Check[];
  /** What earlier runs of them have come to by now. */
  known(): Promise<readonly CheckResult[]>;
  /** What a check of this name came to last before this: at an earlier try, or at an earlier step. */
  before(name: string): Promise<CheckResult | undefined>;
  /** When the attempt began. */
  readonly startedAt: string;
  /** What was handed in: a command must see just that. */
  readonly content: readonly ContentRecord[];
  /** A file that was handed in, as it would be saved; undefined where none was for that path. */
  readonly handedIn?: (path: string) => Promise<ContentFile | undefined>;
  /** Puts a result on record, once its check has ended; it may be long after. */
  record(result: CheckResult): Promise<void>;
};

/** A check of a completed step, as it is defined and as it came out. */
export type Proof = {
  readonly workflow: string;
  readonly step: string;
  readonly check: Check;
  readonly result: CheckResult;
};

/** A proof that no longer holds, because files that it read have changed since: which, as far as that is known. */
export type StaleProof = { readonly proof: Proof; readonly files: readonly string[] };

/** What a gate has the server find out by itself. Commands run in the background, and belong to the server, not to a call. */
export type Checks = {
  /** How each check stands on the files as they are now; one that has to be run, and may be, is begun. */
  look(asked: ChecksAsked): Promise<readonly CheckStanding[]>;
  /** What of earlier proofs no longer holds on the files as they are. */
  stale(proofs: readonly Proof[]): Promise<readonly StaleProof[]>;
  /** Waits until a check of a desk has ended and is on record, at most so many milliseconds; false where none has. */
  ended(id: DeskId, ms: number): Promise<boolean>;
  /** Ends everything that runs. */
  close(): void;
};

/** Tells what of a work tree was changed while a step was open. */
export type WorkTree = {
  /** Notes how the files stand, before the attempt is on record as begun. */
  mark(id: DeskId, ref: StepRef): Promise<void>;
  /** The files that were changed since and match none of the globs, or why nobody can tell: `handed` will be saved, `saved` was before. */
  changedOutside(
    id: DeskId,
    ref: StepRef,
    edits: readonly string[],
    content: { readonly handed: readonly ContentRecord[]; readonly saved: readonly ContentRecord[] },
  ): Promise<ChangedOutside>;
};

/** What a team sets in `.waymark/config.json`. */
export type Settings = {
  readonly externalEdits: "obey" | "refuse";
  /** What cannot be recorded is refused, instead of kept in memory until it can be. */
  readonly strict: boolean;
  /** How long a completion waits for checks, in seconds. */
  readonly checksWait?: number;
  /** The least level of every word of a person that is needed, where any will not do. */
  readonly wordLevel?: Level;
};

export type Clock = () => Date;

/** A bot as the doors show it: its tool, and one for each behavior. */
export type ServedBot = {
  readonly name: string;
  readonly tool: string;
  readonly description: string;
  readonly behaviors: readonly { readonly name: string; readonly tool: string; readonly description: string }[];
};
