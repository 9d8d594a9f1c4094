import type { Calls } from "../gates/calls.ts";
import type { Gap, Gate } from "../gates/gate.ts";
import { digestOf, type Json } from "../kit/json.ts";
import type { Submission } from "./events.ts";
import type { ItemState, ItemsOverview, ListedItem, StepItems, TakenItem } from "./item-state.ts";
import { isSatisfied, type Run, type StepState, type StreamSnapshot } from "./stream-snapshot.ts";

/** Tells if an item needs no more work. */
export function isSettled({ status }: Pick<ItemState, "status">): boolean {
  return status === "settled" || status === "dropped";
}

/** The ids that an item still waits for. */
export function waitsFor(items: readonly ItemState[], { after }: ItemState, calls: Calls): readonly string[] {
  if (calls.after === undefined || after.length === 0) return [];
  const settled = new Set(items.filter(isSettled).map(({ id }) => id));
  return after.filter((id) => !settled.has(id));
}

/** Counts the items of a step, and lists those that are open and those that can be opened now. */
export function itemsOverview({ items }: StepItems, calls: Calls): ItemsOverview {
  const open = items.filter(({ status }) => status === "open").map(({ id }) => id);
  const settled = new Set(items.filter(isSettled).map(({ id }) => id));
  const isReady = (one: ItemState): boolean =>
    one.status === "waiting" && (calls.after === undefined || one.after.every((id) => settled.has(id)));
  const hasRoom = open.length < calls.parallel;
  const ready = hasRoom ? items.filter(isReady).map(({ id }) => id) : [];
  return { total: items.length, settled: settled.size, open, ready };
}

/** The items of a list as they are to be recorded; undefined if nothing has changed. An item is its text: renumbering moves it, and another text is another item. */
export function itemsToTake(
  known: StepItems | undefined,
  listed: readonly ListedItem[],
): readonly TakenItem[] | undefined {
  if (known === undefined) return listed;
  const byId = new Map(known.items.map((one) => [one.id, one]));
  const isSame = (one: ListedItem): boolean => byId.get(one.id)?.digest === one.digest;
  const left = known.items.filter((one) => !listed.some((now) => now.id === one.id && now.digest === one.digest));
  const taken = listed.map((one): TakenItem => {
    if (isSame(one)) return one;
    const moved = left.filter(({ digest }) => digest === one.digest);
    const [only] = moved;
    const isOnlyOne =
      moved.length === 1 && listed.filter((now) => now.digest === one.digest && !isSame(now)).length === 1;
    return isOnlyOne && only !== undefined ? { ...one, was: only.id } : one;
  });
  const present = known.items.filter(({ isGone }) => isGone !== true);
  const isUnchanged =
    present.length === taken.length &&
    taken.every(
      (one, at) => isSame(one) && present[at]?.id === one.id && String(present[at]?.after) === String(one.after),
    );
  return isUnchanged ? undefined : taken;
}

/** Merges taken items into the state of a step; what the list no longer has stays until a person drops it. */
export function mergeItems(
  known: StepItems | undefined,
  {
    round,
    list,
    items,
    ticked,
    definition,
  }: Omit<StepItems, "items"> & { readonly items: readonly TakenItem[]; readonly ticked?: true },
): StepItems {
  const byId = new Map(known?.items.map((one) => [one.id, one]));
  const used = new Set<ItemState>();
  const now = items.map(({ was, ...item }): ItemState => {
    const before = byId.get(was ?? item.id);
    if (before?.digest !== item.digest || used.has(before))
      return ticked && item.ticked
        ? { ...item, status: "settled", outcome: tickedOutcome }
        : { ...item, status: "waiting" };
    used.add(before);
    const { isGone: _, ...kept } = before;
    return { ...kept, ...item };
  });
  const names = new Set(now.map(({ id }) => id));
  const gone = (known?.items ?? [])
    .filter((one) => !used.has(one))
    .map((one): ItemState => {
      const id = freeName(one.id, names);
      names.add(id);
      return { ...one, id, isGone: true };
    });
  const pinned = definition ?? known?.definition;
  return { round, list, items: [...now, ...gone], ...(pinned === undefined ? {} : { definition: pinned }) };
}

/** The outcome of an item that its list marks as done. */
export const tickedOutcome = "ticked";

/** A name that is not taken: the name itself, or with a number. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number++) if (!taken.has(`${name}~${number}`)) return `${name}~${number}`;
}

/** Changes the state of one item. */
export function changeItem(
  { items, ...rest }: StepItems,
  isMeant: (item: ItemState) => boolean,
  change: (item: ItemState) => ItemState,
): StepItems {
  return { ...rest, items: items.map((one) => (isMeant(one) ? change(one) : one)) };
}

/** The items of a step that is done again for some of them; the others carry over. */
export function itemsForRound(known: StepItems, only: readonly string[]): StepItems {
  const again = ({ id, title, digest, after, values, isGone }: ItemState): ItemState => {
    return { id, title, digest, after, values, status: "waiting", ...(isGone ? { isGone } : {}) };
  };
  return {
    ...known,
    items: known.items.map((one) => (only.includes(one.id) ? again(one) : { ...one, isCarried: true })),
  };
}

