import { expect, test } from "vitest";
import { recentMap } from "./recent-map.ts";

test("only the values that were used last are kept", () => {
  const map = recentMap<number>(2);
  map.set("a", 1);
  map.set("b", 2);
  expect(map.get("a")).toBe(1);
  map.set("c", 3);
  expect([...map.values()]).toEqual([1, 3]);
  expect([map.has("b"), map.get("b")]).toEqual([false, undefined]);
});

test("a value that may not go stays, and the next oldest goes", () => {
  const busy = new Set([1]);
  const map = recentMap<number>(2, (value) => !busy.has(value));
  for (const [key, value] of [
    ["a", 1],
    ["b", 2],
    ["c", 3],
  ] as const)
    map.set(key, value);
  expect([...map.values()]).toEqual([1, 3]);
  busy.clear();
  map.set("d", 4);
  expect([...map.values()]).toEqual([3, 4]);
});
