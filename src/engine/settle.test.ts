import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { memoryStore } from "../stores/memory/memory-store.ts";
import { createEngine } from "./engine.ts";
import { partsWith } from "./engine-parts.testing.ts";
import type { EventLog } from "./ports.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An engine whose disk is full until it is freed: everything waits in memory. */
function onFullDisk() {
  const store = memoryStore();
  const inner = store.log;
  let [isFull, held] = [true, 0];
  const log: EventLog = {
    ...inner,
    look: async (id) => {
      const caughtUp = !isFull && held > 0;
      if (caughtUp) held = 0;
      return { ...(await inner.look(id)), ...(caughtUp ? { warnings: ["a conflict while catching up"] } : {}) };
    },
    append: async (...args: Parameters<typeof inner.append>) => {
      if (isFull) held += 1;
      return inner.append(...args);
    },
    owes: () => held > 0,
  };
  const engine = createEngine(partsWith({ ...store, log }));
  return {
    engine,
    owes: () => held > 0,
    free() {
      isFull = false;
    },
  };
}

it("what waits in memory is written as soon as that works, asked or not; what came out is told to the next caller", async () => {
  const { engine, owes, free } = onFullDisk();
  await engine.open({ id: "a" }, {});
  expect(owes()).toBe(true);
  await vi.advanceTimersByTimeAsync(3000);
  expect(owes()).toBe(true);
  free();
  await vi.advanceTimersByTimeAsync(1100);
  expect(owes()).toBe(false);
  const session = { id: "b" };
  expect((await engine.open(session, {})).warnings).toContain("a conflict while catching up");
  expect((await engine.open(session, {})).warnings).toEqual([]);
});

it("a server that leaves writes what waits, and says what is lost with it", async () => {
  const { engine, owes, free } = onFullDisk();
  await engine.open({ id: "a" }, {});
  free();
  expect(await engine.settle()).toEqual(["a conflict while catching up"]);
  expect(owes()).toBe(false);
  expect(await engine.settle()).toEqual([]);
});

it("what was found out is said with the first answer that leaves: a call that fails has told nobody", async () => {
  const { log, ...store } = memoryStore();
  let isAway = false;
  const look: EventLog["look"] = (id) => (isAway ? Promise.reject(new Error("The store is away.")) : log.look(id));
  const engine = createEngine(partsWith({ ...store, log: { ...log, look } }), ["something was lost"]);
  isAway = true;
  await expect(engine.open({ id: "a" }, {})).rejects.toThrow("The store is away.");
  isAway = false;
  expect((await engine.open({ id: "a" }, {})).warnings).toContain("something was lost");
  expect((await engine.open({ id: "a" }, {})).warnings).toEqual([]);
});
