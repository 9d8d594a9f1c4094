/** The state of one part of a set-up. */
export type Diagnosis = {
  readonly part: "node" | "package" | "definitions" | "host" | "hooks" | "trust" | "git" | "store";
  /** A problem keeps Waymark from working; a warning does not. */
  readonly status: "ok" | "warning" | "problem";
  readonly message: string;
  /** The next step for the person; always there unless the status is ok. */
  readonly fix?: string;
};

/** A part that works. */
export const fine = (part: Diagnosis["part"], message: string): Diagnosis => ({ part, status: "ok", message });

/** A part that works, but not as it should. */
export const warning = (part: Diagnosis["part"], message: string, fix: string): Diagnosis => ({
  ...{ part, status: "warning", message, fix },
});

/** A part that keeps Waymark from working. */
export const problem = (part: Diagnosis["part"], message: string, fix: string): Diagnosis => ({
  ...{ part, status: "problem", message, fix },
});
