import { decide } from "../workflow/decide.ts";
import type { Outcome } from "../workflow/outcome.ts";
import type { CallerContext } from "./caller.ts";
import type { EngineDeps } from "./engine-deps.ts";
import { load, transact } from "./transact.ts";

/** How an update ends: the version it leads to and the steps to be redone, or why it cannot be made. */
export type UpdateResult =
  | { readonly kind: "unchanged" }
  | { readonly kind: "updated"; readonly definition: string; readonly redo: readonly string[] }
  | { readonly kind: "impossible"; readonly problem: string }
  | { readonly kind: "refused"; readonly outcome: Outcome & { kind: "refused" } };

/** Moves a session to its current definition; without the name of the version that a person was shown, only says what would happen. */
export async function updateDefinition(deps: EngineDeps, caller: CallerContext, shown?: string): Promise<UpdateResult> {
  const loaded = await load(deps, caller);
  const { stream } = loaded.situation;
  const current = await deps.definitions.current?.(stream);
  if (current === undefined) return { kind: "unchanged" };
  if ("problem" in current) return { kind: "impossible", problem: current.problem };
  const { definition } = current;
  if (definition === stream.session?.definition) return { kind: "unchanged" };
  if (shown !== undefined && shown !== definition)
    return { kind: "impossible", problem: "the definition has changed again since you were asked" };
  const command = { kind: "update", ...current } as const;
  const { outcome } =
    shown === undefined
      ? decide(command, loaded.situation)
      : (await transact(deps, caller, command, { loaded })).decision;
  if (outcome.kind === "refused") return { kind: "refused", outcome };
  return { kind: "updated", definition, redo: outcome.kind === "updated" ? outcome.supersedes : [] };
}
