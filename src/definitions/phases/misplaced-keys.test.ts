import { expect, it } from "vitest";
import { misplacedKeys } from "./misplaced-keys.ts";

it("keys of a gate and of its routes are named where front matter has them", () => {
  const frontMatter = "title: X\nthen:\n  - back_to: 1\nwhen: inputs.a > 0\napproval: required\nowner: dana\n";
  const found = misplacedKeys({ frontMatter }, "x.md").map(({ message, line }) => [message.split(" ")[0], line]);
  expect(found.sort()).toEqual([
    ["approval", 6],
    ["then", 3],
    ["when", 5],
  ]);
});
