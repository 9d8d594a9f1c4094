import type { RunCondition } from "./conditions.ts";
import type { EvidenceCounts } from "./evidence-text.ts";

/** One run in a list, on the page and at a terminal; small, however long its history. */
export type RunRow = {
  readonly key: string;
  readonly kind: "bot" | "session";
  /** The name people know it by: an item's title, a session's target, otherwise its name. */
  readonly title: string;
  /** The workflow of a session, or the bot's name. */
  readonly workflow: string;
  readonly run?: string;
  readonly stands: RunCondition;
  /** A person answered last, and the assistant has not gone on since. */
  readonly answered?: true;
  /** One text per workflow with one sign per step: see `stepSigns`. */
  readonly map: readonly { readonly workflow: string; readonly signs: string }[];
  /** The number of a session's first phase, from which its signs are counted. */
  readonly first?: number;
  /** The current step, or undefined if the run is done. */
  readonly now?: RowStep;
  /** The run that it is an item of; lists show that one instead. */
  readonly itemOf?: string;
  /** The refusals by gates in attempts that count or are open. */
  readonly refusals: number;
  /** The evidence so far: verified, claimed and verified, contradicted, only claimed. */
  readonly evidence: EvidenceCounts;
  readonly completed: number;
  readonly steps: number;
  /** How a session ended before its last step. */
  readonly outcome?: string;
  readonly changed: string | null;
  readonly records: number;
  readonly head: string;
};

/** The current step of a run: its label for people (`Phase 5: Coverage plan`), and what it is waiting for. */
export type RowStep = {
  readonly workflow: string;
  readonly step: string;
  readonly label: string;
  /** Absent if it is not open yet. */
  readonly since?: string;
  readonly waitingSince?: string;
  /** Those it waits for, in words. */
  readonly waitingFor?: string;
  /** The reason why the assistant reported it as blocked. */
  readonly blocked?: string;
  readonly checkingSince?: string;
  /** The checks that a runner is asked for. */
  readonly runnerChecks?: readonly string[];
  readonly answered?: true;
  readonly refused?: number;
  /** The reason the last try to complete it was refused, what was missing, and whether it was the same the time before. */
  readonly turnedDown?: string;
  readonly missing?: readonly string[];
  readonly sameGaps?: true;
  readonly client?: string;
  readonly round?: number;
  readonly cameBackFrom?: string;
  readonly items?: { readonly total: number; readonly settled: number; readonly open: number; readonly failed: number };
};
