import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { memoryStore } from "../../stores/memory/memory-store.ts";
import type { InboxItem, RunRow } from "./board-data.ts";
import type { BoardRun } from "./board-runs.ts";
import { inboxCache } from "./inbox-cache.ts";
import { concurrency } from "./map-few.ts";

const area = { ...memoryStore(), area: "" };

/** A run that waits, and whose row says so many records. */
function waits(key: string, records = 1): { readonly stream: BoardRun; readonly row: RunRow } {
  const row = { key, records } as RunRow; // only whether it is the same counts
  return { stream: { key, id: { kind: "session", name: key }, area }, row };
}

/** Reads that are counted, those under way too. */
function counted() {
  const count = { read: 0, underWay: 0, most: 0 };
  const read = async ({ key }: BoardRun): Promise<readonly InboxItem[]> => {
    count.read++;
    count.most = Math.max(count.most, ++count.underWay);
    await setImmediate();
    count.underWay--;
    if (key === "broken") throw new Error("It cannot be read.");
    return [{ key } as InboxItem];
  };
  return { count, items: inboxCache(read) };
}

test("only a few waiting runs are read at a time, and their items keep the order", async () => {
  const { count, items } = counted();
  const waiting = Array.from({ length: 100 }, (_, at) => waits(`run ${at}`));
  expect((await items(waiting)).map(({ key }) => key)).toEqual(waiting.map(({ stream }) => stream.key));
  expect(count).toEqual({ read: 100, underWay: 0, most: concurrency });
});

test("a run is read again when its row changes, and forgotten when it no longer waits", async () => {
  const { count, items } = counted();
  await items([waits("a"), waits("b")]);
  await items([waits("a"), waits("b", 2)]);
  expect(count.read).toBe(3);
  await items([waits("a")]);
  await items([waits("a"), waits("b", 2)]);
  expect(count.read).toBe(4);
});

test("an unreadable run is an error, stops the reading, and is read again on the next request", async () => {
  const { count, items } = counted();
  const waiting = [waits("broken"), ...Array.from({ length: 50 }, (_, at) => waits(`run ${at}`))];
  await expect(items(waiting)).rejects.toThrow("It cannot be read.");
  const { read } = count;
  expect(read).toBeLessThan(20);
  for (let turn = 0; turn < 5; turn++) await setImmediate();
  expect(count.read).toBe(read);
  expect(await items(waiting.slice(1))).toHaveLength(50);
});
