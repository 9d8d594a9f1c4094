import { expect, test } from "vitest";
import type { StaleProof } from "../../engine/ports.ts";
import { memoryStore } from "../../stores/memory/memory-store.ts";
import type { BoardDesk } from "./desks.ts";
import { mostRemembered, staleLater } from "./stale-later.ts";

const area = { ...memoryStore(), area: "" };
const run = (key: string): BoardDesk => ({ key, id: { kind: "session", name: key }, area });
const proof = {} as StaleProof; // only how many there are counts

/** Finds one proof at the first look at a run, and nothing in time at any later one. */
function slowAfterFirst() {
  const looked = new Set<string>();
  return staleLater(({ key }) => {
    if (looked.has(key)) return new Promise(() => undefined);
    looked.add(key);
    return Promise.resolve([proof]);
  }, 20);
}

test("where finding out takes long, what was found last is told", async () => {
  const stale = slowAfterFirst();
  expect(await stale.of(run("a"))).toEqual([proof]);
  expect(await stale.of(run("a"))).toEqual([proof]);
});

test("what was found last is remembered of the runs that were looked at last, and of none once it is closed", async () => {
  const stale = slowAfterFirst();
  const names = Array.from({ length: mostRemembered + 1 }, (_, at) => `run ${at}`);
  for (const name of names) await stale.of(run(name));
  expect(await stale.of(run("run 0"))).toEqual([]);
  expect(await stale.of(run("run 1"))).toEqual([proof]);
  stale.close();
  expect(await stale.of(run("run 1"))).toEqual([]);
});

test("what cannot be found out is told as nothing", async () => {
  const stale = staleLater(() => Promise.reject(new Error("It cannot be read.")));
  expect(await stale.of(run("a"))).toEqual([]);
});
