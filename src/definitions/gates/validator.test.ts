import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { wholeOr } from "../../../test/whole.ts";
import type { EvidenceType } from "../../gates/gate.ts";
import { evidenceTypes } from "../../gates/gate.ts";
import { describeRule } from "../../gates/rule-vocabulary.ts";
import type { Json } from "../../kit/json.ts";
import { parseValidator } from "./validator.ts";

/** The rules of a validator in words; null where it is unusable. */
function read(written: unknown, type: EvidenceType, more: { named?: Record<string, Json> } = {}) {
  const result = parseValidator(written, { type, ...more });
  return "unusable" in result ? null : result.rules.map(describeRule).join("; ");
}

describe("a name of the vocabulary", () => {
  test.each([
    ["is_true", "boolean", "true"],
    ["is_false", "boolean", "false"],
    ["greater_than_0", "integer", "more than 0"],
    ["greater_than_or_equal_4", "integer", "at least 4"],
    ["greater_than_or_equal_to_4", "integer", "at least 4"],
    ["less_than_or_equal_2_0", "number", "at most 2"],
    ["less_than_0_95", "number", "less than 0.95"],
    ["percent_gte_80", "number", "at least 80"],
    ["percent_gte_80", "integer", "at least 80"],
    ["at_least_80_percent", "number", "at least 80"],
    ["min_length_2", "string", "at least 2 long"],
    ["min_length_2", "list", "at least 2 long"],
    ["max_length_10", "string", "at most 10 long"],
    ["equals_high", "string", "exactly high"],
    ["equals_in_progress", "string", "exactly in_progress"],
    ["equals_3", "integer", "exactly 3"],
    ["equals_3", "string", 'exactly "3"'],
    ["equals_inProgress", "string", "exactly inProgress"],
    ["not_equals_none", "string", "other than none"],
    ["file_exists", "string", "the path of a file that exists"],
    ["directory_exists", "string", "the path of a folder that exists"],
    ["non_empty", "string", "not empty"],
    ["non_empty", "list", "not empty"],
    ["non_empty", "integer", ""],
    ["positive", "integer", "more than 0"],
    ["non_negative", "number", "at least 0"],
    ["between_1_and_5", "integer", "at least 1; at most 5"],
    ["range_1_5", "integer", "at least 1; at most 5"],
    ["between_0_5_and_1_0", "number", "at least 0.5; at most 1"],
    ["one_of_low_high", "string", "one of: low, high"],
    ["one_of_1_2", "integer", "one of: 1, 2"],
    ["greater_than_0", "list", "not empty"],
    ["greater_than_or_equal_3", "list", "at least 3 long"],
    ["greater_than_0", "string", "not empty"],
    ["contains_TODO", "string", "something that contains TODO"],
    ["starts_with_v1.", "string", "a match of /^v1\\./"],
    ["Greater-Than-0", "integer", "more than 0"],
    ["minLength(2)", "string", "at least 2 long"],
    ["min_length: 2", "string", "at least 2 long"],
    ["between(1, 5)", "integer", "at least 1; at most 5"],
    ["range: 1-5", "integer", "at least 1; at most 5"],
    ["one_of(a, b, 'c d')", "string", 'one of: a, b, "c d"'],
    ["one_of: [a, b]", "string", "one of: a, b"],
    ["equals('High')", "string", "exactly High"],
    ["regex: ^v\\d+$", "string", "a match of /^v\\d+$/"],
    ["at least 5", "integer", "at least 5"],
    ["greater_than_-1", "integer", "more than -1"],
    ["at least -1", "integer", "at least -1"],
    ["equals -1", "integer", "exactly -1"],
    ["contains(x) and contains(y)", "string", "something that contains x; something that contains y"],
    ["in ['a', 'b']", "string", "one of: a, b"],
    ["equals 'in progress'", "string", 'exactly "in progress"'],
    ["positive and less_than_10", "integer", "more than 0; less than 10"],
    ["non_empty, file_exists", "string", "not empty; the path of a file that exists"],
  ] as const)("%s of a %s is read as: %s", (name, type, words) => {
    expect(read(name, type)).toBe(words);
  });

  test.each([
    ["is_prime", "integer"],
    ["is_valid_url", "string"],
    ["greater_than_many", "integer"],
    ["greater_than_1_000", "integer"],
    ["greater_than_1.000", "integer"],
    ["equals 1.000", "number"],
    ["equals 0x10", "integer"],
    ["in [3, 7]", "integer"],
    ["in_3_to_7", "integer"],
    ["in_progress", "string"],
    ["equals low or high", "string"],
    ["greater_than_0", "boolean"],
    ["percent_gte_80", "string"],
    ["min_length_2", "integer"],
    ["is_true", "string"],
    ["equals_high", "integer"],
    ["equals_maybe", "boolean"],
    ["file_exists", "boolean"],
    ["matches_a_url", "string"],
    ["regex: (", "string"],
    ["regex: (?=a)", "string"],
    ["between_5_and_1", "integer"],
    ["between_1", "integer"],
    ["is_integer", "integer"],
    ["is_boolean", "boolean"],
    ["at_least_3_items", "list"],
    ["greater_than_zero", "integer"],
    ["greater_than", "integer"],
    ["one_of()", "string"],
    ["one_of_a_b", "integer"],
    ["positive and pretty", "integer"],
    ["", "string"],
    ["constructor", "string"],
    ["__proto__", "string"],
    ["toString", "string"],
  ] as const)("%s of a %s is not understood", (name, type) => {
    expect(read(name, type)).toBeNull();
  });
});

