import { defined } from "../kit/defined.ts";
import { openItems, stepToComplete } from "../workflow/decide-items.ts";
import type { ItemState, ItemsOverview } from "../workflow/item-state.ts";
import { itemsOverview } from "../workflow/items.ts";
import { findWorkflow, positionIn } from "../workflow/position.ts";
import type { Refusal } from "../workflow/refusal.ts";
import type { StepRef } from "../workflow/step-ref.ts";
import { buildReply } from "./build-reply.ts";
import type { CallerContext } from "./caller.ts";
import { completeStep } from "./complete.ts";
import type { EngineDeps } from "./engine-deps.ts";
import type { ItemSession, ListProblem } from "./ports/definitions.ts";
import type { Reply } from "./reply.ts";
import type { InTurn } from "./step-checks.ts";
import { stepWithItems, syncItems } from "./sync-items.ts";
import { type Loaded, load, readStream, transact } from "./transact.ts";

/** Loads a stream after the ends of its items are recorded, and after a step was completed that needs nothing else. */
export async function loadSettled(
  deps: EngineDeps,
  inTurn: InTurn,
  caller: CallerContext,
  given: Loaded,
  workflow?: string,
): Promise<Loaded> {
  const { loaded } = await syncItems(deps, caller, given, workflow);
  return (await completeSettled(deps, inTurn, caller, loaded)) ? load(deps, caller) : loaded;
}

/** Completes the open step if its items are all settled and nothing else is required. */
async function completeSettled(
  deps: EngineDeps,
  inTurn: InTurn,
  caller: CallerContext,
  loaded: Loaded,
): Promise<boolean> {
  const { plan } = loaded.reading;
  const ref = stepToComplete({ plan, stream: loaded.situation.stream });
  if (ref === undefined) return false;
  const { workflow, step } = ref;
  const { outcome } = await completeStep(deps, inTurn, caller, { workflow, step }, {}, { ref });
  return outcome.kind === "completed" || outcome.kind === "finished" || outcome.kind === "at_bound";
}

/** Records which items of a workflow's open step have ended, and completes it if nothing else is required; returns what is left of its items. */
export async function settleItems(
  deps: EngineDeps,
  inTurn: InTurn,
  caller: CallerContext,
  workflow: string,
): Promise<ItemsOverview | undefined> {
  const { loaded } = await syncItems(deps, caller, await load(deps, caller), workflow);
  const isComplete = await completeSettled(deps, inTurn, caller, loaded);
  return isComplete ? undefined : overviewOf(loaded, workflow);
}

function overviewOf({ reading, situation }: Loaded, named: string): ItemsOverview | undefined {
  const workflow = findWorkflow(reading.plan, situation.stream, named);
  const open = workflow === undefined ? undefined : openItems(positionIn(situation.stream, workflow));
  return open === undefined ? undefined : itemsOverview(open.items, open.calls);
}

/** Opens an item of the current step: records its place and the id of its session. */
export async function openItem(
  deps: EngineDeps,
  caller: CallerContext,
  item: string,
  {
    workflow,
    parent,
  }: { readonly workflow?: string; readonly parent: { readonly id: string; readonly isBot: boolean } },
): Promise<Reply> {
  const { loaded, problem } = await syncItems(deps, caller, await load(deps, caller), workflow);
  const cannot = await beginProblem(deps, loaded, item, workflow);
  if (cannot !== undefined) {
    const outcome = { kind: "refused", workflow: null, current: null, refusal: cannotBegin(item, cannot) } as const;
    return { id: deps.id, outcome, stream: loaded.situation.stream, shown: null, warnings: loaded.warnings };
  }
  const command = { kind: "open_item", item, parent, ...defined({ workflow }) } as const;
  const opened = await transact(deps, caller, command, { loaded });
  const { outcome } = opened.decision;
  if (outcome.kind !== "refused" || outcome.refusal.kind !== "item_not_ready" || outcome.refusal.taken === undefined) {
    const reply = await buildReply(deps, opened);
    return problem === undefined ? reply : withProblem(reply, problem);
  }
  const blocked = await countBlocked(deps, loaded, workflow);
  return buildReply(deps, blocked === 0 ? opened : await transact(deps, caller, { ...command, blocked }));
}

