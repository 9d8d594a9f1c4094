import { expect, test } from "vitest";
import { sha256 } from "../kit/sha256.ts";
import type { FileCheck } from "./check.ts";
import { fileDefinition, isOfFileCheck } from "./check-schema.ts";
import { canonicalText, checkMeaning } from "./check-verdict.ts";
import { gateMeaning, schemasMeaning } from "./gate-meaning.ts";

const plan = { kind: "file", name: "plan", path: "docs/plan.json", headings: [] } as const;
const strict = '{"type": "object", "required": ["a"]}';
const held = (schemaText?: string): FileCheck => ({
  ...plan,
  schema: "schemas/plan.json",
  ...(schemaText === undefined ? {} : { schemaText }),
});

test("a schema belongs to its check by what it says, whatever the order of its keys", () => {
  expect(fileDefinition(held(strict))).toBe(fileDefinition(held('{"required":["a"],"type":"object"}')));
  expect(fileDefinition(held(strict))).not.toBe(fileDefinition(held("{}")));
  expect(fileDefinition(held("no JSON"))).not.toBe(fileDefinition(held("")));
});

test("what a schema says leaves the hash of a gate as it was, and has a name of its own", () => {
  const gate = (check: FileCheck) => ({
    requirements: [],
    comparisons: [],
    examples: {},
    rulesHold: false,
    approval: false,
    checks: [check],
  });
  expect(gateMeaning(gate(held(strict)), false)).toEqual(gateMeaning(gate(held()), false));
  expect(schemasMeaning([held(strict)])).not.toBe(schemasMeaning([held("{}")]));
  expect(schemasMeaning([plan])).toBeUndefined();
});

test("a record of before names a schema by its text, and is of the check that has that text", () => {
  const definition = canonicalText([checkMeaning(held()), sha256(strict)]);
  expect(isOfFileCheck(held(strict), { definition })).toBe(true);
  expect(isOfFileCheck(held("{}"), { definition })).toBe(false);
  expect(isOfFileCheck(plan, { definition: canonicalText(checkMeaning(plan)) })).toBe(true);
});