/** Explains why the dependencies of a list cannot be satisfied, naming them; undefined if they can. */
export function dependencyProblem(items: readonly Pick<ItemState, "id" | "after">[]): string | undefined {
  const known = new Set(items.map(({ id }) => id));
  const lacking = items.flatMap(({ id, after }) =>
    after.filter((one) => !known.has(one)).map((one) => `${id} waits for ${one}`),
  );
  if (lacking.length > 0) return `the list has no such item: ${lacking.slice(0, 5).join(", ")}`;
  const left = new Map(items.map(({ id, after }) => [id, new Set(after)]));
  const free = [...left.keys()].filter((id) => left.get(id)?.size === 0);
  const waiting = new Map<string, string[]>();
  for (const { id, after } of items) for (const one of after) waiting.set(one, [...(waiting.get(one) ?? []), id]);
  for (let id = free.pop(); id !== undefined; id = free.pop()) {
    left.delete(id);
    for (const next of waiting.get(id) ?? []) {
      const open = left.get(next);
      if (open?.delete(id) === true && open.size === 0) free.push(next);
    }
  }
  const [first] = left.keys();
  if (first === undefined) return undefined;
  const path = [first];
  for (let at: string | undefined = first; at !== undefined; ) {
    const next: string | undefined = [...(left.get(at) ?? [])].find((one) => left.has(one));
    const seen = next === undefined ? -1 : path.indexOf(next);
    if (seen >= 0 && next !== undefined)
      return `the items wait for each other: ${[...path.slice(seen), next].join(" → ")}`;
    if (next !== undefined) path.push(next);
    at = next;
  }
  return `the items wait for each other: ${first}`;
}

/** The name under which a person drops an item, as a waiver. */
export function itemField(id: string): string {
  return `items.${id}`;
}

/** The names under which a person can drop items of a step: those that failed first. */
export function droppableItems({ items }: Pick<StepState, "items">): readonly string[] {
  const open = (items?.items ?? []).filter((one) => !isSettled(one));
  const sorted = [...open].sort((a, b) => Number(b.status === "failed") - Number(a.status === "failed"));
  return sorted.map(({ id }) => itemField(id));
}

/** Names the items of a step that are not settled; undefined if all are. A dropped item counts only if the person's waiver does. */
export function itemsGap(
  { items }: Pick<StepState, "items">,
  waived: readonly { readonly field: string }[],
  problem?: string,
): Gap | undefined {
  const gap = (text: string): Gap => ({ field: "items", kind: "required", text: `items (required: ${text})` });
  if (items === undefined || items.items.length === 0) return gap(problem ?? "the list has no item");
  const isDropped = new Set(waived.map(({ field }) => field));
  const open = items.items.filter(
    (one) =>
      !(one.status === "settled" || (one.status === "dropped" && (one.isCarried || isDropped.has(itemField(one.id))))),
  );
  if (open.length === 0) return problem === undefined ? undefined : gap(problem);
  const named = open
    .slice(0, 5)
    .map(({ id, isGone }) => (isGone ? `${id} (no longer in the list; a person can drop it)` : id));
  const more = open.length > named.length ? ` and ${open.length - named.length} more` : "";
  return gap(`${open.length} of ${items.items.length} are not settled: ${named.join(", ")}${more}`);
}

/** The digest of the outcome and head of each item, which an approval covers. */
export function itemsDigest({ items }: StepItems): string {
  return digestOf(items.map(({ id, outcome, status, head }) => [id, outcome ?? status, head ?? null])).slice(0, 32);
}

/** The submission with the evidence that a step gets from its items. */
export function withCollected(
  submitted: Submission,
  { items }: Pick<StepState, "items">,
  calls: Calls,
  gate?: Gate,
): Submission {
  if (items === undefined || calls.collect.length === 0) return submitted;
  const found = calls.collect.flatMap(({ field }): [string, Json][] => {
    const values = items.items.flatMap(({ id, collected }): [string, Json][] =>
      collected?.[field] === undefined ? [] : [[id, collected[field] ?? null]],
    );
    const type = gate?.requirements.find((one) => one.field === field)?.type;
    const value = values.length === 0 ? undefined : combined(values, type, calls.each === undefined);
    return value === undefined ? [] : [[field, value]];
  });
  return found.length === 0
    ? submitted
    : { ...submitted, evidence: { ...submitted.evidence, ...Object.fromEntries(found) } };
}

/** The values of a field of several items as one value of its type: a sum, all of them, or the values by item. */
function combined(values: readonly [string, Json][], type: string | undefined, isSingle: boolean): Json | undefined {
  const plain = values.map(([, value]) => value);
  if (isSingle) return plain[0];
  if (type === "integer" || type === "number")
    return plain.every((one) => typeof one === "number")
      ? plain.reduce<number>((sum, one) => sum + Number(one), 0)
      : undefined;
  if (type === "boolean") return plain.every((one) => one === true);
  return type === "list" ? plain.flat() : Object.fromEntries(values);
}

/** An item by the session that works on it, with its step; undefined if that session no longer counts. */
export function itemOfSession(
  stream: StreamSnapshot,
  session: string,
): { readonly run: Run; readonly step: string; readonly state: StepState; readonly item: ItemState } | undefined {
  for (const run of stream.runs.values())
    for (const [step, state] of run.steps) {
      const item = state.items?.items.find(({ sessions }) => sessions?.at(-1) === session);
      const isCounted = state.status === "started" || isSatisfied(state);
      if (item !== undefined && isCounted) return { run, step, state, item };
    }
  return undefined;
}
