import type { Calls } from "../gates/calls.ts";
import { stepNamed } from "../gates/resolve-routing.ts";
import { fieldValue } from "../gates/value-type.ts";
import type { Json } from "../kit/json.ts";
import { itemOfSession } from "../workflow/items.ts";
import type { Refusal } from "../workflow/refusal.ts";
import { sessionRun, sessionView } from "../workflow/session-view.ts";
import type { StreamSnapshot } from "../workflow/stream-snapshot.ts";
import type { Plan } from "../workflow/workflow.ts";
import type { CallerContext } from "./caller.ts";
import type { Engine } from "./engine.ts";
import type { ItemLook } from "./engine-deps.ts";
import type { Reply } from "./reply.ts";

/** The stream that has the items of a step: a session, or a behavior of a bot. */
export type ItemParent = {
  readonly engine: Engine;
  readonly workflow?: string;
  readonly id: string;
  readonly isBot: boolean;
};

/** Finds the parent that an item's session names. */
export type FindParent = (id: string) => Promise<ItemParent | undefined>;

/** How the session of an item ended, with what its step collects, or if it is blocked. */
export function lookAtSession(
  id: string,
  stream: StreamSnapshot,
  head: string,
  plan: Plan,
  calls: Calls,
): ItemLook | undefined {
  const view = sessionView(id, stream);
  const run = sessionRun(stream);
  if (view === null || run === undefined) return undefined;
  const isBlocked = [...run.steps.values()].some(({ blocked }) => blocked !== undefined);
  const isArchived = stream.archivedAt !== null;
  if (!isArchived && !view.workflow_complete) return { isBlocked };
  const steps = plan.workflows[0]?.steps ?? [];
  const found = calls.collect.flatMap(({ field, step, from }): [string, Json][] => {
    const name = steps[stepNamed(step, steps) ?? -1]?.name ?? "";
    const { status, submitted: { evidence = {}, outputs = {} } = {} } = run.steps.get(name) ?? {};
    const value = status === "completed" ? (fieldValue(evidence, from) ?? fieldValue(outputs, from)) : null;
    return value === null ? [] : [[field, value]];
  });
  const outcome = view.workflow_complete ? (view.outcome ?? "done") : "archived";
  return { isBlocked, ended: { outcome, head, collected: Object.fromEntries(found) } };
}

/** Guards an item's session: nothing is saved once its parent no longer counts it, and its end is recorded there. */
export function guardItem(engine: Engine, findParent: FindParent): Engine {
  const closed = async (): Promise<Refusal | undefined> => closedReason(engine, findParent);
  const guarded = async (work: () => Promise<Reply>): Promise<Reply> => {
    const refusal = await closed();
    return refusal === undefined ? work() : refused(engine, refusal);
  };
  const settling = async (caller: CallerContext, work: () => Promise<Reply>): Promise<Reply> => {
    const reply = await guarded(work);
    return { ...reply, ...(await settleIn(engine, reply, caller, findParent)) };
  };
  return {
    ...engine,
    open: (caller, request) => settling(caller, () => engine.open(caller, request)),
    complete: (caller, request) => settling(caller, () => engine.complete(caller, request)),
    answer: (caller, asked) => settling(caller, () => engine.answer(caller, asked)),
    respond: (caller, given) => settling(caller, () => engine.respond(caller, given)),
    archive: (caller, reason) => settling(caller, () => engine.archive(caller, reason)),
    openItem: (caller, item, named) => guarded(() => engine.openItem(caller, item, named)),
    async settleItems(caller, workflow) {
      const left = await engine.settleItems(caller, workflow);
      await settleEnded(engine, caller, findParent);
      return left;
    },
    async back(caller, command) {
      const settled = await settledReason(engine, findParent);
      return settled === undefined ? guarded(() => engine.back(caller, command)) : refused(engine, settled);
    },
  };
}

/** The reason that an item's session no longer counts: its parent, or a parent of that, has moved on. */
async function closedReason(engine: Engine, findParent: FindParent): Promise<Refusal | undefined> {
  for (let at = engine; ; ) {
    const { item } = (await at.peek()).session ?? {};
    if (item === undefined) return undefined;
    const parent = await findParent(item.parent);
    const stream = await parent?.engine.peek();
    const found = stream === undefined ? undefined : itemOfSession(stream, at.id.name);
    const isCounted = found !== undefined && found.item.status !== "dropped";
    if (parent === undefined || !isCounted || stream?.archivedAt !== null)
      return { kind: "item_closed", parent: item.parent };
    at = parent.engine;
    if (parent.isBot) return undefined;
  }
}

async function settledReason(engine: Engine, findParent: FindParent): Promise<Refusal | undefined> {
  const { item } = (await engine.peek()).session ?? {};
  const parent = item === undefined ? undefined : await findParent(item.parent);
  const found = parent === undefined ? undefined : itemOfSession(await parent.engine.peek(), engine.id.name);
  if (found?.item.status !== "settled") return undefined;
  return { kind: "item_settled", item: found.item.id, outcome: found.item.outcome ?? "done" };
}

async function refused(engine: Engine, refusal: Refusal): Promise<Reply> {
  const outcome = { kind: "refused", workflow: null, current: null, refusal } as const;
  return { id: engine.id, outcome, stream: await engine.peek(), shown: null, warnings: [] };
}

/** Records in the parent that the session has ended, and says what is left there. */
async function settleIn(
  engine: Engine,
  { outcome }: Reply,
  caller: CallerContext,
  findParent: FindParent,
): Promise<Pick<Reply, "settled">> {
  if (outcome.kind === "refused" && outcome.refusal.kind === "item_closed") return {};
  return settleEnded(engine, caller, findParent);
}

async function settleEnded(
  engine: Engine,
  caller: CallerContext,
  findParent: FindParent,
): Promise<Pick<Reply, "settled">> {
  const stream = await engine.peek();
  const { item } = stream.session ?? {};
  const view = sessionView(engine.id.name, stream);
  const hasEnded = view !== null && (view.workflow_complete || stream.archivedAt !== null);
  if (item === undefined || !hasEnded) return {};
  const parent = await findParent(item.parent);
  const found = parent === undefined ? undefined : itemOfSession(await parent.engine.peek(), engine.id.name);
  if (parent === undefined || found === undefined) return {};
  const left = await parent.engine.settleItems(caller, found.run.workflow);
  return { settled: { parent: parent.id, item: item.id, ...(left === undefined ? {} : { items: left }) } };
}
