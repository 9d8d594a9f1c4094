import type { StreamId } from "../../workflow/stream-id.ts";

/** The figures of a process over all recorded runs, to show what to improve. */
export type Insights = {
  readonly runs: number;
  readonly events: number;
  readonly workflows: readonly WorkflowInsights[];
};

/** The figures of one workflow: a behavior of a bot, or a phased workflow. */
export type WorkflowInsights = {
  readonly workflow: string;
  readonly kind: StreamId["kind"];
  /** The passes that were started, and those that were finished. */
  readonly walks: number;
  readonly finished: number;
  /** Calls for steps ahead of their turn. */
  readonly outOfTurn: number;
  readonly all: Figures;
  readonly steps: readonly StepInsights[];
};

/** The figures of one step: in all, by version of its gate and by week (from Monday, UTC), newest first. */
export type StepInsights = Figures & {
  readonly step: string;
  readonly versions: readonly (Figures & { readonly version: string | null; readonly since: string })[];
  readonly weeks: readonly (Rates & { readonly since: string })[];
};

/** The figures that are compared from week to week. */
export type Rates = Pick<Figures, "completed" | "work" | "firstPass" | "waits">;

/** The figures of one gate over any number of attempts. Times are in seconds. */
export type Figures = {
  /** Completed attempts. */
  readonly completed: number;
  /** The time to completion, without waiting for people. */
  readonly work: Spread;
  /** The gates that were tried, and those that passed the first submission. */
  readonly firstPass: { readonly passed: number; readonly of: number };
  readonly refusals: readonly Counted<"code">[];
  /** The fields, rules and checks missing most often. */
  readonly missed: readonly Counted<"field">[];
  /** The waits for people, and the number of rejections. */
  readonly waits: Spread & { readonly declined: number };
};

/** The spread of a set of times. */
export type Spread = { readonly times: number; readonly median: number | null; readonly longest: number | null };

type Counted<Name extends string> = { readonly [Key in Name]: string } & { readonly times: number };
