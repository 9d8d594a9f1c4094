import { type Schema, Validator } from "@cfworker/json-schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { wholeOr } from "../../../../test/whole.ts";
import type { Json, JsonObject } from "../../../kit/json.ts";
import { type Budget, makeBudget } from "../../budget.ts";
import { compileSchema } from "./schema-check.ts";

function findings(schema: JsonObject, document: unknown, budget?: Budget): string[] {
  const check = compileSchema(schema);
  if ("unusable" in check) return [check.unusable];
  const text = typeof document === "string" ? document : JSON.stringify(document, null, 2);
  return check(text, budget).map(({ line, detail }) => `${line ?? "-"}: ${detail}`);
}

describe("a JSON file and its schema", () => {
  const schema = {
    type: "object",
    required: ["stories"],
    properties: {
      stories: {
        type: "array",
        minItems: 1,
        items: {
          type: "object",
          required: ["title"],
          additionalProperties: false,
          properties: { title: { type: "string", pattern: "^As an? " }, size: { $ref: "#/$defs/size" } },
        },
      },
    },
    $defs: { size: { enum: ["S", "M", "L"] } },
  };

  test("each mismatch is named with its place and line", () => {
    const document = { stories: [{ title: "As a reader" }, { title: "Reader", size: "XL", owner: "me" }, {}] };
    expect(findings(schema, document)).toEqual([
      "7: /stories/1/title does not match /^As an? /",
      '8: /stories/1/size must be one of ["S","M","L"]',
      "9: /stories/1/owner is not allowed",
      '11: /stories/2 "title" is missing',
    ]);
    expect(findings(schema, { stories: [{ title: "As a reader", size: "M" }] })).toEqual([]);
    expect(findings(schema, {})).toEqual(['1: the document "stories" is missing']);
  });

  test("what is not JSON is a finding, with the line where it stops", () => {
    expect(findings(schema, '{\n  "stories": [\n}')).toEqual([expect.stringMatching(/^3: is not valid JSON: /)]);
    expect(findings(schema, '{"a": 1')).toEqual([expect.stringMatching(/^1: is not valid JSON: /)]);
    expect(findings(schema, "")).toEqual([expect.stringMatching(/^1: is not valid JSON: /)]);
    const long = `{\n${Array.from({ length: 30 }, (_, index) => `  "key${index}": ${index === 20 ? "oops" : index},\n`).join("")}  "z": 0\n}`;
    expect(findings(schema, long)).toEqual([expect.stringMatching(/^22: is not valid JSON: /)]);
  });

  test("keys with slashes, tildes and quotes keep their line", () => {
    const odd = { properties: { 'a/b~"c': { type: "string" } } };
    expect(findings(odd, { 'a/b~"c': 1 })).toEqual(['2: /a~1b~0"c must be string, is integer']);
  });
});

describe("a schema that cannot be used says why", () => {
  test.each([
    [{ requried: ["a"] }, "requried"],
    [{ $ref: "https://example.org/schema.json" }, "nothing is fetched"],
    [{ $ref: "#/$defs/none" }, "nothing is fetched"],
    [{ $ref: "#/title", title: "no schema" }, "is not a schema"],
    [{ properties: { a: { pattern: "(?=x)" } } }, "RE2"],
    [{ patternProperties: { "(a)\\1": {} } }, "RE2"],
    [{ unevaluatedProperties: false }, "unevaluatedProperties"],
    [{ type: "text" }, "must be a type of"],
    [{ required: "a" }, "must be a list of names"],
    [{ format: "shoe-size" }, "must be one of date"],
    [{ properties: { a: { $id: "x" } } }, "$id"],
    [{ anyOf: [1] }, "is not a schema"],
  ])("%j", (schema, reason) => {
    expect(findings(schema, {})[0]).toContain(reason);
  });

  test("one that is nested too deep", () => {
    let deep: JsonObject = {};
    for (let level = 0; level < 5_000; level++) deep = { items: deep };
    expect(findings(deep, [])[0]).toContain("nested deeper");
  });
});

