import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "../../workflow/json.ts";
import { nameOfPath, scanJson } from "./json-scan.ts";

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

test("a text is JSON to the scanner exactly where it is to the engine", () => {
  const pieces = fc.constantFrom(
    ...[
      "{",
      "}",
      "[",
      "]",
      ":",
      ",",
      '"a"',
      '"\\u00e9"',
      '"\\x"',
      '"',
      "1",
      "-0.5e3",
      "01",
      "1.",
      "true",
      "nul",
      " ",
      "\n",
      "\t",
      "\f",
    ],
  );
  const texts = fc.oneof(
    fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join("")),
    fc.json(),
    fc.tuple(fc.json(), fc.nat(), pieces).map(([text, at, piece]) => {
      const cut = at % (text.length + 1);
      return text.slice(0, cut) + piece + text.slice(cut + 1);
    }),
  );
  fc.assert(
    fc.property(texts, (text) => {
      expect("places" in scanJson(text)).toBe(isJson(text));
    }),
    { numRuns: 2_000 },
  );
});

test("the place of every value holds that value", () => {
  const walk = (value: Json, path: (string | number)[]): { path: (string | number)[]; value: Json }[] => [
    { path, value },
    ...(typeof value !== "object" || value === null
      ? []
      : Array.isArray(value)
        ? value.flatMap((part: Json, index) => walk(part, [...path, index]))
        : Object.entries(value).flatMap(([key, part]) => walk(part, [...path, key]))),
  ];
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom("", "  ", "\t"), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const scan = scanJson(text);
      const places = "places" in scan ? scan.places : new Map();
      for (const { path, value: part } of walk(JSON.parse(text), [])) {
        const place = places.get(nameOfPath(path));
        expect(JSON.parse(text.slice(place?.value.start, place?.value.end))).toEqual(part);
      }
    }),
    { numRuns: 300 },
  );
});

test("a key that stands twice is found where it stands again", () => {
  const scan = scanJson('{"a": {"b": 1, "c": [{"b": 2}], "b": 3}, "a": 4}');
  expect("duplicates" in scan && scan.duplicates).toEqual([
    { key: "b", at: 32 },
    { key: "a", at: 41 },
  ]);
});

test("no nesting is too deep", () => {
  const deep = "[".repeat(200_000) + "]".repeat(200_000);
  expect(scanJson(deep)).toMatchObject({ levels: 200_000 });
  expect(scanJson(deep.slice(0, -1))).toMatchObject({ endsEarly: true });
});
