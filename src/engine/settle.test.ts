import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { memoryStore } from "../stores/memory/memory-store.ts";
import { createEngine } from "./engine.ts";
import { engineDepsWith } from "./engine-deps.testing.ts";
import type { EventLog } from "./ports/event-log.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An engine whose disk is full until it is freed: everything waits in memory. */
function onFullDisk() {
  const store = memoryStore();
  const inner = store.log;
  let [isFull, held] = [true, 0];
  const log: EventLog = {
    ...inner,
    load: async (id) => {
      const caughtUp = !isFull && held > 0;
      if (caughtUp) held = 0;
      return { ...(await inner.load(id)), ...(caughtUp ? { warnings: ["a conflict while catching up"] } : {}) };
    },
    append: async (...args: Parameters<typeof inner.append>) => {
      if (isFull) held += 1;
      return inner.append(...args);
    },
    hasUnwritten: () => held > 0,
  };
  const engine = createEngine(engineDepsWith({ ...store, log }));
  return {
    engine,
    hasUnwritten: () => held > 0,
    free() {
      isFull = false;
    },
  };
}

it("what waits in memory is written as soon as possible, and the next caller gets the warnings", async () => {
  const { engine, hasUnwritten, free } = onFullDisk();
  await engine.open({ id: "a" }, {});
  expect(hasUnwritten()).toBe(true);
  await vi.advanceTimersByTimeAsync(3000);
  expect(hasUnwritten()).toBe(true);
  free();
  await vi.advanceTimersByTimeAsync(1100);
  expect(hasUnwritten()).toBe(false);
  const session = { id: "b" };
  expect((await engine.open(session, {})).warnings).toContain("a conflict while catching up");
  expect((await engine.open(session, {})).warnings).toEqual([]);
});

it("a server that leaves writes what waits, and says what is lost with it", async () => {
  const { engine, hasUnwritten, free } = onFullDisk();
  await engine.open({ id: "a" }, {});
  free();
  expect(await engine.settle()).toEqual(["a conflict while catching up"]);
  expect(hasUnwritten()).toBe(false);
  expect(await engine.settle()).toEqual([]);
});

it("a notice is delivered with the first reply that leaves: a call that fails delivers none", async () => {
  const { log, ...store } = memoryStore();
  let isAway = false;
  const look: EventLog["load"] = (id) => (isAway ? Promise.reject(new Error("The store is away.")) : log.load(id));
  const engine = createEngine(engineDepsWith({ ...store, log: { ...log, load: look } }), ["something was lost"]);
  isAway = true;
  await expect(engine.open({ id: "a" }, {})).rejects.toThrow("The store is away.");
  isAway = false;
  expect((await engine.open({ id: "a" }, {})).warnings).toContain("something was lost");
  expect((await engine.open({ id: "a" }, {})).warnings).toEqual([]);
});

it("an engine may be let go only when nothing is under way, waits to be written or to be said", async () => {
  const { engine, free } = onFullDisk();
  expect(engine.isIdle()).toBe(true);
  const opening = engine.open({ id: "a" }, {});
  expect(engine.isIdle()).toBe(false);
  await opening;
  expect(engine.isIdle()).toBe(false);
  free();
  await vi.advanceTimersByTimeAsync(1100);
  expect(engine.pendingNotices()).toHaveLength(1);
  expect(engine.isIdle()).toBe(false);
  engine.takeNotices();
  expect(engine.isIdle()).toBe(true);
});
