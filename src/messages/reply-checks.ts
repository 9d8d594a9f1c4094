import type { StaleProof } from "../engine/ports/checks.ts";
import type { CheckStatus } from "../gates/check.ts";
import { defined } from "../kit/defined.ts";

/** A check as replies show it. */
export type ReplyCheck = {
  readonly name: string;
  readonly status: CheckStatus["status"];
  readonly summary: string;
  readonly exit?: number;
  readonly seconds?: number;
  readonly output?: string;
};

/** Renders checks for a reply; a failed one includes the last lines of its output. */
export function replyChecks(checks: readonly CheckStatus[]): readonly ReplyCheck[] {
  return checks.map((check) => ({
    name: check.name,
    status: check.status,
    summary: check.summary,
    ...("exit" in check && check.exit !== undefined ? { exit: check.exit } : {}),
    ...defined({ seconds: check.seconds }),
    ...("output" in check && check.output && check.status === "failed" ? { output: check.output } : {}),
  }));
}

/** A check of a completed phase whose files have changed since, with the first of those files. */
export type StalePhase = { readonly phase: number; readonly check: string; readonly files: readonly string[] };

/** The phases of a session whose proof no longer holds for the current files. */
export function stalePhases(stale: readonly StaleProof[]): readonly StalePhase[] {
  return stale.map(({ proof: { step, check }, files }) => ({
    phase: Number(step),
    check: check.name,
    files: files.slice(0, 3),
  }));
}

/** Says what the checks of a step wait for: themselves, or a runner, and how to start one if none was seen. */
export function checkingText(step: string, running: string, runner: { readonly start?: string } | undefined): string {
  if (runner === undefined) return `${running}. Your submission is kept.`;
  const { start } = runner;
  const hint =
    start === undefined ? "" : ` No runner was seen in the last minute. Ask the person to start one: ${start}`;
  return `${step} is not completed yet: its checks wait for a runner beside the files. Your submission is kept.${hint}`;
}
