import type { RevealedStep, SettledItem } from "../engine/reply.ts";
import type { JsonObject } from "../kit/json.ts";

/** The items of a step as a caller sees them: how many, and at most 20 ids of those that are open or can be opened. */
export function shownItems({
  items,
  listProblem,
}: Pick<RevealedStep, "items" | "listProblem">): JsonObject | undefined {
  if (items === undefined && listProblem === undefined) return undefined;
  const { total = 0, open = [], ready = [] } = items ?? {};
  return {
    total,
    open: fitIds(open),
    ready: fitIds(ready),
    ...(listProblem === undefined ? {} : { problem: listProblem.slice(0, 300) }),
  };
}

/** The most ids that are shown, and their characters in all: replies have a budget. */
const maxIds = 20;
const maxIdCharacters = 240;

function fitIds(ids: readonly string[]): readonly string[] {
  let left = maxIdCharacters;
  return ids.slice(0, maxIds).filter((id) => {
    left -= id.length + 3;
    return left >= 0;
  });
}

/** Says how to work on the items of a step. */
export function itemsText(step: string, parent: string, { listProblem }: Pick<RevealedStep, "listProblem">): string {
  if (listProblem !== undefined) return `${step} has no items yet: ${listProblem.slice(0, 300)}.`;
  return `${step} is done item by item: open one with start_workflow {"session_id": "${parent}", "item": ID}. It is complete once all are settled.`;
}

/** Says what follows once the session of an item has ended. */
export function settledText({ parent, item, items }: SettledItem): string {
  if (items === undefined) return `Item ${item} is settled, and so is its step. Continue with ${parent}.`;
  const [next] = items.ready;
  const left = `${items.settled} of ${items.total} items of ${parent} are settled.`;
  if (next !== undefined) return `${left} Next: start_workflow {"session_id": "${parent}", "item": "${next}"}.`;
  return items.settled === items.total ? `${left} Continue with ${parent}.` : left;
}

/** The items that are left to a parent. */
export function parentItems({ parent, items }: SettledItem): JsonObject {
  return { session_id: parent, ...(items === undefined ? {} : { items: shownItems({ items }) ?? {} }) };
}
