import fc from "fast-check";
import { expect, it } from "vitest";
import { wholeOr } from "../../../test/whole.ts";
import { parseDocument } from "./document.ts";
import { frontMatterOf } from "./document-head.ts";

const shown = (text: string) =>
  parseDocument(text).chunks.map(({ section, start, end }) => [section.join(" > "), text.slice(start, end).trim()]);

it("a chunk knows the headings above it", () => {
  const text = "# Guide\n\nIntro.\n\n## Setup\n\nFirst.\n\n### Linux\n\nApt.\n\n## Use\n\nThen.\n";
  expect(shown(text)).toEqual([
    ["Guide", "# Guide\n\nIntro."],
    ["Guide > Setup", "## Setup\n\nFirst."],
    ["Guide > Setup > Linux", "### Linux\n\nApt."],
    ["Guide > Use", "## Use\n\nThen."],
  ]);
});

it("a heading with nothing under it goes with what follows", () => {
  expect(shown("# Guide\n\n## Setup\n\n### Linux\n\nApt.\n")).toEqual([
    ["Guide > Setup > Linux", "# Guide\n\n## Setup\n\n### Linux\n\nApt."],
  ]);
});

it("headings may be underlined, and a rule under a list or a table is none", () => {
  expect(shown("Title\n=====\n\nA.\n\nPart\n---\n\nB.\n\n- item\n---\n\nC.\n").map(([section]) => section)).toEqual([
    "Title",
    "Title > Part",
  ]);
});

it("a fence is kept whole with any content", () => {
  const fence = `\`\`\`md\n# no heading\n\n${"line of code\n\n".repeat(300)}~~~\n\`\`\`\``;
  const chunks = shown(`# A\n\nBefore.\n\n${fence}\n\nAfter.\n`);
  expect(chunks.filter(([, text]) => text?.includes("line of code"))).toHaveLength(1);
  expect(chunks.find(([, text]) => text?.includes("line of code"))?.[1]).toContain(fence);
  expect(chunks.every(([section]) => section === "A")).toBe(true);
});

it("a table is kept whole", () => {
  const table = `| a | b |\n|---|---|\n${"| some cell | another cell |\n".repeat(200)}`.trim();
  expect(
    shown(`# A\n\n${"Words before. ".repeat(90)}\n\n${table}\n\nAfter.`).filter(([, text]) => text?.includes(table)),
  ).toHaveLength(1);
});

it("a long section is cut between paragraphs", () => {
  const chunks = shown(`# A\n\n${"A sentence of some length that fills the page.\n\n".repeat(120)}`);
  expect(chunks.length).toBeGreaterThan(3);
  for (const [, text] of chunks) expect(text?.length).toBeLessThan(1700);
});

it("lines are those of the file, front matter and Windows line ends included", () => {
  const text = "---\r\ntitle: T\r\n---\r\n\r\n# A\r\n\r\nOne.\r\n\r\n## B\r\n\r\nTwo.\r\nThree.\r\n\r\n";
  expect(parseDocument(text).chunks.map(({ firstLine, lastLine }) => [firstLine, lastLine])).toEqual([
    [4, 7],
    [9, 12],
  ]);
});

const line = fc.oneof(
  fc.constantFrom(
    "",
    "  ",
    "# H",
    "## H two",
    "###### deep",
    "```",
    "~~~~",
    "```js",
    "---",
    "===",
    "| a |",
    "|---|",
    "- x",
  ),
  fc.constantFrom("    indented", "> quote", "1. item", "…", "title: x", "workflow: [", "\uFEFF", "\r"),
  fc.string({ unit: "grapheme", maxLength: 30 }),
);

it("front matter and chunks cover every text: nothing is dropped, nothing is there twice", () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60 }), fc.constantFrom("\n", "\r\n"), (lines, newline) => {
      const text = lines.join(newline);
      const { chunks } = parseDocument(text);
      const { end } = frontMatterOf(text);
      expect(text.slice(0, end) + chunks.map((chunk) => text.slice(chunk.start, chunk.end)).join("")).toBe(text);
      let after = 0;
      for (const { firstLine, lastLine, start } of chunks) {
        expect(firstLine).toBe(text.slice(0, start).split("\n").length);
        expect(firstLine).toBeGreaterThan(after);
        expect(lastLine).toBeGreaterThanOrEqual(firstLine);
        after = lastLine;
      }
    }),
    { numRuns: wholeOr(300, 80) },
  );
});

it("a list of questions is its own chunk", () => {
  const text =
    "# A\n\nIntro.\n\n## Questions This Answers\n\n1. How do I start?\n2. **When** to stop?\n\n## Use\n\nThen.\n";
  const { chunks, questions } = parseDocument(text);
  expect(chunks.map(({ asks }) => asks)).toEqual([false, true, false]);
  expect(questions).toEqual(["How do I start?", "When to stop?"]);
});
