import { createHash } from "node:crypto";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../kit/json.ts";
import type { PhaseArtifact } from "../workflow/session-view.ts";
import { fitAfterCompletion, fitArtifacts } from "./fit-artifacts.ts";

/** Bytes that look random and are the same each time. */
function noise(count: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(count / 32) }, (_, at) =>
    createHash("sha256").update(`${at}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, count);
}

const words = (letters: string, length: number): string[] =>
  (
    noise(600 * length)
      .toString("latin1")
      .match(new RegExp(`[^]{${length}}`, "g")) ?? []
  ).map((word) => [...word].map((one) => letters[one.charCodeAt(0) % letters.length]).join(""));

const from = (first: number, count: number): string =>
  [...noise(2000)].map((byte, at) => String.fromCodePoint(first + ((byte * 7 + at) % count))).join("");

const consonants = "bcdfghjklmnpqrstvwxz";
const letters = "abcdefghijklmnopqrstuvwxyz";

const texts: { readonly [kind: string]: JsonObject } = {
  prose: { text: "The quick brown fox jumps over the lazy dog. ".repeat(200) },
  base64: { text: noise(3000).toString("base64") },
  "base64 of prose": { text: Buffer.from("the quick brown fox jumps over it ".repeat(99)).toString("base64") },
  "six consonants": { text: words(consonants, 6).join(" ") },
  "six letters": { text: words(letters, 6).join(" ") },
  "capital letters": { list: words(letters.toUpperCase(), 6) },
  "mixed case": { list: words(letters + letters.toUpperCase(), 6) },
  "an object of many keys": { all: Object.fromEntries(words(consonants, 6).map((word) => [word, 1])) },
  identifiers: { list: words(consonants, 3).map((word) => `${word}_${word}`) },
  hashes: { list: Array.from({ length: 100 }, (_, at) => createHash("sha256").update(`${at}`).digest("hex")) },
  numbers: { list: [...noise(900)].map((byte) => byte / 7) },
  signs: { text: "!@#$%^&*()[]{}|\\\"'".repeat(100) },
  controls: { text: "\u0001\u0002".repeat(500) },
  Tibetan: { text: "བོད་ཡིག".repeat(300) },
  Khmer: { text: "ភាសាខ្មែរ".repeat(300) },
  Chinese: { text: from(0x4e00, 0x5000) },
  Hangul: { text: from(0xac00, 0x2b00) },
  Cherokee: { text: from(0x13a0, 80) },
  "private use": { text: "\ue000\ue123\uf8ff".repeat(300) },
  cuneiform: { text: from(0x12000, 0x300) },
  emoji: { text: "👩‍👩‍👧‍👦🏳️‍🌈🦊".repeat(300) },
};

const produced = (outputs: JsonObject): PhaseArtifact => ({
  phase_number: 1,
  evidence: {},
  outputs,
  commands_executed: [],
  files: [],
  timestamp: "",
});

describe("long texts and lists are cut towards 800 tokens, and no phase is left out", () => {
  it.each(Object.entries(texts))("%s", (_, outputs) => {
    for (const phases of [1, 2, 5]) {
      const all = Object.fromEntries(Array.from({ length: phases }, (_, at) => [at + 1, produced(outputs)]));
      const { artifacts, trimmed } = fitArtifacts(all);
      expect(trimmed).toBe(true);
      expect(Object.keys(artifacts)).toEqual(Object.keys(all));
      expect(countTokens(JSON.stringify(artifacts))).toBeLessThanOrEqual(800);
    }
  });

  it("short texts of rare signs as well", () => {
    const { artifacts } = fitArtifacts({ 1: produced({ text: "\ue000".repeat(300) }) });
    expect(countTokens(JSON.stringify(artifacts))).toBeLessThanOrEqual(800);
  });

  it("numbers, booleans and short texts always stay, however many phases there are; the oldest are cut first", () => {
    const outputs = { count: 12, done: true, note: "n".repeat(120), story: "long ".repeat(300) };
    const all = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [at + 1, produced(outputs)]));
    const { artifacts } = fitArtifacts(all);
    for (const shown of Object.values(artifacts))
      expect(shown).toMatchObject({ count: 12, done: true, note: outputs.note });
    expect(JSON.stringify(artifacts[1])).toContain("characters)");
    expect(JSON.stringify(artifacts[6]).length).toBeGreaterThanOrEqual(JSON.stringify(artifacts[1]).length);
  });
});

it("ordinary artifacts stay whole up to some 200 tokens", () => {
  const sentence = "Twelve functions were found in the payment module; nine of them have no test yet. ";
  const outputs = {
    summary: sentence.repeat(6),
    functionCount: 12,
    untested_functions: ["createInvoice", "sendReminder", "parse_amount"],
    report: "docs/reports/survey.md",
  };
  expect(countTokens(JSON.stringify(outputs))).toBeGreaterThan(130);
  expect(fitArtifacts({ 1: produced(outputs) })).toEqual({ artifacts: { 1: outputs }, trimmed: false });
});

describe("in passing, for the caller that submitted them", () => {
  const outputs = { count: 12, done: true, note: "n".repeat(120), story: "long ".repeat(300), items: ["a", "b"] };
  const small = { count: 12, done: true, note: outputs.note };

  it("little stays whole", () => {
    const little = { count: 1, list: ["a", "b"], text: "Nine of them have no test yet. ".repeat(5) };
    expect(fitAfterCompletion({ 1: produced(little) })).toEqual({ artifacts: { 1: little }, trimmed: false });
  });

  it("what is small stays of every phase; the rest is named of the newest and counted of the others", () => {
    expect(fitAfterCompletion({ 1: produced(outputs), 2: produced(small), 3: produced(outputs) })).toEqual({
      artifacts: {
        1: { ...small, "…": "2 more" },
        2: small,
        3: { ...small, "…": "story (1500 characters), items (2)" },
      },
      trimmed: false,
    });
  });

  it("what no reply has room for counts as trimmed", () => {
    expect(fitAfterCompletion({ 1: produced({ story: "long ".repeat(3000) }) }).trimmed).toBe(true);
  });

  it("an output of that very name is not lost", () => {
    const { artifacts } = fitAfterCompletion({ 1: produced({ "…": 7, story: "long ".repeat(3000) }) });
    expect(artifacts[1]).toEqual({ "…": 7, "……": "story (15000 characters)" });
  });
});
