import { canonical, digestOf } from "../kit/json.ts";
import type { CheckResult } from "./check.ts";
import type { ResultStatement, RunnerLevel } from "./signed-result.ts";

export type { ResultStatement, RunnerLevel, SignedResult } from "./signed-result.ts";
export { runnerLevels } from "./signed-result.ts";

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

/** The statement by which an approver trusts a runner's key at a level, in one project. */
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
