import type { StaleProof } from "../engine/ports.ts";
import { paint, plain } from "./print.ts";

/** A check of a completed action whose files have changed since it passed, and the first of those files. */
export type StaleStep = Stale & { readonly behavior: string; readonly action: string };

/** A check whose files have changed since it passed, and the first of them. */
export type Stale = { readonly check: string; readonly files: readonly string[] };

/** What of the actions of a bot is no longer proved on the files as they are. */
export function staleSteps(stale: readonly StaleProof[]): readonly StaleStep[] {
  return stale.map(({ proof: { workflow: behavior, step: action, check }, files }) => ({
    behavior,
    action,
    check: check.name,
    files: files.slice(0, 3),
  }));
}

/** What of one action is. */
export function staleAt(stale: readonly StaleStep[], behavior: string, action: string): readonly Stale[] {
  return stale.flatMap(({ behavior: workflow, action: step, check, files }) =>
    workflow === behavior && step === action ? [{ check, files }] : [],
  );
}

/** A stale proof for a person, and whose it is. */
export function staleLine(place: string, stale: Stale): string {
  return paint("yellow", `! ${plain(place)}: ${plain(staleText(stale))}`);
}

/** What is said of a proof whose files have changed since: the first three of them, as far as they are known. */
export function staleText({ check, files }: { readonly check: string; readonly files: readonly string[] }): string {
  const which =
    files.length === 0 ? "files that it read have" : `${files.join(", ")} ${files.length === 1 ? "has" : "have"}`;
  return `${check} stale: ${which} changed since`;
}
