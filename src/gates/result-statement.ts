import { canonical, digestOf } from "../kit/json.ts";
import type { StatementSubject } from "./approval-statement.ts";
import type { CheckResult, Facts } from "./check.ts";

/** The place of a runner: beside the assistant, or apart from it on a fresh checkout. It belongs to the runner's key. */
export const runnerLevels = ["local", "independent"] as const;
export type RunnerLevel = (typeof runnerLevels)[number];

/** What a runner signs about one check. */
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
  readonly status: CheckResult["status"];
  readonly exit: number | null;
  readonly facts: Facts;
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

/** The text of a result that its runner signs. */
export function resultText(statement: ResultStatement): string {
  return canonical(JSON.parse(JSON.stringify(statement)));
}

/** The digest of a result without its seals. */
export function resultDigest({ seal: _, signed: __, ...result }: CheckResult): string {
  return digestOf(JSON.parse(JSON.stringify(result)));
}

/** The digest of the files that a check is asked for. */
export function contentDigest(content: readonly { readonly path: string; readonly sha256: string }[]): string {
  const files = content.map(({ path, sha256 }) => ({ path, sha256 }));
  return digestOf(files.sort((one, other) => (one.path < other.path ? -1 : 1))).slice(0, 32);
}

/** Finds the part of a statement that is not what was asked for, or that its result contradicts; undefined if all match. */
export function resultProblem(
  statement: ResultStatement,
  about: Partial<ResultStatement>,
  result: CheckResult,
): string | undefined {
  const { name, status, exit = null, facts = {}, reads } = result;
  const wanted: Partial<ResultStatement> = {
    ...{ v: 1, kind: "check", ...about },
    ...{ check: name, status, exit, facts, reads, result: resultDigest(result) },
  };
  const other = Object.entries(wanted).find(
    ([part, value]) => digestOf(statement[part as keyof ResultStatement] ?? null) !== digestOf(value ?? null),
  );
  return other === undefined ? undefined : `its signature is about another ${partNames[other[0]] ?? other[0]}`;
}

const partNames: Readonly<Record<string, string>> = { wanted: "check", first: "history", v: "form", kind: "kind" };

/** What an approver signs to trust a runner's key at a level, in one project. */
export type RunnerTrustStatement = {
  readonly v: 1;
  readonly kind: "runner";
  readonly project: string;
  readonly runner: string;
  readonly key: string;
  readonly level: RunnerLevel;
  readonly at: string;
};

/** The text that trusts a runner. */
export function runnerTrustText(statement: RunnerTrustStatement): string {
  return canonical({ ...statement });
}
