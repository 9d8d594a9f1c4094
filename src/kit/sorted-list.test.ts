import fc from "fast-check";
import { expect, test } from "vitest";
import { sortedList } from "./sorted-list.ts";

test("a list is in order whatever was added and removed, one by one or many at once", () => {
  const change = fc.oneof(
    fc.record({ add: fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 120 }) }),
    fc.record({ remove: fc.integer({ min: 0, max: 30 }) }),
  );
  fc.assert(
    fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
      const list = sortedList<number>();
      const expected: number[] = [];
      for (const one of changes) {
        if ("add" in one) for (const value of one.add) list.add(value);
        else list.remove(one.remove);
        if ("add" in one) expected.push(...one.add);
        else if (expected.includes(one.remove)) expected.splice(expected.indexOf(one.remove), 1);
        if ("remove" in one) expect(list.values()).toEqual(expected.toSorted((a, b) => a - b));
      }
      expect(list.values()).toEqual(expected.toSorted((a, b) => a - b));
    }),
    { numRuns: 100 },
  );
});
