import fc from "fast-check";
import { expect, test } from "vitest";
import { wholeOr } from "../../test/whole.ts";
import type { Json, JsonObject } from "../kit/json.ts";
import type { EvidenceRule, EvidenceType, Gate, Requirement } from "./gate.ts";
import { evidenceTypes } from "./gate.ts";
import { findGaps } from "./judge-evidence.ts";

const names = ["a", "b", "count", "tests_passed", "__proto__", "constructor", "toString", "π", ""];

const rules: Readonly<Record<EvidenceType, fc.Arbitrary<EvidenceRule>>> = {
  boolean: fc.constantFrom({ kind: "equals", value: false }, { kind: "one_of", values: [true, false] }),
  integer: fc.oneof(bound(), fc.constant<EvidenceRule>({ kind: "one_of", values: [1, 2, 3] })),
  number: bound(),
  string: fc.oneof(
    length(),
    fc.constantFrom<EvidenceRule>(
      { kind: "contains", text: "a" },
      { kind: "file_exists" },
      { kind: "equals", value: "a" },
    ),
  ),
  list: length(),
  object: length(),
  file: fc.constant({ kind: "file_exists" }),
  url: length(),
  date: length(),
  any: fc.constant<EvidenceRule>({ kind: "equals", value: "a" }),
};

function bound(): fc.Arbitrary<EvidenceRule> {
  return fc.record({
    kind: fc.constantFrom("at_least", "more_than", "at_most", "less_than"),
    limit: fc.integer({ min: -5, max: 5 }),
  });
}

function length(): fc.Arbitrary<EvidenceRule> {
  return fc.record({ kind: fc.constantFrom("length_at_least", "length_at_most"), limit: fc.nat(3) });
}

const requirement = (field: string): fc.Arbitrary<Requirement> =>
  fc.constantFrom(...evidenceTypes).chain((type) =>
    fc.record({
      field: fc.constant(field),
      type: fc.constant(type),
      required: fc.boolean(),
      description: fc.constantFrom("", "what it is"),
      rules: fc.array(rules[type], { maxLength: 2 }),
    }),
  );

const gates: fc.Arbitrary<Gate> = fc
  .uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 5 })
  .chain((fields) => fc.tuple(...fields.map(requirement)))
  .map((requirements) => ({ requirements, comparisons: [], examples: {}, rulesHold: false, approval: false }));

const values: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(
    null,
    true,
    false,
    0,
    1,
    2,
    3,
    2.5,
    "",
    " ",
    "a",
    "abc",
    [],
    ["a"],
    [1, 2, 3],
    {},
    { a: 1 },
    Number.POSITIVE_INFINITY,
  ),
  fc.jsonValue({ maxDepth: 2 }).map((value): Json => JSON.parse(JSON.stringify(value))),
);

const evidence: fc.Arbitrary<JsonObject> = fc
  .array(fc.tuple(fc.oneof(fc.constantFrom(...names), fc.string()), values), { maxLength: 8 })
  .map((entries) => Object.fromEntries(entries));

/** Null, a list of nothing and a text without a letter, digit or sign are nothing to look at. */
function isSeen(value: unknown): boolean {
  if (typeof value === "string") return /[\p{L}\p{N}\p{P}\p{S}\p{M}\p{Co}\p{Cs}\p{Cn}]/u.test(value);
  return value !== null && !(Array.isArray(value) && value.length === 0);
}

/** Written without a look at the gate: what must be true of evidence that passes. */
function isProved({ field, type, required, rules }: Requirement, all: JsonObject): boolean {
  const descriptor = Object.getOwnPropertyDescriptor(all, field);
  const value: unknown = descriptor?.value ?? null;
  if (value === null) return !required;
  const is: Readonly<Record<EvidenceType, boolean>> = {
    boolean: value === true || value === false,
    integer: typeof value === "number" && Number.isFinite(value) && value === Math.trunc(value),
    number: typeof value === "number" && Number.isFinite(value),
    string: typeof value === "string",
    list: Array.isArray(value),
    object: Object.prototype.toString.call(value) === "[object Object]",
    file: typeof value === "string",
    url: URL.canParse(String(value)) && String(value).includes("://"),
    date: typeof value === "string" && /^\d{4}-\d\d-\d\d/.test(value),
    any: value !== Number.POSITIVE_INFINITY,
  };
  if (!is[type]) return false;
  if (required && type === "boolean" && rules.length === 0 && value !== true) return false;
  const isFree = rules.some(({ kind }) => kind === "equals");
  if (required && typeof value === "string" && !isFree && !isSeen(value)) return false;
  return rules.every((rule) => {
    const number = Number(value);
    const keys = Array.isArray(value) ? value.filter(isSeen).length : Object.keys(Object(value)).length;
    const size = typeof value !== "string" ? keys : isSeen(value) ? Array.from(value).length : 0;
    switch (rule.kind) {
      case "at_least":
        return number >= rule.limit;
      case "more_than":
        return number > rule.limit;
      case "at_most":
        return number <= rule.limit;
      case "less_than":
        return number < rule.limit;
      case "length_at_least":
        return size >= rule.limit;
      case "length_at_most":
        return size <= rule.limit;
      case "equals":
        return value === rule.value;
      case "one_of":
        return rule.values.some((one) => one === value);
      case "contains":
        return String(value).indexOf(rule.text) >= 0;
      default:
        return false;
    }
  });
}

test("a gate opens for evidence that proves everything, and for no other", () => {
  fc.assert(
    fc.property(gates, evidence, (gate, given) => {
      const proved = gate.requirements.every((one) => isProved(one, given));
      expect(findGaps(gate, given, new Map()).length === 0).toBe(proved);
    }),
    { numRuns: wholeOr(2_000, 400) },
  );
});

test("no evidence that lacks a required field passes", () => {
  fc.assert(
    fc.property(gates, evidence, fc.nat(), (gate, given, at) => {
      const required = gate.requirements.filter((one) => one.required);
      fc.pre(required.length > 0);
      const { field = "" } = required[at % required.length] ?? {};
      const lacking = Object.fromEntries(Object.entries(given).filter(([name]) => name !== field));
      expect(findGaps(gate, lacking, new Map()).some((gap) => gap.startsWith(`${field} (required: `))).toBe(true);
    }),
    { numRuns: wholeOr(1_000, 250) },
  );
});

test("every gap has one of the four shapes and says something, whatever is handed in", () => {
  fc.assert(
    fc.property(gates, fc.object({ withNullPrototype: true, withBigInt: true, withDate: true }), (gate, junk) => {
      for (const gap of findGaps(gate, junk as JsonObject, new Map()))
        expect(gap).toMatch(/^.* \((required|wrong type|validation failed|validation error): .+\)$/s);
    }),
    { numRuns: wholeOr(1_000, 250) },
  );
});

test("evidence nested 100,000 levels deep is judged like any other", () => {
  const deep: Json = JSON.parse(`${"[".repeat(5_000)}${"]".repeat(5_000)}`);
  let deeper: Json = deep;
  for (let level = 0; level < 100_000; level++) deeper = [deeper];
  const requirements: Requirement[] = [
    { field: "a", type: "list", required: true, description: "a", rules: [{ kind: "equals", value: [["x"]] }] },
  ];
  const gate: Gate = { requirements, comparisons: [], examples: {}, rulesHold: false, approval: false };
  expect(findGaps(gate, { a: deeper })).toHaveLength(1);
});
