import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { filesOf } from "../snapshot/files-of.testing.ts";
import { readBotTree, readBotTrees } from "./bot-trees.ts";
import { addDefinitions, botWith, compiled, onlyBot, writeDefinitions } from "./write-definitions.testing.ts";

const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);

test("a folder is a bot if it or its config folder has a bot config", () => {
  const definitions = writeDefinitions({
    "bots/story_bot/bot_config.json": { behaviors: ["shape"] },
    "bots/a_bot/config/bot_config.json": { behaviors: ["shape"], description: "Draws maps", goal: "A map" },
    "bots/base_bot/base_actions/gather_context/action_config.json": { order: 1 },
    "bots/readme.md": "# Bots",
  });
  const { bots, problems } = readBotTrees(filesOf(definitions));
  expect(names(bots)).toEqual(["a_bot", "story_bot"]);
  expect(bots[0]).toMatchObject({ configFile: ".waymark/bots/a_bot/config/bot_config.json", goal: "A map" });
  expect(problems).toEqual([]);
  expect(readBotTree(filesOf(definitions), `${definitions}/bots/base_bot`)).toBeUndefined();
});

test("the config's name wins over the folder's", () => {
  const definitions = writeDefinitions({
    "bots/1_stories/bot_config.json": { name: "story_bot", behaviors: ["shape"] },
    "bots/2_drawings/bot_config.json": { behaviors: ["shape"] },
    "base_actions/gather/action_config.json": { name: "gather_context", order: 1 },
  });
  const { bots } = readBotTrees(filesOf(definitions));
  expect(names(bots)).toEqual(["drawings", "story_bot"]);
  expect(names(bots[0]?.actions ?? [])).toEqual(["gather_context"]);
});

test("for two bots with the same name the first folder counts, with a problem for the author", () => {
  const config = { name: "story_bot", behaviors: ["shape"] };
  const { bots, problems } = readBotTrees(
    filesOf(writeDefinitions({ "bots/a/bot_config.json": config, "bots/b/bot_config.json": config })),
  );
  expect(bots).toHaveLength(1);
  expect(problems[0]?.file).toBe(".waymark/bots/b/bot_config.json");
});

test("of two actions with one name the nearest counts: the bot's own, then base_bot's, then the shared one", () => {
  const definitions = writeDefinitions({
    ...botWith({ a: { order: 1 }, b: { order: 2 }, c: { order: 3 } }),
    "bots/base_bot/base_actions/b/action_config.json": { order: 20 },
    "bots/base_bot/base_actions/c/action_config.json": { order: 30 },
    "bots/story_bot/base_actions/3_c/action_config.json": { order: 300 },
    "bots/story_bot/base_actions/a/left_over.tmp": "",
  });
  const bot = onlyBot(definitions);
  expect(bot.actions.map(({ config }) => config?.order)).toEqual([1, 20, 300]);
  expect(bot.problems).toEqual([]);
});

test("behaviors are listed in the config, numbered or not, as names or objects", () => {
  const definitions = writeDefinitions({
    "bots/story_bot/bot_config.json": {
      behaviors: ["1_shape", { name: "discovery", folder: "exploring" }, "4_tests", "shape", { actions: [] }, 7],
    },
    "bots/story_bot/behaviors/1_shape/instructions.md": "Shape.",
    "bots/story_bot/behaviors/exploring/instructions.md": "Explore.",
    "bots/story_bot/4_tests/instructions.md": "Test.",
  });
  const { behaviors, problems, folder } = onlyBot(definitions);
  expect(names(behaviors)).toEqual(["shape", "discovery", "tests"]);
  expect(behaviors.map((behavior) => behavior.folder?.slice(folder.length + 1))).toEqual([
    "behaviors/1_shape",
    "behaviors/exploring",
    "4_tests",
  ]);
  expect(problems.map(({ message }) => message)).toEqual([
    "shape is listed twice; the first entry counts",
    "an entry of behaviors has no name and is ignored",
    "an entry of behaviors has no name and is ignored",
  ]);
});

