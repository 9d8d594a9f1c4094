import type { Desk } from "../workflow/desk.ts";
import type { Event } from "../workflow/events.ts";
import type { Gate, Observations } from "../workflow/gate.ts";
import type { JsonObject } from "../workflow/json.ts";
import type { Problem } from "../workflow/workflow.ts";

/** A task within a phase. */
export type PhaseTask = {
  readonly number: number;
  readonly name: string;
  readonly content: string;
  /** The file it stands in, relative to the definitions (or to the project area, for a task list). */
  readonly source: string;
};

/** One phase: what the assistant reads, and the gate at its end. */
export type Phase = {
  readonly number: number;
  readonly name: string;
  /** The whole text of the phase, read from its files. */
  readonly content: string;
  readonly sources: readonly string[];
  readonly tasks: readonly PhaseTask[];
  readonly gate: Gate;
};

/** A phased workflow as a session keeps it from its start: plain data, told from any other by its hash. */
export type PhasedWorkflow = {
  readonly type: string;
  readonly title: string;
  readonly description: string;
  /** In order; numbered from 0 or 1 without a gap. At least one. */
  readonly phases: readonly Phase[];
  readonly hash: string;
};

/** What reading a phased workflow comes to. A problem names the file to mend, and nothing that stands in a phase. */
export type PhasedReading =
  | { readonly workflow: PhasedWorkflow }
  | { readonly unknown: true }
  /** The session's options lack what the workflow needs, or name what cannot be used. */
  | { readonly invalidOptions: string; readonly required_action: string }
  /** `required_action`: what to do about it, where that is not to run `waymark check`. */
  | { readonly problem: Problem; readonly required_action?: string };

/** A workflow that can be started: what anybody may know of it. */
export type WorkflowListed = {
  readonly type: string;
  readonly title: string;
  readonly description: string;
  /** Other names that mean it and nothing else: its folder's, where its config has another. */
  readonly aliases?: readonly string[];
};

/** The phased workflows of a definitions folder, read live. */
export type PhasedDefinitions = {
  /** True only where it is known, without looking at every file, that no workflow has changed since it was read last. */
  isQuiet(): Promise<boolean>;
  /** Reads a workflow by any of its names; what was read bears the name that it was asked for by. */
  read(type: string, options: JsonObject): PhasedReading;
};

/** Hears of changes in folders, where the system can tell. */
export type FolderWatch = {
  /** Watches these folders from now on. */
  cover(folders: readonly string[]): unknown;
  /** True where every folder is watched and nothing in them has changed since the last call of `cover`. */
  isQuiet(): Promise<boolean>;
};

/** What a store knows of one session. */
export type SessionSnapshot = { readonly seen: number; readonly desk: Desk; readonly warnings: readonly string[] };

/** The durable history of one session, and the file that shows it. */
export type SessionHistory = {
  /** Looks at everything recorded so far; a session file that somebody changed is put right, and that is said. */
  look(): Promise<SessionSnapshot>;
  /** Records one transition, whole or not at all, if nobody has recorded one since `seen`. `failed`: nothing counts. */
  append(
    seen: number,
    events: readonly Event[],
  ): Promise<{ readonly status: "recorded" | "behind" | "failed"; readonly warnings: readonly string[] }>;
  events(): Promise<readonly Event[]>;
};

/** Every session of a project area. */
export type SessionStore = {
  ids(): Promise<readonly string[]>;
  has(id: string): Promise<boolean>;
  open(id: string): SessionHistory;
};

/** Keeps copies of definitions by what they say: the name of a copy is the SHA-256 of its text. */
export type Pins = {
  /** Keeps a text for good; undefined where that failed. */
  keep(text: string): Promise<string | undefined>;
  /** The text as it was kept; undefined where it is gone or no longer the same. */
  find(pin: string): Promise<string | undefined>;
};

/** Looks at what evidence claims about the outside: files that must be there, texts that must match. */
export type ObserveEvidence = (gate: Gate, evidence: JsonObject) => Promise<Observations>;
