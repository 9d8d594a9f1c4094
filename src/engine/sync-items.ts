import type { Calls } from "../gates/calls.ts";
import type { StepItems } from "../workflow/item-state.ts";
import { findWorkflow, positionIn } from "../workflow/position.ts";
import { refOf } from "../workflow/refuse.ts";
import type { StepRef } from "../workflow/step-ref.ts";
import type { StreamSnapshot } from "../workflow/stream-snapshot.ts";
import type { Plan } from "../workflow/workflow.ts";
import type { CallerContext } from "./caller.ts";
import type { EngineDeps } from "./engine-deps.ts";
import { type Loaded, load, transact } from "./transact.ts";

/** A load with the items of the open step as its list has them now, or the problem with that list. */
export type SyncedItems = { readonly loaded: Loaded; readonly problem?: string; readonly unread?: readonly string[] };

/** Records which items of the open step have ended, and what its list has now; nothing for a step without items. */
export async function syncItems(
  deps: EngineDeps,
  caller: CallerContext,
  given: Loaded,
  workflow?: string,
): Promise<SyncedItems> {
  const { items: lists } = deps.definitions;
  const open = stepWithItems(given.reading.plan, given.situation.stream, workflow);
  if (open === undefined || lists === undefined || given.reading.closed !== undefined) return { loaded: given };
  const { ref, calls } = open;
  let loaded = await settleEnded(deps, caller, given, open);
  const listed = await lists.list(loaded.situation.stream, ref, calls, deps.content);
  if ("problem" in listed) return { loaded, problem: listed.problem };
  if ("unchanged" in listed) return { loaded };
  const { items, unread, ...list } = listed;
  const done = await transact(deps, caller, { kind: "take_items", ref, listed: items, ...list }, { loaded });
  if (done.decision.events.length > 0) loaded = await load(deps, caller);
  return unread === undefined ? { loaded } : { loaded, unread };
}

/** The same for a completion, which is refused while the list has a problem. */
export async function loadItems(
  deps: EngineDeps,
  caller: CallerContext,
  given: Loaded,
  workflow: string | undefined,
): Promise<Loaded> {
  const { loaded, problem } = await syncItems(deps, caller, given, workflow);
  return problem === undefined ? loaded : { ...loaded, situation: { ...loaded.situation, listProblem: problem } };
}

/** Records the ends of open items that are not on record yet, as after a crash. */
async function settleEnded(
  deps: EngineDeps,
  caller: CallerContext,
  given: Loaded,
  { calls, items }: OpenStepItems,
): Promise<Loaded> {
  let loaded = given;
  for (const { status, sessions } of items?.items ?? []) {
    const session = status === "open" ? sessions?.at(-1) : undefined;
    const { ended } = (session === undefined ? undefined : await deps.lookAtItem?.(session, calls)) ?? {};
    if (session === undefined || ended === undefined) continue;
    await transact(deps, caller, { kind: "settle_item", session, ...ended }, { loaded });
    loaded = await load(deps, caller);
  }
  return loaded;
}

export type OpenStepItems = { readonly ref: StepRef; readonly calls: Calls; readonly items: StepItems | undefined };

/** The open step of a workflow, or of the one in focus, if it calls another workflow. */
export function stepWithItems(
  plan: Plan,
  stream: StreamSnapshot,
  named: string | undefined,
): OpenStepItems | undefined {
  const workflow = findWorkflow(plan, stream, named);
  if (workflow === undefined || stream.archivedAt !== null) return undefined;
  const { run, current } = positionIn(stream, workflow);
  const state = current === null ? undefined : run.steps.get(current.name);
  const calls = current?.routing?.calls;
  if (current === null || calls === undefined || state?.status !== "started") return undefined;
  return { ref: refOf(run, current.name), calls, items: state.items };
}
