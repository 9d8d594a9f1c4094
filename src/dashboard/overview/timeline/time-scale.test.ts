import fc from "fast-check";
import { expect, test } from "vitest";
import { ticksOf, timeScale } from "./time-scale.ts";

const minute = 60_000;
const hour = 60 * minute;

test("a night in which nothing happened is folded, so that the work of both days has room", () => {
  const day = [0, 10, 20, 30, 40].map((at) => at * minute);
  const scale = timeScale([...day, ...day.map((at) => at + 14 * hour)], 800);
  expect(scale.stretches.map(({ isFolded }) => isFolded)).toEqual([false, true, false]);
  expect(scale.folded).toBe((14 * hour - 40 * minute) / 1000);
  expect(scale.x(40 * minute)).toBeGreaterThan(350);
  expect(scale.x(14 * hour) - scale.x(40 * minute)).toBeLessThan(90);
});

test("hours that are as long as all the others are not folded", () => {
  const scale = timeScale(
    [0, 2, 4, 6, 8].map((at) => at * hour),
    800,
  );
  expect(scale.folded).toBe(0);
});

test("later times are further right, all within the line; the number of marks is bounded", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(10 * 365 * 24 * hour), { minLength: 1, maxLength: 200 }), (times) => {
      const scale = timeScale(times, 600);
      const places = [...times].sort((one, other) => one - other).map(scale.x);
      for (const [at, x] of places.entries()) {
        expect(x).toBeGreaterThanOrEqual(places[at - 1] ?? 0);
        expect(x).toBeLessThanOrEqual(600.001);
      }
      expect(ticksOf(scale, 70).length).toBeLessThan(1000);
    }),
  );
});