describe("a mapping", () => {
  test.each([
    [{ min: 1, max: 5 }, "integer", "at least 1; at most 5"],
    [{ minimum: 1, exclusiveMaximum: 5 }, "number", "at least 1; less than 5"],
    [{ gt: 0 }, "number", "more than 0"],
    [{ min_length: 2, maxLength: 5 }, "string", "at least 2 long; at most 5 long"],
    [{ minItems: 1 }, "list", "not empty"],
    [{ pattern: "^a", flags: "i" }, "string", "a match of /^a/i"],
    [{ one_of: ["a", "b"] }, "string", "one of: a, b"],
    [{ enum: [1, 2] }, "integer", "one of: 1, 2"],
    [{ equals: false }, "boolean", "false"],
    [{ range: [1, 5] }, "integer", "at least 1; at most 5"],
    [{ range: { min: 1, max: 5 } }, "integer", "at least 1; at most 5"],
    [{ file_exists: true }, "string", "the path of a file that exists"],
    [{ greater_than: 3, message: "more" }, "integer", "more than 3"],
    [{ not_contains: "TODO" }, "string", "something without TODO"],
    [["non_empty", { max_length: 5 }], "string", "not empty; at most 5 long"],
  ] as const)("%j of a %s is read as: %s", (mapping, type, words) => {
    expect(read(mapping, type)).toBe(words);
  });

  test.each([
    [{}, "integer"],
    [{ mim: 1 }, "integer"],
    [{ min: "many" }, "integer"],
    [{ min: 1, sometimes: true }, "integer"],
    [{ one_of: [] }, "string"],
    [{ one_of: ["a", 1] }, "integer"],
    [{ file_exists: false }, "string"],
    [{ pattern: "a", flags: "g" }, "string"],
    [{ pattern: 5 }, "string"],
    [{ type: "range", min: 1, max: 5 }, "integer"],
    [{ name: "one_of", params: { values: ["a", "b"] } }, "string"],
    [{ pattern: "a", flags: 5 }, "string"],
    [null, "integer"],
    [true, "boolean"],
    [false, "boolean"],
    [7, "integer"],
    [[null], "integer"],
    [[], "integer"],
    [{ min: 1, params: { max: 5 } }, "integer"],
  ] as const)("%j of a %s is not understood", (mapping, type) => {
    expect(read(mapping, type)).toBeNull();
  });
});

test.each([
  "lambda x: x > 0",
  "x >= 5 and x <= 10",
  "len(x) > 0",
  "x in ['a', 'b']",
  "os.path.exists(x)",
  "__import__('os').system('rm')",
  "eval(x)",
])("an expression is no validator: %s", (text) => {
  for (const type of evidenceTypes) expect(read(text, type), type).toBeNull();
});

describe("a validator that the file defines", () => {
  test("wins over the vocabulary, and may be of any kind", () => {
    const named = {
      positive: { greater_than: 1 },
      percent: { min: 0, max: 100 },
      filled: "non_empty",
      both: ["positive", "percent"],
      non_negative: "non_negative",
    };
    expect(read("positive", "integer", { named })).toBe("more than 1");
    expect(read("percent", "number", { named })).toBe("at least 0; at most 100");
    expect(read("filled", "list", { named })).toBe("not empty");
    expect(read("both", "integer", { named })).toBe("more than 1; at least 0; at most 100");
    expect(read("non_negative", "integer", { named })).toBe("at least 0");
  });

  test("that leads to itself is not understood", () => {
    expect(read("a", "integer", { named: { a: "b", b: "a" } })).toBeNull();
    expect(read("a", "integer", { named: { a: ["a"] } })).toBeNull();
  });
});

test("a text that may be empty says so", () => {
  for (const written of ["may_be_empty", "min_length_0"])
    expect(parseValidator(written, { type: "string" })).toMatchObject({ rules: [], mayBeEmpty: true });
});

test("whatever is written as a validator, reading it never throws", () => {
  const types = fc.constantFrom<EvidenceType>("boolean", "integer", "number", "string", "list", "object");
  const pieces = fc.constantFrom(
    ..."x len( ) > < >= == 0 5 'a' and or not in is None True [ ] , . lambda : => isinstance( int re.match( if else + - min_length_ one_of_".split(
      " ",
    ),
  );
  const texts = fc.oneof(
    fc.string(),
    fc.array(pieces, { maxLength: 12 }).map((all) => all.join(" ")),
  );
  fc.assert(
    fc.property(fc.oneof(texts, fc.jsonValue()), types, (written, type) => {
      const result = parseValidator(written, { type });
      expect("unusable" in result ? result.unusable : result.rules).toBeDefined();
    }),
    { numRuns: wholeOr(2_000, 400) },
  );
});
