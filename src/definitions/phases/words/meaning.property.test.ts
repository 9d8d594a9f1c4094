import fc from "fast-check";
import { expect, test } from "vitest";
import { findGaps } from "../../../gates/judge-evidence.ts";
import { type Meaning, meaningOf } from "./meaning.ts";

function read(text: string): Meaning {
  return meaningOf({ text, marks: [] }, { field: "f", isBox: false, isField: () => false });
}

function opens(meaning: Meaning, value: number): boolean {
  if ("unclear" in meaning) return false;
  const { type, rules, required = true } = meaning;
  const gate = { requirements: [{ field: "f", type, required, description: "", rules }], comparisons: [] };
  return findGaps({ ...gate, examples: {}, rulesHold: false, approval: false }, { f: value }).length === 0;
}

/** Every way to say a limit, with what it lets through. */
const limits: readonly (readonly [string, (value: number, limit: number) => boolean])[] = [
  ...["at least N", "no fewer than N", "not less than N", "minimum N", ">= N", "N or more", "not below N"].map(
    (words) => [words, (value: number, limit: number) => value >= limit] as const,
  ),
  ...["more than N", "greater than N", "above N", "> N", "exceeding N"].map(
    (words) => [words, (value: number, limit: number) => value > limit] as const,
  ),
  ...["at most N", "no more than N", "not more than N", "up to N", "maximum N", "<= N", "not exceeding N"].map(
    (words) => [words, (value: number, limit: number) => value <= limit] as const,
  ),
  ...["less than N", "fewer than N", "below N", "under N", "< N"].map(
    (words) => [words, (value: number, limit: number) => value < limit] as const,
  ),
  ...["exactly N", "must be N"].map((words) => [words, (value: number, limit: number) => value === limit] as const),
  ...["other than N", "not N", "must not be N"].map(
    (words) => [words, (value: number, limit: number) => value !== limit] as const,
  ),
];
const leads = ["", "must be ", "which must be ", "of ", "it is ", "a value ", "each ", "the old one was ", "if it is "];
const tails = ["", " of them", " per branch", " unless agreed", " and no other", " in all", " or nothing", " cases"];

test("whatever limit is put behind a field, in whatever words, the gate enforces it or is closed", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...limits),
      fc.constantFrom(...leads),
      fc.constantFrom(...tails),
      fc.integer({ min: 0, max: 20 }),
      fc.integer({ min: -3, max: 25 }),
      ([words, keeps], lead, tail, limit, value) => {
        const meaning = read(`: integer, ${lead}${words.replace("N", String(limit))}${tail}`);
        if (!("unclear" in meaning)) expect(opens(meaning, value)).toBe(keeps(value, limit));
      },
    ),
    { numRuns: 3_000 },
  );
});

test("every way to say a limit is understood by itself", () => {
  for (const [words] of limits)
    expect(read(`: integer, ${words.replace("N", "7")}`), words).not.toHaveProperty("unclear");
});

test("a word behind a limit that the field does not name closes the gate, in whatever words the limit is said", () => {
  const tails = [
    " million",
    " dozen",
    " thirds",
    " (million)",
    " (exclusive)",
    ", exclusive",
    " xyzzies",
    "-fold",
    " €",
    ".000",
  ];
  for (const [words] of limits)
    for (const tail of tails)
      expect(read(`: integer, ${words.replace("N", "7")}${tail}`), words + tail).toHaveProperty("unclear");
});

test("words that may be half of a rule close the gate, wherever they stand", () => {
  const plain = "files that were read by hand in the old module".split(" ");
  const alarming = fc.constantFrom(
    ..."must should not never without than more less least most before unless if only 7 twice between exceed cannot".split(
      " ",
    ),
  );
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...plain), { maxLength: 5 }),
      alarming,
      fc.array(fc.constantFrom(...plain), { minLength: 1, maxLength: 5 }),
      (before, word, after) => {
        const meaning = read(`: integer, ${[...before, word, ...after].join(" ")}`);
        // "not read": a word that a rule is made of may make one; then it is enforced, and not lost.
        if (!("unclear" in meaning)) expect(meaning.rules.length).toBeGreaterThan(0);
      },
    ),
    { numRuns: 2_000 },
  );
});

test("what may be a choice, and does not say so, closes the gate", () => {
  for (const words of ["yes/no", "low, medium or high", "yes or no", "one of the three colours"])
    expect(read(`: ${words}`), words).toHaveProperty("unclear");
});

test("hedges and remarks are never rules, and plain words change nothing", () => {
  for (const words of [
    "ideally at least 5",
    "usually between 2 and 4",
    "more than 3 is suspicious",
    "3 is typical",
    "e.g. 3",
    "for example 12",
    "sorted by name",
  ])
    expect(read(`: integer, ${words}`), words).toMatchObject({ type: "integer", rules: [] });
});

test("whatever is written behind a field, reading it never throws", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (text) => {
      expect(read(text)).toBeDefined();
    }),
    { numRuns: 1_000 },
  );
});
