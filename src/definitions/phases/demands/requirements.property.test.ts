import fc from "fast-check";
import { expect, test } from "vitest";
import { blocksOf } from "../markdown/blocks.ts";
import { parseMarkdown } from "../markdown/markdown.ts";
import { phaseSections } from "../markdown/sections.ts";
import { documentGate } from "./requirements.ts";

const words = fc.constantFrom(
  "must provide",
  "required:",
  "evidence:",
  "checkpoint:",
  "`a_count`",
  "**B list**",
  "c_flag",
  "at least 3",
  "one of",
  "optional",
  "# Phase 1: A",
  "## Phase 2 - B",
  "## Validation Gate",
  "- [ ] ",
  "- ",
  "1. ",
  "| Evidence | Type |",
  "|---|---|",
  "| `d` | integer |",
  "**Human Approval**: REQUIRED",
  "\n",
  "\n\n",
  "```",
  "~~~",
  "<!--",
  "-->",
  "> ",
  "    ",
  "\t",
  "🛑",
  "between 1 and",
  "__proto__",
  "`",
  "**",
  "(",
  ")",
  "---\n",
);
const markdown = fc.oneof(
  fc.array(words, { maxLength: 60 }).map((parts) => parts.join(" ")),
  fc.array(words, { maxLength: 60 }).map((parts) => parts.join("\n")),
  fc.string({ unit: "binary", maxLength: 300 }),
);

test("no Markdown makes the reader throw", () => {
  fc.assert(
    fc.property(markdown, (text) => {
      const document = parseMarkdown(text);
      if ("unusable" in document) return;
      for (const { field, source } of documentGate(blocksOf(document.tree.children), "x.md").gate.requirements) {
        expect(field).not.toBe("");
        expect(source?.line).toBeGreaterThan(0);
      }
      phaseSections(document);
    }),
    { numRuns: 400 },
  );
});

test("nothing in a fence or comment is ever asked for", () => {
  fc.assert(
    fc.property(markdown, fc.constantFrom("```", "~~~", "```json"), (text, fence) => {
      const inside = text.replaceAll(/[`~]{3,}|-->|<!--/g, "").replaceAll(/\n---\n/g, "\n");
      const fenced = `${fence}\n${inside}\n${fence.slice(0, 3)}\n\n<!--\n${inside.replaceAll(/\n{2,}/g, "\n")}\n-->\n`;
      const document = parseMarkdown(fenced);
      if ("unusable" in document) return;
      expect(documentGate(blocksOf(document.tree.children), "x.md").gate).toMatchObject({
        requirements: [],
        approval: false,
      });
    }),
    { numRuns: 300 },
  );
});

test("texts that would take the parser minutes are refused before it sees them", () => {
  for (const text of ["*a_".repeat(20_000), `${"- ".repeat(5_000)}x`, ">".repeat(20_000), "[".repeat(50_000)]) {
    expect(parseMarkdown(text)).toEqual({ unusable: expect.stringMatching(/more marks than|nested too deep/) });
  }
  expect(parseMarkdown(`${"- ".repeat(40)}\n\n${"*".repeat(200)}\n`)).not.toHaveProperty("unusable");
});
