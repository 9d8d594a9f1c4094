import { defined } from "../kit/defined.ts";
import type { Json } from "../kit/json.ts";
import { needsPersonNow } from "./close-step.ts";
import { type OpenItemCommand, type SettleItemCommand, stampOf, type TakeItemsCommand } from "./command.ts";
import type { DecisionContext } from "./decision-context.ts";
import type { Event, StepRef } from "./events.ts";
import { itemSessionId } from "./item-id.ts";
import type { ItemState, StepItems } from "./item-state.ts";
import {
  dependencyProblem,
  isSettled,
  itemOfSession,
  itemsOverview,
  itemsToTake,
  mergeItems,
  waitsFor,
} from "./items.ts";
import type { Decision } from "./outcome.ts";
import { findWorkflow, type Position, positionIn } from "./position.ts";
import type { Refusal } from "./refusal.ts";
import { refOf, refuse, refuseUnknownWorkflow } from "./refuse.ts";
import type { Run } from "./stream-snapshot.ts";
import type { Step } from "./workflow.ts";

/** Decides to take the items of an open step as its list has them now; dependencies that cannot be satisfied block the step. */
export function decideTakeItems(
  { ref, listed, list, definition }: TakeItemsCommand,
  { plan, stream, caller, now }: DecisionContext,
): Decision {
  const run = stream.runs.get(ref.workflow);
  const state = run?.pass === ref.pass ? run.steps.get(ref.step) : undefined;
  const calls = findWorkflow(plan, stream, ref.workflow)?.steps.find(({ name }) => name === ref.step)?.routing?.calls;
  const isOpen = state?.status === "started" && state.attempt === ref.attempt && stream.archivedAt === null;
  const outcome = { kind: "items", ref } as const;
  const taken = isOpen && calls !== undefined ? itemsToTake(state.items, listed) : undefined;
  if (taken === undefined || calls === undefined) return { events: [], outcome, notices: [] };
  const stamp = stampOf(caller, now);
  // what is ticked later is a claim of the one who works on the list
  const ticked = calls.ticked && ref.attempt === 1 && state?.items === undefined ? { ticked: true as const } : {};
  const items = { round: ref.attempt, list, items: taken, ...ticked, ...defined({ definition }) };
  const merged = mergeItems(state?.items, items);
  const problem = calls.after === undefined ? undefined : dependencyProblem(merged.items);
  const events: Event[] = [{ type: "items_taken", ...stamp, ...ref, ...items }];
  if (problem !== undefined)
    events.push({
      type: "blocked",
      ...stamp,
      ...ref,
      reason: `The list of items cannot be done: ${problem}.`,
      items: true,
    });
  return { events, outcome, notices: [] };
}

/** Decides to open an item: what it comes after is settled, and there is room. */
export function decideOpenItem(command: OpenItemCommand, situation: DecisionContext): Decision {
  const { plan, stream, caller, now } = situation;
  const workflow = findWorkflow(plan, stream, command.workflow);
  if (workflow === undefined) return refuseUnknownWorkflow(plan, command.workflow);
  const position = positionIn(stream, workflow);
  const open = openItems(position);
  if (stream.archivedAt !== null) return refuse(position, null, { kind: "archived" });
  if (open === undefined)
    return hadItem(position.run, command.item)
      ? refuse(position, null, { kind: "item_closed", parent: command.parent.id })
      : no(position, "it has no items now", "Read the current step and do what it says.");
  const { ref, calls, items } = open;
  const item = items.items.find(({ id }) => id === command.item);
  const { ready } = itemsOverview(items, calls);
  const shown = ready.slice(0, 20).join(", ");
  if (item === undefined)
    return no(
      position,
      `there is no item ${command.item.slice(0, 100)}`,
      ready.length === 0 ? "Read the step for its items." : `Ready now: ${shown}.`,
    );
  const session = item.sessions?.at(-1);
  if (item.status === "open" && session !== undefined)
    return { events: [], outcome: { kind: "items", ref, item, session }, notices: [] };
  const refused = notReady(items, item, open, command);
  if (refused !== undefined) return refuse(position, null, refused);
  const known = new Set(items.items.flatMap(({ sessions = [] }) => sessions));
  const name = itemSessionId(command.parent, ref, item.id, known);
  const opened: Event = { type: "item_opened", ...stampOf(caller, now), ...ref, item: item.id, session: name };
  return { events: [opened], outcome: { kind: "items", ref, item, session: name }, notices: [] };
}

/** Tells if an item belongs to a step that was open before. */
function hadItem({ steps }: Run, item: string): boolean {
  return [...steps.values()].some(({ items }) => items?.items.some(({ id }) => id === item) === true);
}

