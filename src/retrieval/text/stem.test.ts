import { expect, it } from "vitest";
import { stem } from "./stem.ts";

it.each([
  ["validate", "validated", "validates", "validating"],
  ["policy", "policies"],
  ["test", "tests", "tested", "testing"],
  ["compile", "compiled", "compiling"],
  ["dependency", "dependencies"],
  ["plan", "planned", "planning"],
  ["hope", "hoping", "hoped"],
  ["quick", "quickly"],
  ["authorize", "authorized", "authorizing"],
])("the forms of one word have one stem: %s", (...forms) => {
  expect(new Set(forms.map(stem)).size).toBe(1);
});

it.each([
  ["hoping", "hopping"],
  ["universe", "unit"],
  ["news", "new"],
  ["general", "generous"],
  ["skies", "skis"],
])("different words keep different stems: %s, %s", (one, other) => {
  expect(stem(one)).not.toBe(stem(other));
});

it.each([
  ["caresses", "caress"],
  ["ties", "tie"],
  ["cries", "cri"],
  ["gas", "gas"],
  ["this", "this"],
  ["kiwis", "kiwi"],
  ["agreed", "agre"],
  ["luxuriating", "luxuri"],
  ["sensational", "sensat"],
  ["relational", "relat"],
  ["rationalization", "ration"],
  ["happy", "happi"],
  ["by", "by"],
  ["say", "say"],
  ["adjustment", "adjust"],
  ["adoption", "adopt"],
  ["controlling", "control"],
  ["generate", "generat"],
])("the rules of English hold: %s → %s", (word, expected) => {
  expect(stem(word)).toBe(expected);
});

it("what is no English word in lower case is left alone", () => {
  for (const word of ["naïve", "http2", "東京", "x", "ÄÖ"]) expect(stem(word)).toBe(word);
});
