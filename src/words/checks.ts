import type { StaleProof } from "../engine/ports.ts";
import type { CheckStanding } from "../evidence/check.ts";

/** A check as a reply tells of it. */
export type SaidCheck = {
  readonly name: string;
  readonly status: CheckStanding["status"];
  readonly summary: string;
  readonly exit?: number;
  readonly seconds?: number;
  readonly output?: string;
};

/** Puts checks into a reply: what each came to, and of one that failed the last lines that it wrote. */
export function sayChecks(checks: readonly CheckStanding[]): readonly SaidCheck[] {
  return checks.map((check) => ({
    name: check.name,
    status: check.status,
    summary: check.summary,
    ...("exit" in check && check.exit !== undefined ? { exit: check.exit } : {}),
    ...(check.seconds === undefined ? {} : { seconds: check.seconds }),
    ...("output" in check && check.output && check.status === "failed" ? { output: check.output } : {}),
  }));
}

/** A proof of a completed phase whose files have changed since, and the first of those files. */
export type StalePhase = { readonly phase: number; readonly check: string; readonly files: readonly string[] };

/** What of the phases of a session is no longer proved on the files as they are. */
export function stalePhases(stale: readonly StaleProof[]): readonly StalePhase[] {
  return stale.map(({ proof: { step, check }, files }) => ({
    phase: Number(step),
    check: check.name,
    files: files.slice(0, 3),
  }));
}
