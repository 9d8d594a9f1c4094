import { setTimeout as wait } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { memoryStore } from "../../stores/memory/memory-store.ts";
import { startedExample } from "../../testing/example-events.ts";
import { audits } from "./audits.ts";
import type { BoardDesk } from "./desks.ts";

afterEach(() => void vi.restoreAllMocks());

const project = { approvers: async () => [] };

/** A history of one record that takes a while to be read, and how often it was. */
async function slowHistory(key = "a") {
  const store = memoryStore();
  const desk: BoardDesk = { key, id: { kind: "session", name: key }, area: { ...store, area: "" } };
  await store.log.append(desk.id, 0, [startedExample(1)], { onFault: "refuse" });
  const count = { read: 0 };
  const { audit } = store.log;
  store.log.audit = async (id) => {
    count.read++;
    await wait(30);
    return audit(id);
  };
  return { desk, count };
}

test("a history that changes again and again waits for one timer, and is read again once", async () => {
  const { desk, count } = await slowHistory();
  const audited = audits(project, () => undefined);
  await audited.again([desk]);
  const timers = vi.spyOn(globalThis, "setTimeout");
  for (let hints = 0; hints < 100; hints++) audited.touch(desk);
  expect(timers).toHaveBeenCalledTimes(1);
  await vi.waitFor(() => expect(count.read).toBe(2), { timeout: 5000 });
  audited.close();
});

test("once it is closed, nothing is read any more, whatever was due", async () => {
  const { desk, count } = await slowHistory();
  const audited = audits(project, () => undefined);
  await audited.again([desk]);
  audited.touch(desk);
  audited.close();
  audited.touch(desk);
  await wait(600);
  expect(count.read).toBe(1);
});

test("of a run that is gone nothing is remembered", async () => {
  const [one, other] = [await slowHistory("one"), await slowHistory("other")];
  const audited = audits(project, () => undefined);
  await audited.again([one.desk, other.desk]);
  expect(audited.whole(["one", "other"])).toBe(true);
  audited.keep(new Set(["one"]));
  expect([audited.whole(["one"]), audited.whole(["other"])]).toEqual([true, null]);
  audited.close();
});