test("without a list the behavior folders count, by number, then by name", () => {
  const definitions = writeDefinitions({
    "bots/story_bot/bot_config.json": {},
    "bots/story_bot/behaviors/10_tests/x.md": "",
    "bots/story_bot/behaviors/2_discovery/x.md": "",
    "bots/story_bot/behaviors/1_form/behavior.json": { name: "shape" },
    "bots/story_bot/behaviors/extra/x.md": "",
  });
  expect(names(onlyBot(definitions).behaviors)).toEqual(["shape", "discovery", "tests", "extra"]);
});

test("a listed behavior finds its folder by the name that the folder's own config gives it", () => {
  const definitions = writeDefinitions({
    ...botWith({ a: {}, b: {} }),
    "bots/story_bot/behaviors/1_form/behavior_config.json": { name: "shape", actions: ["b"] },
  });
  expect(names(compiled(definitions).steps)).toEqual(["b"]);
});

test("a behavior without a folder is one; with a folder that is named and missing it is closed", () => {
  const definitions = writeDefinitions({
    ...botWith({ a: {} }),
    "bots/story_bot/bot_config.json": { behaviors: ["shape", { name: "tests", folder: "gone" }] },
  });
  expect(compiled(definitions).steps).toHaveLength(1);
  expect(compiled(definitions, "tests").closed?.message).toBe("the folder of tests does not exist");
});

test("a bot that cannot be used is broken, with the file to fix, and harms no other bot", () => {
  const configs = ["{", "[]", "", { behaviors: "shape" }, { behaviors: [] }, {}, { behaviors: ["a"], project_area: 7 }];
  for (const config of configs) {
    const definitions = writeDefinitions({
      "bots/bad/bot_config.json": config,
      "bots/good/bot_config.json": { behaviors: ["shape"] },
    });
    const [bad, good] = readBotTrees(filesOf(definitions)).bots;
    expect(bad?.broken?.file).toBe(".waymark/bots/bad/bot_config.json");
    expect(bad?.problems).toContainEqual(bad?.broken);
    expect(good?.broken).toBeUndefined();
  }
});

test("a folder that is there and cannot be read breaks the bot: it may hold gates", () => {
  for (const folder of ["base_actions", "bots/story_bot/base_actions", "bots/story_bot/behaviors"]) {
    const definitions = writeDefinitions({ "bots/story_bot/bot_config.json": { behaviors: ["shape"] } });
    symlinkSync(join(definitions, folder), join(definitions, folder));
    expect(onlyBot(definitions).broken).toMatchObject({
      file: `.waymark/${folder}`,
      message: "it cannot be read (ELOOP)",
    });
  }
});

test("trigger words are words, also where they look like broken patterns", () => {
  const definitions = writeDefinitions({
    "bots/story_bot/bot_config.json": { behaviors: ["shape"], trigger_words: ["story map", "(unclosed[", 7, " "] },
  });
  const bot = onlyBot(definitions);
  expect(bot.triggerWords).toEqual(["story map", "(unclosed["]);
  expect(bot.problems).toMatchObject([
    { file: ".waymark/bots/story_bot/bot_config.json", message: "trigger_words must be a list of strings" },
  ]);
});

test("a byte order mark and trailing blank lines are fine", () => {
  const config = `\uFEFF${JSON.stringify({ behaviors: ["shape"] })}\r\n\r\n\n`;
  expect(onlyBot(writeDefinitions({ "bots/story_bot/bot_config.json": config })).broken).toBeUndefined();
});

test("a name cannot contain what full paths are made of", () => {
  const definitions = writeDefinitions({ "bots/x/bot_config.json": { name: "../my.bot", behaviors: ["a/b"] } });
  const bot = onlyBot(definitions);
  expect([bot.name, ...names(bot.behaviors)]).toEqual(["_my_bot", "a_b"]);
});

test("definitions are read live: an edit, an added and a removed action count at the next reading", () => {
  const definitions = writeDefinitions(botWith({ a: { order: 1 }, b: { order: 2 } }));
  expect(names(compiled(definitions).steps)).toEqual(["a", "b"]);
  addDefinitions(definitions, botWith({ a: { order: 3 }, b: { order: 2 }, c: { order: 9 } }));
  expect(names(compiled(definitions).steps)).toEqual(["b", "a", "c"]);
});

test("a definitions folder that does not exist holds no bots", () => {
  expect(readBotTrees(filesOf("/nowhere/.waymark"))).toEqual({ bots: [], problems: [] });
});
