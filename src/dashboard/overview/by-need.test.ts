import fc from "fast-check";
import { expect, test } from "vitest";
import { byNeed } from "./by-need.ts";
import type { RunRow } from "./run-row-data.ts";

test("the order by need is one order: what comes before something comes before all after it", () => {
  const some = fc.constantFrom(undefined, "1", "2", "3");
  const row = fc.record({
    stands: fc.constantFrom("waits", "archived"),
    changed: some,
    now: fc.option(fc.record({ blocked: fc.constantFrom(undefined, "why"), waitingSince: some }), { nil: undefined }),
  }) as unknown as fc.Arbitrary<RunRow>;
  fc.assert(
    fc.property(fc.array(row, { minLength: 3, maxLength: 8 }), (rows) => {
      const sorted = rows.toSorted(byNeed);
      for (const [at, one] of sorted.entries())
        for (const later of sorted.slice(at)) expect(byNeed(one, later)).toBeLessThanOrEqual(0);
    }),
    { numRuns: 200 },
  );
});
