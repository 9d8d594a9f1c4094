import { expect, test } from "vitest";
import type { StaleProof } from "../../engine/ports/checks.ts";
import { memoryStore } from "../../stores/memory/memory-store.ts";
import type { BoardRun } from "./board-runs.ts";
import { mostRemembered, staleCache } from "./stale-cache.ts";

const area = { ...memoryStore(), area: "" };
const run = (key: string): BoardRun => ({ key, id: { kind: "session", name: key }, area });
const proof = {} as StaleProof; // only how many there are counts

/** Finds one proof at the first look at a run, and nothing in time at any later one. */
function slowAfterFirst() {
  const looked = new Set<string>();
  return staleCache(({ key }) => {
    if (looked.has(key)) return new Promise(() => undefined);
    looked.add(key);
    return Promise.resolve([proof]);
  }, 20);
}

test("a slow search returns the last result", async () => {
  const stale = slowAfterFirst();
  expect(await stale.get(run("a"))).toEqual([proof]);
  expect(await stale.get(run("a"))).toEqual([proof]);
});

test("results are kept for the latest runs, and for none after closing", async () => {
  const stale = slowAfterFirst();
  const names = Array.from({ length: mostRemembered + 1 }, (_, at) => `run ${at}`);
  for (const name of names) await stale.get(run(name));
  expect(await stale.get(run("run 0"))).toEqual([]);
  expect(await stale.get(run("run 1"))).toEqual([proof]);
  stale.close();
  expect(await stale.get(run("run 1"))).toEqual([]);
});

test("a failed search returns nothing", async () => {
  const stale = staleCache(() => Promise.reject(new Error("It cannot be read.")));
  expect(await stale.get(run("a"))).toEqual([]);
});
