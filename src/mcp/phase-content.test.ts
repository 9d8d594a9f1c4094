import { expect, test } from "vitest";
import { tightJson } from "./phase-content.ts";

const fenced = (json: string): string => `# Look\n\n\`\`\`json\n${json}\n\`\`\`\n\nAnd  on.\n`;

test("fenced JSON loses its white space, and what is in its texts stays", () => {
  const json = '{\n  "a b": [1.50, "x:  \\"y\\", z"],\n  "c": {}\n}';
  expect(tightJson(fenced(json))).toBe(fenced('{"a b":[1.50,"x:  \\"y\\", z"],"c":{}}'));
});

test.each(["{ broken", '{\n  // a comment\n  "a": 1\n}'])("anything that is not JSON stays as it is (%s)", (json) => {
  expect(tightJson(fenced(json))).toBe(fenced(json));
});

test("every block by itself, and no other fence", () => {
  const yaml = "```yaml\na:  1\n```\n";
  expect(tightJson(`${fenced("{ broken")}${yaml}${fenced("[ 1 ]")}`)).toBe(
    `${fenced("{ broken")}${yaml}${fenced("[1]")}`,
  );
});
