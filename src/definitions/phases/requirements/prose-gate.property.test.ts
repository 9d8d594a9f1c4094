import fc from "fast-check";
import { expect, test } from "vitest";
import { wholeOr } from "../../../../test/whole.ts";
import { findGaps } from "../../../gates/judge-evidence.ts";
import { parseMarkdown } from "../markdown/markdown.ts";
import { phaseGate } from "../phase-gate.ts";
import { phasesIn } from "../single-file.ts";
import { proseGate } from "./prose-gate.ts";

const place = { path: "/w.md", file: "w.md", source: "w.md" };

function read(text: string) {
  const document = parseMarkdown(text);
  if ("unusable" in document) throw new Error(document.unusable);
  return proseGate([{ nodes: document.tree.children, path: "/w.md", file: "w.md" }]);
}

const word = fc.constantFrom(
  ...["tests", "at least", "3", "`cov`", "must", "be", "**Evidence:**", "not", "one of", "a, b", "approved", "by Dana"],
  ...[
    "(integer)",
    "optional",
    "or",
    "80%",
    "`a` and `b`",
    "if any",
    "list of files",
    "must provide",
    ":",
    '"x"',
    "| |",
  ],
);
const line = fc
  .tuple(
    fc.constantFrom("- ", "- [ ] ", "1. ", "", "> ", "### ", "| ", "  - "),
    fc.array(word, { minLength: 1, maxLength: 7 }),
  )
  .map(([mark, words]) => mark + words.join(" "));
const pages = fc.array(line, { maxLength: 9 }).map((lines) => `## Exit criteria\n\n${lines.join("\n")}\n`);

test("each line that asks is echoed exactly once, whatever Markdown a page holds", () => {
  fc.assert(
    fc.property(pages, (text) => {
      const { gate, lines } = read(text);
      const asking = lines.filter(({ requirement }) => requirement !== undefined);
      expect(gate.requirements.length).toBeLessThanOrEqual(asking.length);
      // Every requirement of the gate comes from a line that is echoed.
      for (const { source } of gate.requirements) expect(asking.some((one) => one.line === source?.line)).toBe(true);
      const echoes = lines.map((one) => JSON.stringify([one.line, one.kind, one.requirement?.field]));
      const twice = lines.filter(
        ({ kind, requirement }, at) =>
          (requirement === undefined || kind === "not read") && echoes.indexOf(echoes[at] ?? "") !== at,
      );
      expect(twice, text).toEqual([]);
    }),
    { numRuns: wholeOr(500, 120) },
  );
});

/** A request that cannot be read as anything else, in each place where Waymark looks. */
const places: readonly (readonly [place: string, page: (name: string) => string])[] = [
  ["a list", (name) => `## Exit criteria\n\n- \`${name}\`: text\n`],
  ["a nested list", (name) => `## Exit criteria\n\n- papers\n  - \`${name}\`: text\n`],
  ["a checkbox", (name) => `- [ ] \`${name}\` is there\n`],
  ["a paragraph", (name) => `## Evidence\n\n\`${name}\` as a text.\n`],
  ["a label", (name) => `Hand in: \`${name}\`\n`],
  ["a label above a list", (name) => `When you are finished, report:\n\n- \`${name}\`\n`],
  ["a table", (name) => `| What | Notes |\n|---|---|\n| \`${name}\` | as it is |\n`],
  ["a sentence", (name) => `You must provide \`${name}\`.\n`],
  ["an end", (name) => `Done when \`${name}\` is in the book.\n`],
];

test.each(places)("what %s asks for is echoed exactly once, whatever is around it", (_, page) => {
  const around = fc.array(line, { maxLength: 4 }).map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(around, around, (before, after) => {
      const text = `${before}\n\n## Next\n\n${page("own_name")}\n## Last\n\n${after}\n`;
      const echoed = read(text).lines.filter(({ requirement }) => requirement?.field === "own_name");
      expect(echoed.length, text).toBe(1);
    }),
    { numRuns: wholeOr(100, 40) },
  );
});

test("adding prose to a page never removes a requirement", () => {
  const prose = fc
    .array(fc.constantFrom("We", "often", "find", "that", "tests", "help", "more", "than", "3", "people"), {
      minLength: 3,
    })
    .map((words) => `\n\n${words.join(" ")}.\n`);
  fc.assert(
    fc.property(pages, prose, (text, added) => {
      const fields = read(text).gate.requirements.map(({ field }) => field);
      const after = read(`${text}\n## Background${added}`).gate.requirements.map(({ field }) => field);
      expect(after).toEqual(expect.arrayContaining(fields));
    }),
    { numRuns: wholeOr(300, 80) },
  );
});

test("no value that an author's example shows is refused", () => {
  const value = fc.oneof(
    fc.integer(),
    fc.boolean(),
    fc.constantFrom("a", "green", "5"),
    fc.array(fc.integer(), { minLength: 1 }),
  );
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), value, (words, shown) => {
      const text = `## Evidence\n\n- \`cov\`: ${words.join(" ")}\n\nExample:\n\n\`\`\`json\n${JSON.stringify({ cov: shown })}\n\`\`\`\n`;
      const { gate } = read(text);
      const own = gate.requirements.filter(({ field }) => field === "cov");
      expect(findGaps({ ...gate, requirements: own, comparisons: [] }, { cov: shown })).toEqual([]);
    }),
    { numRuns: wholeOr(500, 120) },
  );
});

test("every page starts, and no phase holds the words of a later one that are not before it", () => {
  fc.assert(
    fc.property(pages, (text) => {
      const document = parseMarkdown(
        `# W\n\nIntro.\n\n## Phase 1: A\n\n${text}\n## Phase 2: SENTINEL\n\nSECRET \`secret_field\`\n`,
      );
      if ("unusable" in document) throw new Error(document.unusable);
      const { phases, complaints } = phasesIn(document, place, ({ nodes }, _, at) => phaseGate(nodes, at));
      expect(complaints.filter(({ closes }) => closes)).toEqual([]);
      expect(JSON.stringify(phases[0])).not.toMatch(/SENTINEL|SECRET|secret_field/);
    }),
    { numRuns: wholeOr(200, 60) },
  );
});
