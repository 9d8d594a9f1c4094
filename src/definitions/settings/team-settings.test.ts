import { expect, test } from "vitest";
import { writeDefinitions } from "../bots/write-definitions.testing.ts";
import { filesOf } from "../snapshot/files-of.testing.ts";
import { readSearchSettings } from "./search-settings.ts";
import { readSettings } from "./team-settings.ts";

const defaults = { externalEdits: "obey", ordered: false, strict: false, history: "local" };

test("without settings edits are obeyed and behaviors go in any order", () => {
  expect(readSettings(filesOf(writeDefinitions({})))).toEqual({ settings: defaults });
  expect(readSettings(filesOf(writeDefinitions({ "config.json": { $schema: "x", colour: "red" } })))).toEqual({
    settings: defaults,
  });
});

test("a team sets the order of behaviors, what becomes of edits and where histories are kept", () => {
  const config = { behaviors: "ordered", external_edits: "refuse", strict: true, history: "committed" };
  expect(readSettings(filesOf(writeDefinitions({ "config.json": config })))).toEqual({
    settings: { externalEdits: "refuse", ordered: true, strict: true, history: "committed" },
  });
});

test("settings that cannot be understood are a problem, never a guess", () => {
  const wrong = [
    "{",
    "",
    [],
    { behaviors: "strict" },
    { behaviors: null },
    { external_edits: true },
    { strict: "yes" },
    { history: "git" },
  ];
  for (const config of wrong)
    expect(readSettings(filesOf(writeDefinitions({ "config.json": config }))).problem?.file).toBe(
      ".waymark/config.json",
    );
});

test("embeddings and the budget of an answer are set under search; what is wrong there is said, and search goes without", () => {
  const search = { budget: 300, embeddings: { url: "http://localhost:11434/v1", model: "nomic", api_key_env: "KEY" } };
  expect(readSearchSettings(filesOf(writeDefinitions({ "config.json": { search } })))).toEqual({
    budget: 300,
    embeddings: { url: "http://localhost:11434/v1", model: "nomic", apiKeyEnv: "KEY" },
    warnings: [],
  });
  expect(readSearchSettings(filesOf(writeDefinitions({})))).toEqual({ warnings: [] });
  for (const wrong of [
    [],
    { budget: -1 },
    { embeddings: { url: "ftp://x", model: "m" } },
    { embeddings: { url: 5 } },
  ]) {
    const read = readSearchSettings(filesOf(writeDefinitions({ "config.json": { search: wrong } })));
    expect([read.embeddings, read.budget, read.warnings.length]).toEqual([undefined, undefined, 1]);
  }
});
