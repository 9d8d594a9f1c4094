import type { Figures, StepInsights, WorkflowInsights } from "../overview/insights-data.ts";

/** The definitions with statistics, and the findings of `check`. */
export type ProcessData = {
  readonly workflows: readonly ProcessMap[];
  readonly runs: number;
  readonly events: number;
  /** The findings of `waymark check`, only for authors and on one's own machine. */
  readonly findings?: readonly {
    readonly severity: "error" | "warning" | "info";
    readonly file: string;
    readonly line?: number;
    readonly message: string;
    readonly fix?: string;
  }[];
};

export type ProcessMap = Omit<WorkflowInsights, "all" | "steps"> &
  Pick<Figures, "refusals"> & { readonly steps: readonly ProcessStep[] };

export type ProcessStep = StepInsights & { readonly label: string };