/** Explains why the session of a waiting item could not begin; its place is not taken then. */
async function beginProblem(
  { definitions: { items } }: EngineDeps,
  { reading, situation: { stream } }: Loaded,
  item: string,
  workflow?: string,
): Promise<string | undefined> {
  const open = stepWithItems(reading.plan, stream, workflow);
  const waiting = open?.items?.items.find(({ id, status }) => id === item && status === "waiting");
  if (open === undefined || waiting === undefined) return undefined;
  const facts = await items?.session(stream, open.ref, open.calls, waiting);
  return facts !== undefined && "problem" in facts ? facts.problem : undefined;
}

/** Refuses an item whose step gives its session inputs that it does not take. */
export function cannotBegin(item: string, problem: string): Refusal {
  const message = `item ${item} cannot begin: ${problem}`;
  const fix = "Report the step as blocked and say why, so that a person can drop the item or have the step fixed.";
  return { kind: "invalid_input", message, fix };
}

/** Adds what is wrong with the list to a refusal of an item that it does not have. */
function withProblem(reply: Reply, problem: string): Reply {
  const { outcome } = reply;
  if (outcome.kind !== "refused" || outcome.refusal.kind !== "invalid_input") return reply;
  const message = `${outcome.refusal.message}: ${problem}`;
  return { ...reply, outcome: { ...outcome, refusal: { ...outcome.refusal, message } } };
}

/** Counts the open items whose sessions are blocked: their places are free. */
async function countBlocked(deps: EngineDeps, { reading, situation }: Loaded, workflow?: string): Promise<number> {
  const open = stepWithItems(reading.plan, situation.stream, workflow);
  let blocked = 0;
  for (const { status, sessions } of open?.items?.items ?? []) {
    const session = status === "open" ? sessions?.at(-1) : undefined;
    const look = session === undefined || open === undefined ? undefined : await deps.lookAtItem?.(session, open.calls);
    if (look?.isBlocked === true) blocked += 1;
  }
  return blocked;
}

/** The warning about a line that could be a task. */
function unreadWarning(line: string): string {
  return `${line} could be a task, but it is not read as one. Write it as "- [ ] ID text" if it is.`;
}

/** Adds the items of the shown step to a reply. */
export async function withItems(deps: EngineDeps, caller: CallerContext, reply: Reply): Promise<Reply> {
  const { shown } = reply;
  if (shown?.calls === undefined || deps.definitions.items === undefined) return reply;
  const { loaded, problem, unread = [] } = await syncItems(deps, caller, await load(deps, caller), shown.workflow);
  const { stream } = loaded.situation;
  const isOpen = stream.runs.get(shown.workflow)?.steps.get(shown.step)?.status === "started";
  const items = isOpen ? overviewOf(loaded, shown.workflow) : undefined;
  const warnings = [...reply.warnings, ...unread.map(unreadWarning)];
  return { ...reply, stream, warnings, shown: { ...shown, ...defined({ items, listProblem: problem }) } };
}

/** The facts with which the session of an item begins: the workflow its step calls, and its inputs. */
export async function itemFacts(deps: EngineDeps, ref: StepRef, item: ItemState): Promise<ItemSession | ListProblem> {
  const { reading, snapshot } = await readStream(deps);
  const calls = findWorkflow(reading.plan, snapshot.stream, ref.workflow)?.steps.find(({ name }) => name === ref.step)
    ?.routing?.calls;
  const { items } = deps.definitions;
  if (calls === undefined || items === undefined) return { problem: "its step no longer has items" };
  return items.session(snapshot.stream, ref, calls, item);
}
