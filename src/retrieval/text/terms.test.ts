import fc from "fast-check";
import { expect, it } from "vitest";
import { termReader } from "./terms.ts";

function termsOf(text: string): string[] {
  const found: string[] = [];
  termReader()(text, (term) => found.push(term));
  return found;
}

it.each(["parseGateFile", "parse_gate_file", "parse-gate-file", "parse.gate.file", "ParseGateFile"])(
  "an identifier is found by its parts and whole, however it is written: %s",
  (identifier) => {
    expect(termsOf(identifier)).toEqual(["pars", "gate", "file", "parsegatefil"]);
  },
);

it("letters that form a name stay together beside a word", () => {
  expect(termsOf("HTTPServer")).toEqual(["http", "server", "httpserver"]);
  expect(termsOf("oauth2")).toEqual(["oauth", "2", "oauth2"]);
});

it("words that occur everywhere are left out", () => {
  expect(termsOf("How do I write the README?")).toEqual(["write", "readm"]);
});

it("what an apostrophe adds is left out", () => {
  expect(termsOf("don't the team's")).toEqual(termsOf("don team"));
  expect(termsOf("the team’s naïve")).toEqual(termsOf("team naïve"));
});

it("CJK is found by characters and by pairs of them", () => {
  expect(termsOf("東京都")).toEqual(["東", "東京", "京", "京都", "都"]);
  expect(termsOf("검색 test")).toEqual(["검", "검색", "색", "test"]);
});

it("emoji carry no term and break no word", () => {
  expect(termsOf("✅ done 👩‍👩‍👧‍👦 gates 1️⃣")).toEqual(["done", "gate", "1"]);
});

it("an accent counts the same whether it is its own character or not", () => {
  expect(termsOf("caf\u00e9")).toEqual(termsOf("cafe\u0301"));
});

it("any text is read, in terms of limited length, and the same each time", () => {
  const reader = termReader();
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
      const found: string[] = [];
      reader(text, (term) => found.push(term));
      expect(found).toEqual(termsOf(text));
      for (const term of found) expect(term.length).toBeGreaterThan(0);
      for (const term of found) expect(term.length).toBeLessThanOrEqual(64);
    }),
  );
});
