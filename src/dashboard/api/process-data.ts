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

export type ProcessMap = {
  readonly workflow: string;
  readonly kind: "bot" | "session";
  readonly walks: number;
  readonly finished: number;
  readonly outOfTurn: number;
  readonly refusals: readonly { readonly code: string; readonly times: number }[];
  readonly steps: readonly ProcessStep[];
};

export type ProcessFigures = {
  readonly completed: number;
  readonly work: { readonly times: number; readonly median: number | null; readonly longest: number | null };
  readonly firstPass: { readonly passed: number; readonly of: number };
  readonly missed: readonly { readonly field: string; readonly times: number }[];
  readonly refusals: readonly { readonly code: string; readonly times: number }[];
  readonly waits: {
    readonly times: number;
    readonly median: number | null;
    readonly longest: number | null;
    readonly declined: number;
  };
};

export type ProcessStep = ProcessFigures & {
  readonly step: string;
  readonly label: string;
  readonly versions: readonly (ProcessFigures & { readonly version: string | null; readonly since: string })[];
};
