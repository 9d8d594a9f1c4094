import type { Gate } from "../../evidence/gate.ts";

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
