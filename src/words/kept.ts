import type { Desk } from "../workflow/desk.ts";
import type { HandedIn } from "../workflow/events.ts";
import type { Outcome } from "../workflow/outcome.ts";

/** What stays handed in of an attempt that is not completed: outputs by name, files by path. */
export type Kept = {
  readonly outputs: readonly string[];
  readonly content: readonly { readonly path: string; readonly bytes: number }[];
};

/** What an answer that does not complete says is kept; nothing where the outcome is no such answer. */
export function keptOf(outcome: Outcome, desk: Desk): Kept | undefined {
  if (outcome.kind === "awaiting") return kept(outcome.handed);
  if (outcome.kind !== "refused") return undefined;
  const { current } = outcome;
  const state = current === null ? undefined : desk.runs.get(current.workflow)?.steps.get(current.step);
  const handed = outcome.kept ?? (state?.status === "started" ? state.handed : {});
  return kept(handed);
}

/** What was handed in, by name and path. */
export function kept({ outputs = {}, content = [] }: HandedIn): Kept {
  return { outputs: Object.keys(outputs), content: content.map(({ path, bytes }) => ({ path, bytes })) };
}
