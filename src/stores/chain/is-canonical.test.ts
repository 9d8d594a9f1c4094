import fc from "fast-check";
import { expect, it } from "vitest";
import { canonical, type JsonObject } from "../../kit/json.ts";
import { isCanonical } from "./is-canonical.ts";

it("what is written canonically is told from what is not, however it is spelled", () => {
  const values = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(values, fc.boolean(), (value, isIndented) => {
      for (const text of [canonical(value), JSON.stringify(value, null, isIndented ? 1 : 0)]) {
        const parsed: JsonObject = JSON.parse(text);
        expect(isCanonical(Buffer.from(text), parsed)).toBe(canonical(parsed) === text);
      }
    }),
  );
});

it.each([
  ['{"a":1,"b":[{"c":true}]}', true],
  ['{"b":1,"a":2}', false],
  ['{"b":1,"1":2}', false],
  ['{"10":1,"9":2}', true],
  ['{"a":1,"a":2}', false],
  ['{"a":1,"ab":2}', true],
  ['{"ab":1,"a":2}', false],
  ['{"b":{"a":[{"z":1},{"a":1}]},"c":"a"}', true],
  ['{"b":{"b":1,"a":2}}', false],
  ['{"":1,"a":2}', true],
  ['{"a":1,"":2}', false],
  ['{"😀":1,"ａ":2}', true],
  ['{"ａ":1,"😀":2}', false],
  ['{"a": 1}', false],
  ['{"a":1.0}', false],
  ['{"a":1e2}', false],
  ['{"a":1.5}', true],
  ['{"a":-0}', false],
  ['{"a":-1}', true],
  ['{"a":12345678901234567}', false],
  ['{"a":"\\u0041"}', false],
  ['{"a":"\\n"}', true],
  ['{"a":"ü"}', true],
])("%s is canonical: %s", (text, is) => {
  expect(isCanonical(Buffer.from(text), JSON.parse(text))).toBe(is);
});
