import type { Gate } from "../../gates/gate.ts";
import type { Declarations } from "./declarations.ts";
import type { PhaseLine } from "./requirements/prose-gate.ts";
import type { WorkflowProblem } from "./workflow-problem.ts";

/** A task within a phase. */
export type PhaseTask = {
  readonly number: number;
  readonly name: string;
  readonly content: string;
  /** Its file, relative to the definitions, or to the project area for a task list. */
  readonly source: string;
};

/** One phase: the text for the assistant, and the gate at its end. */
export type Phase = {
  readonly number: number;
  readonly name: string;
  /** The whole text of the phase, read from its files. */
  readonly content: string;
  readonly sources: readonly string[];
  readonly tasks: readonly PhaseTask[];
  readonly gate: Gate;
};

/** A phased workflow as read, with its complaints. */
export type WorkflowDraft = Declarations & {
  readonly type: string;
  readonly title: string;
  readonly description: string;
  /** In order; in a startable workflow at least one, numbered from 0 or 1 without gaps. */
  readonly phases: readonly Phase[];
  /** Every line of its Markdown that was read, with its phase. */
  readonly lines: readonly (PhaseLine & { readonly phase: number })[];
  readonly complaints: readonly WorkflowProblem[];
  /** Workflows of its own that its phases call. */
  readonly builtIn?: { readonly [name: string]: PhasedWorkflow };
};

/** A phased workflow as a session pins it: plain data with a hash. */
export type PhasedWorkflow = Omit<WorkflowDraft, "complaints" | "lines" | "builtIn"> & {
  readonly hash: string;
  /** The workflows that its phases call, by the name they use. */
  readonly calls?: { readonly [name: string]: PhasedWorkflow };
};