// Attack (tools): Submit a pattern or a schema that runs for ever
describe("nothing holds the server up", () => {
  /** What is found, with work that is counted and has an end. */
  const bounded = (schema: JsonObject, document: unknown): readonly string[] => {
    const budget = makeBudget();
    const found = findings(schema, document, budget);
    expect(budget.spent()).toBeLessThan(150_000_000); // two seconds at the very worst
    return found;
  };

  test("an evil pattern", () => {
    const bait = { list: Array.from({ length: 1_000 }, () => `${"a".repeat(30)}!`), long: "a".repeat(1_000_000) };
    const evil = { pattern: "(a+)+$" };
    bounded({ properties: { list: { items: evil }, long: evil } }, bait);
  });

  test("references that double the work at each level", () => {
    const $defs: Record<string, Json> = { d60: { type: "string" } };
    for (let level = 0; level < 60; level++) {
      const next = { $ref: `#/$defs/d${level + 1}` };
      $defs[`d${level}`] = { oneOf: [next, next] };
    }
    expect(bounded({ $defs, $ref: "#/$defs/d0" }, '"x"')[0]).toContain("too large");
  });

  test("a reference in a circle", () => {
    expect(bounded({ $ref: "#" }, 1)[0]).toContain("too large");
  });

  test("many items that must be unique", () => {
    const items = Array.from({ length: 50_000 }, (_, index) => ({ index }));
    expect(bounded({ uniqueItems: true }, items)).toEqual([]);
    expect(
      findings({ uniqueItems: true }, [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ]),
    ).toEqual(["1: the document items 0 and 1 are the same"]);
  });

  test("a file of five megabytes, and one nested without end", () => {
    const many = Array.from({ length: 60_000 }, (_, index) => ({
      title: `As a reader of part ${index} I want more of it`,
    }));
    const text = JSON.stringify(many, null, 2);
    expect(text.length).toBeGreaterThan(4_000_000);
    const schema = { items: { required: ["title"], properties: { title: { type: "string", maxLength: 200 } } } };
    expect(bounded(schema, text)).toEqual([]);
    expect(bounded({}, "[".repeat(5_000) + "]".repeat(5_000))[0]).toContain("nested deeper");
  });
});

const document = fc.jsonValue({ maxDepth: 3 });
const leaf: fc.Arbitrary<unknown> = fc.oneof(
  fc.record({ type: fc.constantFrom("null", "boolean", "integer", "number", "string", "array", "object") }),
  fc.record({ enum: fc.array(fc.jsonValue({ maxDepth: 1 }), { minLength: 1, maxLength: 3 }) }),
  fc.record({ const: fc.jsonValue({ maxDepth: 1 }) }),
  fc.record({ minimum: fc.integer({ min: -3, max: 3 }), exclusiveMaximum: fc.integer({ min: -1, max: 9 }) }),
  fc.record({ multipleOf: fc.constantFrom(1, 2, 0.5) }),
  fc.record({ minLength: fc.nat(3), maxLength: fc.nat(5) }),
  fc.record({ pattern: fc.constantFrom("a", "^[a-c]*$", "\\d") }),
  fc.record({ minItems: fc.nat(2), maxItems: fc.nat(4), uniqueItems: fc.boolean() }),
  fc.record({
    minProperties: fc.nat(1),
    maxProperties: fc.nat(3),
    required: fc.uniqueArray(fc.constantFrom("a", "b")),
  }),
  fc.record({ dependentRequired: fc.constant({ a: ["b"] }) }),
  fc.boolean(),
);
const { schema: anySchema } = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    leaf,
    fc.record({
      properties: fc.dictionary(fc.constantFrom("a", "b"), tie("schema")),
      additionalProperties: tie("schema"),
    }),
    fc.record({ patternProperties: fc.dictionary(fc.constantFrom("^a", "b$"), tie("schema")) }),
    fc.record({ propertyNames: tie("schema") }),
    fc.record({ prefixItems: fc.array(tie("schema"), { maxLength: 2 }), items: tie("schema") }),
    fc.record({ contains: tie("schema"), minContains: fc.nat(2) }),
    fc.record({ allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }) }),
    fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }) }),
    fc.record({ oneOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }) }),
    fc.record({ not: tie("schema") }),
    fc
      .tuple(tie("schema"), tie("schema"), tie("schema"))
      .map((parts) => parts.map((part) => JSON.stringify(part)))
      .map(([when, yes, no]): unknown => JSON.parse(`{"if": ${when}, "then": ${yes}, "else": ${no}}`)),
  ),
}));

test("it agrees with a validator of the whole standard on every schema and document", () => {
  const shaped = fc.oneof(
    document,
    fc.dictionary(fc.constantFrom("a", "b", "ab", "c"), document),
    fc.array(document),
    fc.constantFrom("a", "abc", 1, 2, 2.5, ""),
  );
  fc.assert(
    fc.property(anySchema, shaped, (part, value) => {
      const schema: JsonObject = JSON.parse(JSON.stringify({ allOf: [part] }));
      const copy: Schema = JSON.parse(JSON.stringify(schema));
      const document: Json = JSON.parse(JSON.stringify(value)); // −0 is no JSON
      const expected = new Validator(copy, "2020-12").validate(document).valid;
      expect(findings(schema, JSON.stringify(document)).length === 0).toBe(expected);
    }),
    { numRuns: wholeOr(1_000, 250) },
  );
});
