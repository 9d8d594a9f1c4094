import {
  anything,
  array,
  assert as check,
  dictionary,
  double,
  type JsonValue,
  jsonValue,
  property,
  string,
} from "fast-check";
import { expect, it } from "vitest";
import { canonical } from "./json.ts";

it("writes the example of RFC 8785 as the RFC does", () => {
  const input = JSON.parse(
    '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
  );
  expect(canonical(input)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
});

it("sorts keys by UTF-16 code units, as the RFC does", () => {
  const keys = ["\u20ac", "\r", "\ufb33", "1", "\u{1f600}", "\u0080", "\u00f6"];
  const sorted = ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\u{1f600}", "\ufb33"];
  const written = canonical(Object.fromEntries(keys.map((key) => [key, 0])));
  expect(Object.keys(JSON.parse(`{"x":${written}}`).x).toSorted()).toEqual(sorted.toSorted());
  expect([...written.matchAll(/"((?:[^"\\]|\\.)*)":/g)].map(([, key]) => JSON.parse(`"${key}"`))).toEqual(sorted);
});

/** The same value with the keys of every object the other way round. */
function turned(value: JsonValue): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, inner]) => [key, inner === undefined ? inner : turned(inner)]),
  );
}

it("the order of keys makes no difference, and nothing is lost", () => {
  check(
    property(jsonValue({ stringUnit: "binary" }), (value) => {
      const text = canonical(value);
      expect(canonical(turned(value))).toBe(text);
      expect(canonical(JSON.parse(text))).toBe(text);
      expect(JSON.stringify(JSON.parse(text))).toHaveLength(JSON.stringify(value).length);
    }),
  );
});

it("numbers and strings are written as JSON.stringify writes them", () => {
  check(
    property(
      array(double({ noNaN: true, noDefaultInfinity: true })),
      dictionary(string(), string()),
      (numbers, texts) => {
        expect(canonical(numbers)).toBe(JSON.stringify(numbers));
        expect(JSON.parse(canonical(texts))).toEqual(JSON.parse(JSON.stringify(texts)));
      },
    ),
  );
});

it("fields without a value are left out", () => {
  expect(canonical({ b: undefined, a: [undefined, { c: undefined }] })).toBe('{"a":[null,{}]}');
  check(property(anything({ maxDepth: 0 }), (value) => typeof canonical({ value }) === "string"));
});
