import type { Gate } from "../../evidence/gate.ts";
import type { Complaint } from "./complaint.ts";

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

/** A phased workflow as it was read, with everything that is wrong with it. */
export type Draft = {
  readonly type: string;
  readonly title: string;
  readonly description: string;
  /** In order; where the workflow can be started, numbered from 0 or 1 without a gap, and at least one. */
  readonly phases: readonly Phase[];
  readonly complaints: readonly Complaint[];
};

/** A phased workflow as a session keeps it from its start: plain data, told from any other by its hash. */
export type PhasedWorkflow = Omit<Draft, "complaints"> & { readonly hash: string };
