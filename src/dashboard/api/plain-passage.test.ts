import { expect, test } from "vitest";
import { plainPassage } from "./plain-passage.ts";

test("a passage loses its Markdown marks, except in code", () => {
  const markdown = [
    "## Prices",
    "",
    "**Always** in `cents`, see [the list](prices.md).",
    "",
    "| Field | Rule |",
    "| ----- | :--: |",
    "| `net` | a \\| b |",
    "",
    "```sh",
    "# not a heading",
    "cat a | wc -l",
    "```",
    "- snake_case_names stay",
  ].join("\n");
  expect(plainPassage(markdown)).toBe(
    "Prices\n\nAlways in cents, see the list.\n\nField · Rule\nnet · a | b\n\n# not a heading\ncat a | wc -l\n- snake_case_names stay",
  );
});
