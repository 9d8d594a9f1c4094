import type { FindingCode, Severity } from "../definitions/finding-codes.ts";
import type { JsonEdit } from "../definitions/loader-problem.ts";

/** One finding of `check`: the problem, its location, and how to fix it. */
export type Finding = {
  readonly code: FindingCode;
  readonly severity: Severity;
  /** Relative to the folder that contains the definitions, with forward slashes. */
  readonly file: string;
  readonly line: number;
  /** The problem, in one sentence. */
  readonly message: string;
  /** The fix, in one sentence. */
  readonly fix: string;
  /** True if `check --fix` can fix it. */
  readonly fixable: boolean;
};

/** A finding together with its repetitions elsewhere. */
export type RankedFinding = Finding & {
  /** The number of occurrences, this one included. */
  readonly count: number;
  /** The other occurrences, each with its own message. */
  readonly more: readonly Pick<Finding, "file" | "line" | "message">[];
};

/** A finding as an inspection reports it, with an edit if it can be fixed safely. */
export type ReportedFinding = {
  readonly code: FindingCode;
  readonly path: string;
  readonly line: number;
  readonly message: string;
  readonly fix: string;
  readonly edit?: FileEdit;
};

/** An edit that changes no behavior: of the file's JSON, or of the blank lines at its end. */
export type FileEdit = JsonEdit | "end of file";
