import { expect, test } from "vitest";
import { plant } from "./bots/plant.testing.ts";
import { readSettings } from "./settings.ts";

const defaults = { externalEdits: "obey", ordered: false };

test("without settings edits are obeyed and behaviors go in any order", () => {
  expect(readSettings(plant({}))).toEqual({ settings: defaults });
  expect(readSettings(plant({ "config.json": { $schema: "x", colour: "red" } }))).toEqual({ settings: defaults });
});

test("a team sets the order of behaviors and what becomes of edits", () => {
  const definitions = plant({ "config.json": { behaviors: "ordered", external_edits: "refuse" } });
  expect(readSettings(definitions)).toEqual({ settings: { externalEdits: "refuse", ordered: true } });
});

test("settings that cannot be understood are a problem, never a guess", () => {
  const wrong = ["{", "", [], { behaviors: "strict" }, { behaviors: null }, { external_edits: true }];
  for (const config of wrong)
    expect(readSettings(plant({ "config.json": config })).problem?.file).toBe(".waymark/config.json");
});
