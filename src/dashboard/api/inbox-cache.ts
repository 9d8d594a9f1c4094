import type { InboxItem } from "./board-data.ts";
import type { BoardRun } from "./board-runs.ts";
import type { CachedRow } from "./kept-rows.ts";
import { mapFew } from "./map-few.ts";

/** Loads what waits for approval in each of these runs. */
export type InboxCache = (waiting: readonly Pick<CachedRow, "stream" | "row">[]) => Promise<readonly InboxItem[]>;

/** Caches the items of each run while its row is unchanged, and reads the others a few at a time. */
export function inboxCache(read: (stream: BoardRun) => Promise<readonly InboxItem[]>): InboxCache {
  let known: ReadonlyMap<string, CachedItems> = new Map();
  return async (waiting) => {
    const before = known;
    const kept = await mapFew(waiting, async ({ stream, row }): Promise<readonly [string, CachedItems]> => {
      const mark = JSON.stringify(row);
      const found = before.get(stream.key);
      return [stream.key, found?.mark === mark ? found : { mark, items: await read(stream) }];
    });
    known = new Map(kept);
    return kept.flatMap(([, { items }]) => items);
  };
}

type CachedItems = { readonly mark: string; readonly items: readonly InboxItem[] };
