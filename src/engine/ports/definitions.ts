import type { ApprovalLevel } from "../../gates/approval-rule.ts";
import type { Calls } from "../../gates/calls.ts";
import type { Correction } from "../../gates/correction.ts";
import type { Problem } from "../../gates/problem.ts";
import type { Rule } from "../../gates/rule.ts";
import type { JsonObject } from "../../kit/json.ts";
import type { ContentRecord, SessionFacts, StepRef, Violation } from "../../workflow/events.ts";
import type { ItemState, ListedItem } from "../../workflow/item-state.ts";
import type { Warning } from "../../workflow/notice.ts";
import type { StreamSnapshot } from "../../workflow/stream-snapshot.ts";
import type { Plan } from "../../workflow/workflow.ts";
import type { Content } from "./content.ts";
import type { LoadedStream } from "./event-log.ts";

/** The content of a step when it is opened. */
export type StepContent = {
  readonly text: string;
  readonly warnings: readonly string[];
  /** The documents that the text comes from. */
  readonly sources?: readonly string[];
  /** The parts of the step that can be read on their own. */
  readonly parts?: readonly { readonly part: string; readonly name: string }[];
};

/** The results of an earlier step, for steps that build on it. */
export type StepResults = {
  readonly workflow: string;
  readonly step: string;
  readonly outputs?: JsonObject;
  readonly content: readonly ContentRecord[];
  /** The readable record of the submission, inside the project area. */
  readonly record?: string;
};

export type PresentRequest = {
  readonly workflow: string;
  readonly step: string;
  /** Only this part of the step. */
  readonly part?: string;
  /** Leaves out what the caller got with an earlier step of the same run. */
  readonly brief?: true;
  readonly produced: readonly StepResults[];
  /** Rule violations to show. */
  readonly violations?: readonly Violation[];
};

/** The definitions of one stream. */
export type Definitions = {
  /** The current plan: as defined now, or as the stream pinned it. */
  plan(history: Promise<Pick<LoadedStream, "stream">>): Promise<PlanReading>;
  /** The content of a step; undefined if it has no such part. */
  present(stream: StreamSnapshot, request: PresentRequest): Promise<StepContent | undefined>;
  /** Tells if a step asks questions or decisions, whose answers a person judges; absent if none does. */
  asksQuestions?(workflow: string, step: string): Promise<boolean>;
  /** The plan by the current files, pinned for a session that moves to it; absent for plans that are always current. */
  readonly current?: (stream: StreamSnapshot) => Promise<CurrentPlan | { readonly problem: string }>;
  /** The path and text of a step's readable record; absent if none is written. */
  readonly record?: { path(ref: StepRef): string; text(ref: StepRef, outputs: JsonObject): string };
  /** The items of steps that call other workflows. */
  readonly items?: ItemDefinitions;
  /** The rules of a workflow; absent if there are none. */
  readonly rules?: RuleDefinitions;
};

/** The items of steps, as their lists have them now, and the sessions that work on them. */
export type ItemDefinitions = {
  /** Lists the items of a step; `known` is the hash of the list that its items were taken from. */
  list(stream: StreamSnapshot, ref: StepRef, calls: Calls, lists: ListFiles): Promise<ListedItems>;
  /** The session of an item: the workflow, pinned, and its inputs. */
  session(stream: StreamSnapshot, ref: StepRef, calls: Calls, item: ItemState): Promise<ItemSession | ListProblem>;
};

/** Reads the files that lists are in. */
export type ListFiles = Pick<Content, "currentText" | "filesIn" | "normalizePath">;

/** The items of a list, nothing if it has not changed since they were taken, or the problem with it. */
export type ListedItems =
  | {
      readonly items: readonly ListedItem[];
      readonly list: string;
      readonly definition?: string;
      /** Lines that could be tasks and are not read as such. */
      readonly unread?: readonly string[];
    }
  | { readonly unchanged: true }
  | ListProblem;

export type ListProblem = { readonly problem: string };

/** The facts with which the session of an item begins. */
export type ItemSession = Pick<SessionFacts, "workflow" | "definition" | "first" | "total" | "inputs">;

/** A plan by the current files, and the pinned copy that it comes from. */
export type CurrentPlan = { readonly to: Plan; readonly definition: string; readonly total: number };

/** The rules of a stream, and the steps that use them. */
export type RuleDefinitions = {
  /** True for a step that runs the workflow's rules over the content on record. */
  checks(step: string): boolean;
  /** The rules of one workflow, including the bot's own. */
  of(workflow: string): Promise<readonly Rule[]>;
  /** True for a step that keeps corrections. */
  keepsCorrections(step: string): boolean;
  /** Finds a correction in a submission; undefined if there is none. */
  readCorrection(submitted: JsonObject | undefined): Correction | { readonly invalid: string } | undefined;
  /** Finds the rule that a correction is about; `keep` adds it as the rule's next example. */
  locateCorrection(workflow: string, correction: Correction): Promise<LocatedCorrection | { readonly refused: string }>;
};

/** A correction with the rule and file it belongs to, in words. */
export type LocatedCorrection = {
  readonly place: string;
  keep(): Promise<{ readonly kept: string; readonly isNew: boolean } | { readonly refused: string }>;
};

/** The plan as read now; `closed` if the definitions cannot be used. */
export type PlanReading = {
  readonly plan: Plan;
  readonly settings: Settings;
  readonly notices: readonly Warning[];
  /** Notices that take time to find and can wait until the record is made. */
  readonly later?: () => Promise<readonly Warning[]>;
  readonly closed?: { readonly problem: Problem } | { readonly gone: string };
};

/** The settings in `.waymark/config.json`. */
export type Settings = {
  readonly externalEdits: "obey" | "refuse";
  /** Refuses what cannot be recorded, instead of holding it in memory. */
  readonly strict: boolean;
  /** The wait of a completion for checks, in seconds. */
  readonly checksWait?: number;
  /** The minimum level of every approval; any if absent. */
  readonly approvalLevel?: ApprovalLevel;
  /** An opened step names the standards that fit it. */
  readonly standards?: "auto";
};

/** A bot as transports show it: its tool, and one for each behavior. */
export type ServedBot = {
  readonly name: string;
  readonly tool: string;
  readonly description: string;
  readonly behaviors: readonly { readonly name: string; readonly tool: string; readonly description: string }[];
};
