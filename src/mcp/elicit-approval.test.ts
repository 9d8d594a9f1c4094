import { expect, it } from "vitest";
import { patienceOf } from "./elicit-approval.ts";

it("a person is waited for 45 s, less what the call took before they are asked: it takes 50 s in all", () => {
  let now = 1_000;
  const patience = patienceOf(45_000, () => now);
  expect(patience()).toBe(45_000);
  now += 5_000;
  expect(patience()).toBe(45_000);
  now += 15_000; // checks were waited for
  expect(patience()).toBe(30_000);
  now += 30_000;
  expect(patience()).toBeLessThanOrEqual(0);
});
