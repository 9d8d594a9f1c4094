import { expect, test } from "vitest";
import type { Gate } from "./gate.ts";
import { rulesWaivedWith } from "./waiver.ts";

test("a person who waives a field is told which rules are not judged without it", () => {
  const field = (name: string): Gate["requirements"][number] => ({
    field: name,
    type: "integer",
    required: true,
    description: name,
    rules: [],
  });
  const gate: Gate = {
    requirements: [field("ok"), field("total"), field("other")],
    comparisons: [{ left: { field: "ok" }, is: "equal_to", right: { field: "total" }, message: "all must be ok" }],
    examples: {},
    rulesHold: false,
    approval: false,
  };
  expect(rulesWaivedWith(gate, ["ok"])).toEqual([expect.stringContaining("total")]);
  expect(rulesWaivedWith(gate, ["other"])).toEqual([]);
});
