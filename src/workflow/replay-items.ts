import { defined } from "../kit/defined.ts";
import type { Event } from "./events.ts";
import { changeItem, itemField } from "./items.ts";
import type { StepState } from "./stream-snapshot.ts";

/** The state of a step without what Waymark reported about its items. */
export function withoutItemReport({ blocked, ...state }: StepState): StepState {
  return blocked === undefined || blocked.items === true ? state : { ...state, blocked };
}

/** The state of a step with an item's session. */
export function withOpenedItem(state: StepState, { item: id, session }: Event & { type: "item_opened" }): StepState {
  if (state.items === undefined) return state;
  const items = changeItem(
    state.items,
    (one) => one.id === id,
    ({ outcome: _, head: __, collected: ___, ...one }) => ({
      ...one,
      status: "open",
      sessions: [...(one.sessions ?? []), session],
    }),
  );
  return { ...state, items };
}

/** The state of a step after the session of one of its items ended. */
export function withSettledItem(state: StepState, event: Event & { type: "item_settled" }): StepState {
  if (state.items === undefined) return state;
  const { session, outcome, isAccepted, head, collected } = event;
  const isMeant = ({ status, sessions }: { readonly status: string; readonly sessions?: readonly string[] }): boolean =>
    status === "open" && sessions?.at(-1) === session;
  const items = changeItem(state.items, isMeant, (one) => ({
    ...one,
    status: isAccepted ? "settled" : "failed",
    outcome,
    head,
    ...defined({ collected }),
  }));
  return { ...state, items };
}

/** The items after a person answered: those that failed can be opened again. */
export function reopenedItems({ items }: Pick<StepState, "items">): Pick<StepState, "items"> {
  if (items === undefined) return {};
  return {
    items: changeItem(
      items,
      ({ status }) => status === "failed",
      (one) => ({ ...one, status: "waiting" }),
    ),
  };
}

/** The items after a person dropped some of them. */
export function droppedItems({ items }: Pick<StepState, "items">, fields: readonly string[]): Pick<StepState, "items"> {
  if (items === undefined) return {};
  const isMeant = ({ id, status }: { readonly id: string; readonly status: string }): boolean =>
    status !== "settled" && fields.includes(itemField(id));
  return { items: changeItem(items, isMeant, (one) => ({ ...one, status: "dropped" })) };
}
