import fc from "fast-check";
import { expect, test } from "vitest";
import { wholeOr } from "../../test/whole.ts";
import { checkRules } from "../checks/rules/check-rules.ts";
import type { RuleCheck } from "../gates/rule.ts";
import { findContradictions } from "./contradictions.ts";

const common = { severity: "error", message: "" } as const;
const word = fc.constantFrom(
  "users",
  "open",
  "fast",
  "Open points",
  "fast-lane",
  "map",
  "## map",
  "**users**",
  "USERS",
);
const pattern = fc.constantFrom("users", "Users", "^# ", "open", ".*", "^$", "a|", "fast lane", "points$", "[^x]");
const flags = fc.constantFrom("", "i", "m", "im", "s");
const check: fc.Arbitrary<RuleCheck> = fc.oneof(
  fc.record({ pattern, flags }).map((rest) => ({ ...common, ...rest, kind: "must_match" }) as const),
  fc.record({ pattern, flags }).map((rest) => ({ ...common, ...rest, kind: "must_not_match" }) as const),
  fc
    .array(word, { minLength: 1, maxLength: 3 })
    .map((headings) => ({ ...common, headings, kind: "required_headings" }) as const),
  fc
    .array(word, { minLength: 1, maxLength: 2 })
    .map((words) => ({ ...common, words, kind: "forbidden_words" }) as const),
  fc
    .record({ unit: fc.constantFrom("lines", "words", "characters"), limit: fc.nat(12) } as const)
    .map((rest) => ({ ...common, ...rest, kind: "max_length" }) as const),
);
const line = fc
  .tuple(fc.constantFrom("", "# ", "## ", "- "), word, fc.constantFrom("", ".", " x"))
  .map((parts) => parts.join(""));
const text = fc
  .array(fc.oneof(line, fc.constantFrom("", "===", "users", "map")), { minLength: 1, maxLength: 6 })
  .map((lines) => lines.join("\n"));

test("what is called unsatisfiable is satisfied by no text", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(check, { minLength: 1, maxLength: 3 }), text, async (checks, content) => {
      fc.pre(content.trim() !== ""); // nobody hands in nothing
      const placed = checks.map((one) => ({ check: one, rule: "r", path: "r.json", lineOf: () => 1 }));
      if (findContradictions(placed).length === 0) return;
      const rule = { name: "r", description: "", file: "r.json", examples: [], checks };
      const broken = await checkRules([rule], [{ path: "docs/a.md", text: content, own: true }]);
      expect(broken).not.toEqual([]);
    }),
    { numRuns: wholeOr(3_000, 600) },
  );
});
