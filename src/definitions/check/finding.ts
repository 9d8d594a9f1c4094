import type { FindingCode, Severity } from "../codes.ts";
import type { JsonEdit } from "../problem.ts";

/** One thing that is wrong with a definition, where, and what to do about it. */
export type Finding = {
  readonly code: FindingCode;
  readonly severity: Severity;
  /** From the folder that holds the definitions, with forward slashes. */
  readonly file: string;
  readonly line: number;
  /** What is wrong, in one sentence. */
  readonly message: string;
  /** What to do, in one sentence. */
  readonly fix: string;
  /** `check --fix` mends it. */
  readonly fixable: boolean;
};

/** A finding, and where the same is to be found too. */
export type RankedFinding = Finding & {
  /** How often it is there. */
  readonly count: number;
  /** The other places, each with what is said of it. */
  readonly more: readonly Pick<Finding, "file" | "line" | "message">[];
};

/** A finding as an inspection notes it, with the edit that mends it where one is safe. */
export type Noted = {
  readonly code: FindingCode;
  readonly path: string;
  readonly line: number;
  readonly message: string;
  readonly fix: string;
  readonly mend?: Mend;
};

/** What mends a file without changing what the engine does with it: an edit of its JSON, or one line end at its end. */
export type Mend = JsonEdit | "end of file";
