import fc from "fast-check";
import { expect, test } from "vitest";
import { byNeed } from "../overview/by-need.ts";
import { countByCondition } from "../overview/conditions.ts";
import type { RunRow } from "../overview/run-row-data.ts";
import { type Entry, keptRows } from "./kept-rows.ts";

test("counts and order are those of the rows, whatever changed or went", () => {
  const row = fc.record({
    stands: fc.constantFrom("waits", "stuck", "working", "quiet", "finished", "archived"),
    changed: fc.constantFrom("1", "2", "3"),
    workflow: fc.constantFrom("one", "two"),
    records: fc.nat(9),
    now: fc.option(fc.record({ waitingSince: fc.constantFrom(undefined, "1", "2", "3") }), { nil: undefined }),
    itemOf: fc.constantFrom(undefined, undefined, "parent"),
  });
  const change = fc.record({ key: fc.constantFrom("a", "b", "c", "d"), row: fc.option(row) });
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const entries = new Map<string, Entry>();
      const kept = keptRows(entries);
      for (const { key, row } of changes) {
        const known = entries.get(key) ?? ({ stream: { key }, row: undefined, changes: 0, isSent: false } as Entry);
        if (row === null) kept.remove(key);
        else kept.put(entries.set(key, known).get(key) ?? known, { key, ...row } as unknown as RunRow);
        const all = kept.all().map((one) => one.row);
        expect(all).toHaveLength(entries.size);
        expect(all.map((one) => one.changed)).toEqual(
          all
            .map((one) => one.changed)
            .toSorted()
            .reverse(),
        );
        const { listed, count } = kept.listed();
        const shown = all.filter(({ itemOf }) => itemOf === undefined);
        expect(count).toBe(all.length);
        expect(all.map(({ key }) => kept.row(key)?.row)).toEqual(all);
        expect(listed.counts).toEqual(countByCondition(shown));
        expect(listed.byNeed.map(({ key }) => key).sort()).toEqual(shown.map(({ key }) => key).sort());
        expect(listed.byNeed).toEqual(listed.byNeed.toSorted(byNeed));
        expect(listed.records).toBe(shown.reduce((sum, { records }) => sum + records, 0));
        expect(listed.choices.workflow).toEqual([...new Set(shown.map(({ workflow }) => workflow))].sort());
        const latest = shown
          .flatMap((one) => (one.stands === "working" ? (one.changed ?? []) : []))
          .sort()
          .at(-1);
        expect(listed.times.working).toBe(latest ?? null);
      }
    }),
    { numRuns: 50 },
  );
});
