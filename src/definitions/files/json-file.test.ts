import { renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeDefinitions } from "../bots/write-definitions.testing.ts";
import { readJson, readText } from "./json-file.ts";

const settle = () => new Promise((resolve) => setTimeout(resolve, 150));

test("a file is parsed once while it stays as it is", async () => {
  const path = join(writeDefinitions({ "a.json": { n: 1 } }), "a.json");
  await settle();
  const first = readJson(path);
  expect(first).toEqual({ value: { n: 1 } });
  expect(readJson(path)).toBe(first);
});

test("a change is seen at once, also one of the same size that keeps the file's time", async () => {
  const path = join(writeDefinitions({ "a.json": { n: 1 } }), "a.json");
  const past = new Date(Date.now() - 60_000);
  utimesSync(path, past, past);
  await settle();
  readJson(path);
  writeFileSync(path, JSON.stringify({ n: 2 }));
  utimesSync(path, past, past);
  expect(readJson(path)).toEqual({ value: { n: 2 } });
  for (let n = 0; n < 10; n++) {
    writeFileSync(path, JSON.stringify({ n }));
    expect(readJson(path)).toEqual({ value: { n } });
  }
});

test("a file put in another's place is seen at once", async () => {
  const definitions = writeDefinitions({ "a.json": { n: 1 }, "b.json": { n: 2 } });
  await settle();
  readJson(join(definitions, "a.json"));
  renameSync(join(definitions, "b.json"), join(definitions, "a.json"));
  expect(readJson(join(definitions, "a.json"))).toEqual({ value: { n: 2 } });
  rmSync(join(definitions, "a.json"));
  expect(readJson(join(definitions, "a.json"))).toEqual({ missing: true });
});

test("what cannot be read as JSON says why, with the line where it is known", () => {
  const definitions = writeDefinitions({
    "a.json": `{\n  "a": 1\n  "b": 2\n}`,
    "b.json": "\n",
    "c.json": `{"a": x}`,
    "d/e.json": {},
  });
  expect(readJson(join(definitions, "a.json"))).toEqual({
    malformed: "it is not valid JSON: a comma is missing (line 3)",
    error: {
      code: "malformed-json",
      line: 3,
      message: "it is not valid JSON: a comma is missing",
      fix: "Add a comma between the two entries.",
    },
  });
  expect(readJson(join(definitions, "b.json"))).toMatchObject({ malformed: "it is empty" });
  expect(readJson(join(definitions, "c.json"))).toMatchObject({
    malformed: 'it is not valid JSON: "x" is not expected here (line 1)',
  });
  expect(readJson(join(definitions, "d"))).toMatchObject({ malformed: "it is not a file" });
  expect(readJson(join(definitions, "a.json/b.json"))).toEqual({ missing: true });
});

test("a text is read without its byte order mark; a missing one is undefined", () => {
  const definitions = writeDefinitions({ "a.md": "\uFEFF# Title\n" });
  expect(readText(join(definitions, "a.md"))).toBe("# Title\n");
  expect(readText(join(definitions, "b.md"))).toBeUndefined();
});
