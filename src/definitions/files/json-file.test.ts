import { join } from "node:path";
import { expect, test } from "vitest";
import { writeDefinitions } from "../bots/write-definitions.testing.ts";
import { filesOf } from "../snapshot/files-of.testing.ts";
import { readJson, readText } from "./json-file.ts";

test("a file is parsed once in a snapshot", () => {
  const definitions = filesOf(writeDefinitions({ "a.json": { n: 1 } }));
  const first = readJson(definitions, join(definitions.folder, "a.json"));
  expect(first).toEqual({ value: { n: 1 } });
  expect(readJson(definitions, join(definitions.folder, "a.json"))).toBe(first);
});

test("what cannot be read as JSON says why, with the line where it is known", () => {
  const definitions = writeDefinitions({
    "a.json": `{\n  "a": 1\n  "b": 2\n}`,
    "b.json": "\n",
    "c.json": `{"a": x}`,
    "d/e.json": {},
  });
  expect(readJson(filesOf(definitions), join(definitions, "a.json"))).toEqual({
    malformed: "it is not valid JSON: a comma is missing (line 3)",
    error: {
      code: "malformed-json",
      line: 3,
      message: "it is not valid JSON: a comma is missing",
      fix: "Add a comma between the two entries.",
    },
  });
  expect(readJson(filesOf(definitions), join(definitions, "b.json"))).toMatchObject({ malformed: "it is empty" });
  expect(readJson(filesOf(definitions), join(definitions, "c.json"))).toMatchObject({
    malformed: 'it is not valid JSON: "x" is not expected here (line 1)',
  });
  expect(readJson(filesOf(definitions), join(definitions, "d"))).toMatchObject({ malformed: "it is not a file" });
  expect(readJson(filesOf(definitions), join(definitions, "a.json/b.json"))).toEqual({ missing: true });
});

test("a text is read without its byte order mark; a missing one is undefined", () => {
  const definitions = writeDefinitions({ "a.md": "\uFEFF# Title\n" });
  expect(readText(filesOf(definitions), join(definitions, "a.md"))).toBe("# Title\n");
  expect(readText(filesOf(definitions), join(definitions, "b.md"))).toBeUndefined();
});
