import type { StatementSubject } from "./approval-statement.ts";

/** The place of a runner: beside the assistant, or apart from it on a fresh checkout. It belongs to the runner's key. */
export const runnerLevels = ["local", "independent"] as const;
export type RunnerLevel = (typeof runnerLevels)[number];

/** The statement that a runner signs about one check. */
export type ResultStatement = Pick<StatementSubject, "run" | "workflow" | "step" | "pass" | "attempt"> & {
  readonly v: 1;
  readonly kind: "check";
  /** The nonce of the claim, which makes it count once. */
  readonly nonce: string;
  readonly project: string;
  /** The hash of the history's first record. */
  readonly first: string | null;
  readonly check: string;
  /** The hash of the check as written. */
  readonly wanted: string;
  /** The digest of the submitted content. */
  readonly submission: string;
  readonly status: "passed" | "failed";
  readonly exit: number | null;
  readonly facts: Readonly<Record<string, number>>;
  readonly reads: string;
  /** The commit it ran on, and the digest of uncommitted changes; null outside a repository, and without changes. */
  readonly commit: string | null;
  readonly changes: string | null;
  /** The digest of the whole result. */
  readonly result: string;
  readonly at: string;
};

/** A result's statement with the key that signed it, as recorded. */
export type SignedResult = {
  readonly statement: ResultStatement;
  readonly level: RunnerLevel;
  /** The fingerprint of the key, and the key itself: a bridge's key is enrolled nowhere. */
  readonly key: string;
  readonly public: string;
  /** The name of an enrolled runner. */
  readonly runner?: string;
  readonly signature: string;
};
