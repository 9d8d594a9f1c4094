import fc from "fast-check";
import { expect, it } from "vitest";
import { indexOf } from "./records.testing.ts";
import { unitWidth } from "./units.ts";

const word = fc.constantFrom("gate", "step", "phase", "evidence", "run", "desk", "parse_gate");
const text = fc
  .array(fc.oneof(word, fc.constantFrom("\n\n## Part\n\n", "\n\n")), { maxLength: 40 })
  .map((parts) => parts.join(" "));

it("every term leads to exactly the units that hold it", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 6 }), async (texts) => {
      const { index, records, words } = await indexOf(Object.fromEntries(texts.map((text, at) => [`${at}.md`, text])));
      const expected = new Map<string, string[]>();
      records.forEach(({ units, terms, counts }, document) => {
        let at = 0;
        for (let unit = 0; unit * unitWidth < units.length; unit++)
          for (; at < (units[unit * unitWidth] ?? 0); at++) {
            const term = words.words[terms[at] ?? 0] ?? "";
            expected.set(term, [...(expected.get(term) ?? []), `${document} ${unit} ${counts[at]}`]);
          }
      });
      const found = words.words.map((term, number): [string, string[]] => [
        term,
        Array.from(index.units.subarray(index.starts[number], index.starts[number + 1]), (unit, at) => {
          const document = index.documentOf[unit] ?? 0;
          const count = index.counts[(index.starts[number] ?? 0) + at];
          return `${document} ${unit - (index.firstUnits[document] ?? 0)} ${count}`;
        }),
      ]);
      expect(new Map(found.filter(([, units]) => units.length > 0))).toEqual(expected);
    }),
    { numRuns: 40 },
  );
});
