import type { InboxItem } from "./board-data.ts";
import type { BoardDesk } from "./desks.ts";
import { fewAtOnce } from "./few-at-once.ts";
import type { KeptRow } from "./kept-rows.ts";

/** What waits for a person in each of these runs. */
export type KeptItems = (waiting: readonly Pick<KeptRow, "desk" | "row">[]) => Promise<readonly InboxItem[]>;

/** Keeps what waits in each run as long as its row is the same and it waits; the others are read, a few at a time. */
export function keptItems(read: (desk: BoardDesk) => Promise<readonly InboxItem[]>): KeptItems {
  let known: ReadonlyMap<string, Kept> = new Map();
  return async (waiting) => {
    const before = known;
    const kept = await fewAtOnce(waiting, async ({ desk, row }): Promise<readonly [string, Kept]> => {
      const mark = JSON.stringify(row);
      const found = before.get(desk.key);
      return [desk.key, found?.mark === mark ? found : { mark, items: await read(desk) }];
    });
    known = new Map(kept);
    return kept.flatMap(([, { items }]) => items);
  };
}

type Kept = { readonly mark: string; readonly items: readonly InboxItem[] };
