import type { FindingCode } from "./codes.ts";

/** How much a finding matters: an error closes something or makes it count for nothing, a warning works otherwise than meant, info is untidy. */
export type Severity = "error" | "warning" | "info";

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

/** A finding as an inspection notes it, with the edit that mends it where one is safe. */
export type Noted = {
  readonly code: FindingCode;
  readonly path: string;
  readonly line: number;
  readonly message: string;
  readonly fix: string;
  readonly mend?: Mend;
};

/** Mends a file's text without changing what the engine does with it; a text that needs nothing comes back as it is. */
export type Mend = (text: string) => string;
