import type { Gate } from "../workflow/gate.ts";
import type { JsonObject } from "../workflow/json.ts";
import type { Problem } from "../workflow/workflow.ts";
import type { Definitions } from "./ports.ts";

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
  /** Its fix says what to do about it, where that is not to run `waymark check`. */
  | { readonly problem: Problem };

/** A workflow that can be started: what anybody may know of it. */
export type WorkflowListed = {
  readonly type: string;
  readonly title: string;
  readonly description: string;
  /** Other names that mean it and nothing else: its folder's, where its config has another. */
  readonly aliases?: readonly string[];
};

/** The phased workflows of a definitions folder, and the definitions that their sessions are walked by. */
export type PhasedDefinitions = {
  /** The workflows there are to start, found without reading them. */
  list(): Promise<readonly WorkflowListed[]>;
  /** Reads a workflow by any of its names; what was read bears the name that it was asked for by. */
  read(type: string, options: JsonObject): Promise<PhasedReading>;
  /** Keeps a copy for a session to go by; answers its name, undefined where that failed. */
  pin(workflow: PhasedWorkflow): Promise<string | undefined>;
  /** What a session is walked by: the copy that it keeps, or the workflow that it is about to begin with. */
  forSession(beginning?: PhasedWorkflow): Definitions;
};
