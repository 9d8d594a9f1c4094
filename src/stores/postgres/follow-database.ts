import type { StreamId } from "../../workflow/stream-id.ts";
import type { LogStatements } from "./log-statements.ts";
import { areaValues, type StoreLocation, streamOfKey } from "./store-location.ts";

/** The least milliseconds between two looks, however many records are added. */
const betweenLooks = 300;

/** The milliseconds for which a record that was added before others may become visible after them. */
const settleMs = 5000;

/** The latest records that the first look takes for new: those added since the call are among them, and it cannot know which. */
const maybeNew = 100;

/**
 * Calls `changed` with the streams of an area that got records, by one statement for each look: after a notification, and once a second
 * because notifications may be lost.
 */
export function followArea(
  place: StoreLocation,
  { addedSince, newest }: Pick<LogStatements, "addedSince" | "newest">,
  changed: (ids: readonly StreamId[]) => void,
): () => void {
  const { database } = place;
  /** The newest record of each stream as last seen; those from before the settled one are dropped. */
  let seen = new Map<string, number>();
  let settled: { readonly added: number; readonly at: number }[] = [];
  let from: number | undefined;
  let isStopped = false;
  let isLooking = false;
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    const values = await areaValues(place);
    if (from === undefined) {
      const [end] = await database.run(newest, values);
      from = Math.max(0, Number(String(end?.added ?? 0)) - maybeNew);
    }
    const rows = await database.run(addedSince, [...values, String(from)]);
    const found = new Map(rows.map(({ desk: key, added }) => [String(key), Number(String(added))]));
    const fresh = [...found].filter(([key, added]) => seen.get(key) !== added);
    seen = found;
    const highest = [...found.values()].reduce((one, other) => Math.max(one, other), from);
    settled = [...settled, { added: highest, at: Date.now() }];
    while ((settled[0]?.at ?? Number.POSITIVE_INFINITY) < Date.now() - settleMs) from = settled.shift()?.added ?? from;
    if (fresh.length > 0 && !isStopped) changed(fresh.map(([key]) => streamOfKey(key)));
  }

  function lookSoon(): void {
    if (isStopped || isLooking || timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      isLooking = true;
      look()
        .catch(() => undefined) // looked again soon
        .finally(() => {
          isLooking = false;
        });
    }, betweenLooks).unref();
  }

  isLooking = true;
  void look()
    .catch(() => undefined)
    .finally(() => {
      isLooking = false;
    });
  const stop = database.listen(lookSoon);
  return () => {
    isStopped = true;
    clearTimeout(timer);
    stop();
  };
}
