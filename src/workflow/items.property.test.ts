import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { wholeOr } from "../../test/whole.ts";
import type { Calls } from "../gates/calls.ts";
import type { ListedItem, StepItems } from "./item-state.ts";
import {
  changeItem,
  dependencyProblem,
  isSettled,
  itemsForRound,
  itemsOverview,
  itemsToTake,
  mergeItems,
} from "./items.ts";

const numRuns = wholeOr(10_000, 500);
const calls: Calls = { workflow: "w", after: "depends_on", parallel: 3, with: {}, accept: ["done"], collect: [] };

/** Lists of a few texts under a few ids, in any order: as people renumber, add and remove. */
const lists = fc
  .uniqueArray(
    fc.record({ id: fc.constantFrom("1", "2", "3", "4", "5"), text: fc.constantFrom("a", "b", "c", "d", "e", "f") }),
    {
      selector: ({ id }) => id,
      maxLength: 5,
    },
  )
  .map((all) => all.map(({ id, text }): ListedItem => ({ id, title: text, digest: text, after: [], values: {} })));

const edits = fc.array(fc.record({ list: lists, settles: fc.nat(4) }), { minLength: 1, maxLength: 6 });

/** Plays edits of a list; after each, one of the waiting items is settled. */
function play(
  all: readonly { readonly list: readonly ListedItem[]; readonly settles: number }[],
  each: (items: StepItems, list: readonly ListedItem[]) => void,
) {
  let items: StepItems | undefined;
  for (const [at, { list, settles }] of all.entries()) {
    const taken = itemsToTake(items, list);
    if (taken !== undefined) items = mergeItems(items, { round: 1, list: String(at), items: taken });
    if (items === undefined) continue;
    each(items, list);
    const waiting = items.items.filter(({ status }) => status === "waiting");
    const chosen = waiting[settles % Math.max(1, waiting.length)]?.id;
    items = changeItem(
      items,
      ({ id }) => id === chosen,
      (one) => ({ ...one, status: "settled" }),
    );
  }
  return items;
}

describe("for all edits of a list", () => {
  test("each entry is one item of its text, ids are unique, and nothing that was taken is lost", () => {
    fc.assert(
      fc.property(edits, (all) => {
        let before: StepItems | undefined;
        play(all, (items, list) => {
          const ids = items.items.map(({ id }) => id);
          expect(new Set(ids).size).toBe(ids.length);
          expect(items.items.slice(0, list.length).map(({ id, digest }) => [id, digest])).toEqual(
            list.map(({ id, digest }) => [id, digest]),
          );
          expect(items.items.slice(list.length).every(({ isGone }) => isGone === true)).toBe(true);
          const texts = (one: StepItems | undefined): string[] => (one?.items ?? []).map(({ digest }) => digest).sort();
          for (const digest of new Set(texts(before)))
            expect(texts(items).filter((one) => one === digest).length).toBeGreaterThanOrEqual(
              texts(before).filter((one) => one === digest).length,
            );
          before = items;
        });
      }),
      { numRuns },
    );
  });

  test("what was settled stays settled, for its text and no other", () => {
    fc.assert(
      fc.property(edits, (all) => {
        const settled = new Map<string, number>();
        play(all, (items) => {
          const counts = new Map<string, number>();
          for (const one of items.items) if (isSettled(one)) counts.set(one.digest, (counts.get(one.digest) ?? 0) + 1);
          for (const [digest, count] of settled) expect(counts.get(digest) ?? 0).toBeGreaterThanOrEqual(count);
          for (const [digest, count] of counts) settled.set(digest, count);
          expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(all.length);
        });
      }),
      { numRuns },
    );
  });

  test("the same list again changes nothing", () => {
    fc.assert(
      fc.property(edits, (all) => {
        const items = play(all, () => undefined);
        const last = all.at(-1)?.list ?? [];
        if (items !== undefined && last.length > 0) expect(itemsToTake(items, last)).toBeUndefined();
      }),
      { numRuns },
    );
  });
});

const graphs = fc
  .array(fc.array(fc.nat(6), { maxLength: 3 }), { minLength: 1, maxLength: 7 })
  .map((all) =>
    all.map((after, at) => ({ id: String(at), after: after.filter((one) => one < all.length).map(String) })),
  );

/** Tells if everything can be settled, one after the other. */
function canBeDone(items: readonly { id: string; after: readonly string[] }[]): boolean {
  const done = new Set<string>();
  for (let round = 0; round <= items.length; round++)
    for (const { id, after } of items) if (after.every((one) => done.has(one))) done.add(id);
  return done.size === items.length;
}

test("dependencies are reported exactly if they cannot be satisfied, and the items named wait for each other", () => {
  fc.assert(
    fc.property(graphs, (items) => {
      const problem = dependencyProblem(items);
      expect(problem === undefined).toBe(canBeDone(items));
      const path = problem?.split(": ")[1]?.split(" → ") ?? [];
      for (const [at, id] of path.slice(0, -1).entries())
        expect(items.find((one) => one.id === id)?.after).toContain(path[at + 1]);
    }),
    { numRuns },
  );
});

test("only the items named are done again, and no more than the bound are ready beside the open ones", () => {
  fc.assert(
    fc.property(lists, fc.array(fc.constantFrom("1", "2", "3", "4", "5")), fc.nat(5), (list, only, open) => {
      const taken = mergeItems(undefined, { round: 1, list: "", items: list });
      const settled = changeItem(
        taken,
        () => true,
        (one) => ({ ...one, status: "settled" }),
      );
      const again = itemsForRound(settled, only);
      expect(again.items.filter(({ status }) => status === "waiting").map(({ id }) => id)).toEqual(
        list.map(({ id }) => id).filter((id) => only.some((one) => one === id)),
      );
      const opened = {
        ...again,
        items: again.items.map((one, at) => (at < open ? { ...one, status: "open" as const } : one)),
      };
      const shown = itemsOverview(opened, calls);
      if (shown.open.length >= calls.parallel) expect(shown.ready).toEqual([]);
      expect(shown.total).toBe(list.length);
    }),
    { numRuns },
  );
});
