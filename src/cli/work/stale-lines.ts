import type { StaleProof } from "../../engine/ports/checks.ts";
import { oneLine, paint } from "../terminal/print.ts";

/** A check of a completed action whose files have changed since it passed, with the first of those files. */
export type StaleStep = StaleCheck & { readonly behavior: string; readonly action: string };

/** A check whose files have changed since it passed, with the first of them. */
export type StaleCheck = { readonly check: string; readonly files: readonly string[] };

/** Lists the stale checks of a bot's actions. */
export function staleSteps(stale: readonly StaleProof[]): readonly StaleStep[] {
  return stale.map(({ proof: { workflow: behavior, step: action, check }, files }) => ({
    behavior,
    action,
    check: check.name,
    files: files.slice(0, 3),
  }));
}

/** Picks the stale checks of one action. */
export function staleChecksOf(stale: readonly StaleStep[], behavior: string, action: string): readonly StaleCheck[] {
  return stale.flatMap(({ behavior: workflow, action: step, check, files }) =>
    workflow === behavior && step === action ? [{ check, files }] : [],
  );
}

/** Formats a stale check as a warning line. */
export function staleLine(place: string, stale: StaleCheck): string {
  return paint("yellow", `! ${oneLine(place)}: ${oneLine(staleText(stale))}`);
}

/** Describes a stale check and up to three of its changed files. */
export function staleText({ check, files }: { readonly check: string; readonly files: readonly string[] }): string {
  const which =
    files.length === 0 ? "files it read have" : `${files.join(", ")} ${files.length === 1 ? "has" : "have"}`;
  return `${check} stale: ${which} changed since`;
}
