import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { filesOf } from "../snapshot/files-of.testing.ts";
import { readBotTrees } from "./bot-trees.ts";
import { chooseServed } from "./choose-served.ts";
import { writeDefinitions } from "./write-definitions.testing.ts";

function serve(areas: Readonly<Record<string, string | undefined>>, working: readonly string[] = []) {
  const files = Object.entries(areas).map(([name, area]) => [
    `bots/${name}/bot_config.json`,
    { behaviors: ["shape"], project_area: area },
  ]);
  const definitions = writeDefinitions({ ...Object.fromEntries(files), "../inside/x.md": "" });
  const root = dirname(definitions);
  const { bots } = readBotTrees(filesOf(definitions));
  const chosen = chooseServed(filesOf(definitions), bots, {
    root,
    projectArea: root,
    atWork: new Map([[root, working]]),
  });
  return { ...chosen, root, names: chosen.served.map(({ bot }) => bot.name) };
}

test("two bots in one project area are both served; the files of the first by name are in it", () => {
  const { names, served } = serve({ story_bot: undefined, draw_bot: undefined });
  expect(names).toEqual(["draw_bot", "story_bot"]);
  expect(served.map(({ isGuest }) => isGuest)).toEqual([undefined, true]);
});

test("the bot already at work there keeps its files in the project area", () => {
  const { served } = serve({ story_bot: undefined, draw_bot: undefined }, ["gone_bot", "story_bot"]);
  expect(served.map(({ bot, isGuest }) => [bot.name, isGuest])).toEqual([
    ["draw_bot", true],
    ["story_bot", undefined],
  ]);
});

test("a bot with a project area of its own works beside the others", () => {
  const { served, root } = serve({ story_bot: undefined, draw_bot: "docs/draw" });
  expect(served.map(({ bot, projectArea, isGuest }) => [bot.name, projectArea, isGuest])).toEqual([
    ["draw_bot", join(root, "docs/draw"), undefined],
    ["story_bot", root, undefined],
  ]);
});

test("two ways of writing one project area are one project area", () => {
  expect(serve({ a: "docs", b: "docs/../docs/." }).served[1]?.isGuest).toBe(true);
  expect(serve({ a: ".", b: undefined }).served[1]?.isGuest).toBe(true);
});

test("a project area outside the root is a problem, and its bot is not served", () => {
  for (const area of ["..", "../elsewhere", "/etc", "docs/../../x"]) {
    const { names, problems } = serve({ a: area, b: undefined });
    expect(names).toEqual(["b"]);
    expect(problems[0]?.file).toBe(".waymark/bots/a/bot_config.json");
  }
});

test("a link is followed before it is decided whether a project area is inside", () => {
  const definitions = writeDefinitions({
    "bots/a/bot_config.json": { behaviors: ["shape"], project_area: "out/deep" },
  });
  const root = join(dirname(definitions), "root");
  mkdirSync(root);
  symlinkSync(dirname(definitions), join(root, "out"));
  const { served, problems } = chooseServed(filesOf(definitions), readBotTrees(filesOf(definitions)).bots, {
    root,
    projectArea: root,
  });
  expect(served).toEqual([]);
  expect(problems).toHaveLength(1);
});

test("the files in a project area are those of a bot that can be read", () => {
  const definitions = writeDefinitions({
    "bots/a/bot_config.json": "{",
    "bots/b/bot_config.json": { behaviors: ["shape"] },
  });
  const root = dirname(definitions);
  const { served } = chooseServed(filesOf(definitions), readBotTrees(filesOf(definitions)).bots, {
    root,
    projectArea: root,
  });
  expect(served.map(({ bot, isGuest }) => [bot.name, isGuest])).toEqual([
    ["a", true],
    ["b", undefined],
  ]);
});
