import { setTimeout as wait } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { memoryStore } from "../../stores/memory/memory-store.ts";
import { startedExample } from "../../testing/example-events.ts";
import { auditCache } from "./audit-cache.ts";
import type { BoardRun } from "./board-runs.ts";

afterEach(() => void vi.restoreAllMocks());

const project = { approvers: async () => [], runners: async () => [] };

/** A history of one record that takes a while to be read, and how often it was. */
async function slowHistory(key = "a") {
  const store = memoryStore();
  const stream: BoardRun = { key, id: { kind: "session", name: key }, area: { ...store, area: "" } };
  await store.log.append(stream.id, 0, [startedExample(1)], { onFault: "refuse" });
  const count = { read: 0 };
  const { audit } = store.log;
  store.log.audit = async (id) => {
    count.read++;
    await wait(30);
    return audit(id);
  };
  return { desk: stream, count };
}

test("a history that keeps changing has one timer and is audited once", async () => {
  const { desk: stream, count } = await slowHistory();
  const audited = auditCache(project, () => undefined);
  await audited.again([stream]);
  const timers = vi.spyOn(globalThis, "setTimeout");
  for (let hints = 0; hints < 100; hints++) audited.touch(stream);
  expect(timers).toHaveBeenCalledTimes(1);
  await vi.waitFor(() => expect(count.read).toBe(2), { timeout: 60_000 });
  audited.close();
});

test("nothing is audited after closing, even if it was due", async () => {
  const { desk: stream, count } = await slowHistory();
  const audited = auditCache(project, () => undefined);
  await audited.again([stream]);
  audited.touch(stream);
  audited.close();
  audited.touch(stream);
  await wait(600);
  expect(count.read).toBe(1);
});

test("nothing is remembered of a run that is gone", async () => {
  const [one, other] = [await slowHistory("one"), await slowHistory("other")];
  const audited = auditCache(project, () => undefined);
  await audited.again([one.desk, other.desk]);
  expect(audited.whole(2)).toBe(true);
  audited.retain(new Set(["one"]));
  expect([audited.whole(1), audited.whole(2)]).toEqual([true, null]);
  audited.close();
});
