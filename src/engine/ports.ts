import type { Desk } from "../workflow/desk.ts";
import type { ContentRecord, Event, StepRef, Violation } from "../workflow/events.ts";
import type { JsonObject } from "../workflow/json.ts";
import type { Found, Repair } from "../workflow/reconcile.ts";
import type { Rule } from "../workflow/rule.ts";
import type { Plan, Problem } from "../workflow/workflow.ts";

/** What a store knows of one desk: how many records it has, what they add up to, and the state file as it stands. */
export type Snapshot = {
  readonly seen: number;
  readonly desk: Desk;
  readonly found: Found;
  /** A log that stood there before our first record. */
  readonly foundLog?: readonly JsonObject[];
  /** What could not be read or written on the way here. */
  readonly warnings: readonly string[];
};

/**
 * How an append went. `behind`: others wrote first, look again and decide anew. `held`: kept in memory, written as soon
 * as that works. `failed`, only of a strict history: nothing counts.
 */
export type Appended = {
  readonly status: "recorded" | "behind" | "held" | "failed";
  readonly warnings: readonly string[];
};

/** The durable history of one desk, and the files that show it. */
export type History = {
  /** Looks at everything recorded so far, by whomever. */
  look(): Promise<Snapshot>;
  /** Records one transition, whole or not at all, if nobody has recorded one since `seen`; then publishes the files. */
  append(seen: number, events: readonly Event[]): Promise<Appended>;
  /** Puts the state file right: republished from the history, what stood there kept aside where it says so. */
  repair(repair: Repair): Promise<readonly string[]>;
  /** Every event so far, oldest first. */
  events(): Promise<readonly Event[]>;
  /** What the two published files say, or would say. */
  views(): Promise<{ readonly state: JsonObject | null; readonly log: readonly JsonObject[] }>;
  /** Whether something waits in memory to be recorded: the next look tries again. */
  owes(): boolean;
};

/** A file that a caller hands in: its text, or the path of one that stands there. */
export type ContentItem = { readonly path: string; readonly text?: string | undefined };

/** Why a content path cannot be taken. */
export type ContentRefusal = { readonly path: string; readonly reason: string };

/** What holding content comes to: records for the history, or a refusal of the whole. */
export type Held =
  | { readonly records: readonly ContentRecord[]; readonly warnings: readonly string[] }
  | { readonly refused: readonly ContentRefusal[] };

/** The files of the project area, and what is kept until a completion counts. */
export type ContentKeeper = {
  /** Checks every path, keeps the texts safe, and says what to put on record; or refuses them all and writes nothing. */
  hold(ref: StepRef, items: readonly ContentItem[]): Promise<Held>;
  /** Saves what was held for a completed step at its place in the project area; returns warnings. */
  save(ref: StepRef, records: readonly ContentRecord[]): Promise<readonly string[]>;
  /** Finishes the saving that a crash cut off: for every completed attempt that still has held files. */
  saveLeftOvers(isCompleted: (ref: StepRef) => readonly ContentRecord[] | undefined): Promise<readonly string[]>;
  /** The text of files on record, held ones before saved ones; what cannot be read is left out. */
  read(
    ref: StepRef,
    records: readonly ContentRecord[],
  ): Promise<readonly { readonly path: string; readonly text: string }[]>;
};

/** What a step shows when it is opened. */
export type Presented = { readonly text: string; readonly warnings: readonly string[] };

/** What an earlier step produced, for the ones that build on it. */
export type Produced = {
  readonly workflow: string;
  readonly step: string;
  readonly outputs?: JsonObject;
  readonly content: readonly ContentRecord[];
  /** The readable file of what was handed in, inside the project area. */
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

/** A correction that a person wants remembered. */
export type Correction = {
  readonly rule: string;
  readonly dont: string;
  readonly do: string;
  readonly pattern?: string;
};

/** The definitions of one bot, read live at each use. */
export type Definitions = {
  plan(): PlanReading;
  present(request: PresentRequest): Presented;
  /** True for a step that runs the workflow's rules over the content on record. */
  checksRules(step: string): boolean;
  /** The rules of one workflow, the bot's own rules among them. */
  rules(workflow: string): { readonly rules: readonly Rule[]; readonly warnings: readonly string[] };
  /** True for a step that keeps corrections. */
  keepsCorrections(step: string): boolean;
  /** Finds a correction in what was handed in; undefined where there is none. */
  readCorrection(handed: JsonObject | undefined): Correction | { readonly invalid: string } | undefined;
  /** Keeps a correction in the bot as the rule's next example; answers what was written, or why not. */
  keepCorrection(workflow: string, correction: Correction): { readonly kept: string } | { readonly refused: string };
};

/** The plan as the files say it now; `closed` where they cannot be understood well enough to go on. */
export type PlanReading = {
  readonly plan: Plan;
  readonly settings: Settings;
  readonly warnings: readonly string[];
  readonly closed?: Problem;
};

/** A file for the rules to look at; `own`: it was handed in by the workflow that the rules belong to. */
export type CheckedFile = { readonly path: string; readonly text: string; readonly own: boolean };

/** Runs the rules a machine can check. */
export type CheckRules = (rules: readonly Rule[], files: readonly CheckedFile[]) => Promise<readonly Violation[]>;

/** What a team sets in `.waymark/config.json`. */
export type Settings = {
  readonly externalEdits: "obey" | "refuse";
  /** What cannot be recorded is refused, instead of kept in memory until it can be. */
  readonly strict: boolean;
};

export type Clock = () => Date;

/** A bot as the doors show it: its tool, and one for each behavior. */
export type ServedBot = {
  readonly name: string;
  readonly tool: string;
  readonly description: string;
  readonly behaviors: readonly { readonly name: string; readonly tool: string; readonly description: string }[];
};