function no(position: Position, what: string, fix: string): Decision {
  return refuse(position, null, { kind: "invalid_input", message: `${position.workflow.name}: ${what}`, fix });
}

/** Explains why an item cannot be opened now. */
function notReady(
  { items }: StepItems,
  item: ItemState,
  { calls }: OpenItems,
  { blocked = 0 }: OpenItemCommand,
): Refusal | undefined {
  if (isSettled(item))
    return {
      kind: "item_settled",
      item: item.id,
      outcome: item.status === "dropped" ? "dropped" : (item.outcome ?? "done"),
    };
  if (item.status === "failed") return { kind: "item_not_ready", item: item.id, after: [], person: true };
  const after = waitsFor(items, item, calls);
  if (after.length > 0) return { kind: "item_not_ready", item: item.id, after };
  const open = items.filter(({ status }) => status === "open").map(({ id }) => id);
  return open.length - blocked < calls.parallel
    ? undefined
    : { kind: "item_not_ready", item: item.id, after: [], taken: open };
}

/** Decides what the end of an item's session means for its step; nothing if the session no longer counts. */
export function decideSettleItem(
  { session, outcome, head, collected }: SettleItemCommand,
  { plan, stream, caller, now }: DecisionContext,
): Decision {
  const found = itemOfSession(stream, session);
  const ignored: Decision = { events: [], outcome: { kind: "items", ref: null }, notices: [] };
  if (found === undefined || found.item.status !== "open" || found.state.status !== "started") return ignored;
  if (stream.archivedAt !== null) return ignored;
  const { run, step, item, state } = found;
  const workflow = plan.workflows.find(({ name }) => name === run.workflow);
  const calls = workflow?.steps.find(({ name }) => name === step)?.routing?.calls;
  if (calls === undefined) return ignored;
  const ref = refOf(run, step);
  const stamp = stampOf(caller, now);
  const isAccepted = calls.accept.includes(outcome);
  const kept = Object.keys(collected).length === 0 ? {} : { collected };
  const round = state.items?.round ?? ref.attempt;
  const settled: Event = {
    type: "item_settled",
    ...stamp,
    ...ref,
    item: item.id,
    session,
    round,
    outcome,
    isAccepted,
    head,
    ...kept,
  };
  const how = outcome === "archived" ? "was archived" : `ended as ${outcome}`;
  const reason = `Item ${item.id} ${how}, which does not settle it.`;
  const blocked: Event = { type: "blocked", ...stamp, ...ref, reason, items: true };
  return {
    events: isAccepted ? [settled] : [settled, blocked],
    outcome: { kind: "items", ref, item, session },
    notices: [],
  };
}

/** The open step with items at a position. */
type OpenItems = {
  readonly ref: StepRef;
  readonly step: Step;
  readonly calls: NonNullable<NonNullable<Step["routing"]>["calls"]>;
  readonly items: StepItems;
};

/** Finds the open step and its items; undefined if the current step has none, or they are not taken. */
export function openItems({ run, current }: Position): OpenItems | undefined {
  const calls = current?.routing?.calls;
  const state = current === null ? undefined : run.steps.get(current.name);
  if (current === null || calls === undefined || state?.status !== "started" || state.items === undefined)
    return undefined;
  return { ref: refOf(run, current.name), step: current, calls, items: state.items };
}

/** Finds the open step whose items are all settled and that needs nothing else, so that it completes by itself. */
export function stepToComplete({ plan, stream }: Pick<DecisionContext, "plan" | "stream">): StepRef | undefined {
  if (stream.archivedAt !== null) return undefined;
  for (const workflow of plan.workflows) {
    const position = positionIn(stream, workflow);
    const open = openItems(position);
    const state = open === undefined ? undefined : position.run.steps.get(open.ref.step);
    if (open === undefined || state === undefined || state.blocked !== undefined) continue;
    const { items, step, calls } = open;
    const { gate } = step;
    const given = new Set(calls.collect.map(({ field }) => field));
    const isAsked = gate?.requirements.some(({ field, required }) => required && !given.has(field)) === true;
    const isChecked = gate?.closed !== undefined || gate?.rulesHold === true || (gate?.checks ?? []).length > 0;
    const isDone = items.items.length > 0 && items.items.every(isSettled);
    if (isDone && !isAsked && !isChecked && !needsPersonNow(step, position, stream, plan)) return open.ref;
  }
  return undefined;
}

/** The values of an item as they are recorded with its session. */
export function itemValues({ id, title, values }: ItemState): { readonly [name: string]: Json } {
  return { ...values, id, title };
}
