import { expect, test } from "vitest";
import { once } from "./once.ts";

test("what was found out is not looked for again; whoever asks meanwhile waits for the same", async () => {
  let looked = 0;
  const find = once(async () => ++looked);
  expect(await Promise.all([find(), find()])).toEqual([1, 1]);
  expect(await find()).toBe(1);
});

test("what failed is not remembered: the next to ask looks again", async () => {
  let looked = 0;
  const find = once(async () => {
    if (++looked === 1) throw new Error("Not just now.");
    return looked;
  });
  await expect(Promise.all([find(), find()])).rejects.toThrow("Not just now.");
  expect(await find()).toBe(2);
});

test("a fault before anything is waited for is not remembered either", async () => {
  let looked = 0;
  const find = once(() => {
    if (++looked === 1) throw new Error("Not just now.");
    return Promise.resolve(looked);
  });
  await expect(find()).rejects.toThrow("Not just now.");
  expect(await find()).toBe(2);
});
