import { expect, onTestFinished, test, vi } from "vitest";
import { memoryStore } from "../../stores/memory/memory-store.ts";
import type { RunRow } from "./board-data.ts";
import type { BoardRun } from "./board-runs.ts";
import { rowCache } from "./row-cache.ts";

/** The rows of one run, how many follow its history, and a way to tell them that it has changed. */
function oneRun() {
  const store = memoryStore();
  const followers = new Set<() => void>();
  const stream: BoardRun = { key: "a", id: { kind: "session", name: "a" }, area: { ...store, area: "" } };
  const rows = rowCache(
    {
      streams: async () => new Map([["a", stream]]),
      newest: async () => undefined,
      follow: async (changed) => {
        const follower = () => changed([stream]);
        followers.add(follower);
        return () => void followers.delete(follower);
      },
      row: async () => ({ key: "a" }) as RunRow, // only that there is one counts
      definitions: async () => "",
      whole: () => true,
      changed: () => undefined,
      report: (fault) => expect.fail(String(fault)),
    },
    () => new Date(),
  );
  return { rows, followers, hint: () => [...followers].map((changed) => changed()) };
}

test("histories are followed while requests come, and not after closing", async () => {
  const { rows, followers } = oneRun();
  expect(await rows.all()).toHaveLength(1);
  expect(followers.size).toBe(1);
  rows.close();
  await vi.waitFor(() => expect(followers.size).toBe(0));
  expect(await rows.all()).toHaveLength(1);
  await vi.waitFor(() => expect(followers.size).toBe(0));
});

test("half a minute after the last page was closed nothing is followed and no timer is left", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { rows, followers } = oneRun();
  const leave = rows.listen({ hear: () => undefined, end: () => undefined });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(followers.size).toBe(1);
  leave();
  await vi.advanceTimersByTimeAsync(31_000);
  expect([followers.size, vi.getTimerCount()]).toEqual([0, 0]);
});

test("a history has one timer, however often it changes", async () => {
  const { rows, hint } = oneRun();
  await rows.all();
  const timers = vi.spyOn(globalThis, "setTimeout");
  for (let hints = 0; hints < 100; hints++) hint();
  expect(timers).toHaveBeenCalledTimes(1);
  timers.mockRestore();
  rows.close();
});
