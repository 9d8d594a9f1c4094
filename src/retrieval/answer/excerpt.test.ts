import fc from "fast-check";
import { expect, it } from "vitest";
import { estimateTokens } from "../../kit/estimate-tokens.ts";
import { termReader } from "../text/terms.ts";
import { excerpt, shares } from "./excerpt.ts";
import { parseQuery } from "./query.ts";

const eachTerm = termReader();
const cut = (text: string, room: number, query: string, firstLine = 1) =>
  excerpt(text, firstLine, room, parseQuery(query), eachTerm);

it("a passage that fits is given whole, with its lines", () => {
  expect(cut("\n\n## A\n\nText.\n\n", 50, "text", 10)).toEqual({
    content: "## A\n\nText.",
    tokens: 3,
    lines: [12, 14],
  });
});

it("a passage that does not fit is cut around the line that says most about the query", () => {
  const lines = Array.from({ length: 40 }, (_, at) =>
    at === 25 ? "Close the gate with evidence." : `Line number ${at}.`,
  );
  const { content, lines: shown } = cut(lines.join("\n"), 40, "evidence for a gate", 1);
  expect(content).toContain("Close the gate with evidence.");
  expect(content.startsWith("…\n")).toBe(true);
  expect(content.endsWith("\n…")).toBe(true);
  expect(shown[0]).toBeGreaterThan(1);
  expect(shown[1]).toBeLessThan(40);
});

it("a line that is too long is cut around the words of the query", () => {
  const { content } = cut(`${"word ".repeat(500)}needle ${"word ".repeat(500)}`, 30, "needle");
  expect(content).toContain("needle");
});

it("an excerpt costs no more than its room, and parts no character", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "grapheme", maxLength: 80 }), { maxLength: 30 }),
      fc.integer({ min: 8, max: 120 }),
      fc.string({ maxLength: 10 }),
      (lines, room, query) => {
        const { content, tokens } = cut(lines.join("\n"), room, query);
        expect(tokens).toBe(estimateTokens(content));
        expect(tokens).toBeLessThanOrEqual(room);
        expect(Buffer.from(content).toString()).toBe(content);
      },
    ),
  );
});

it("a budget is shared evenly, and what one leaves goes to the others in their order", () => {
  expect(shares([100, 500, 500], 600)).toEqual([100, 300, 200]);
  expect(shares([500, 500, 500], 600)).toEqual([200, 200, 200]);
  expect(shares([10, 10], 600)).toEqual([10, 10]);
});
