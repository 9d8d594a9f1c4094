import fc from "fast-check";
import { expect, test } from "vitest";
import { toolNames } from "./tool-names.ts";

const bot = (name: string, ...behaviors: string[]) => ({
  name,
  behaviors: behaviors.map((behavior) => ({ name: behavior })),
});

test("the bot's tool is named as the bot, a behavior's tool <behavior>_bot", () => {
  expect(toolNames([bot("story_bot", "shape", "discovery")])).toEqual([
    {
      bot: "story_bot",
      tool: "story_bot",
      behaviors: [
        { behavior: "shape", tool: "shape_bot" },
        { behavior: "discovery", tool: "discovery_bot" },
      ],
    },
  ]);
});

test("on a collision with a bot or another behavior it is <bot>_<behavior>, for both", () => {
  const [first, second] = toolNames([bot("story_bot", "story", "shape"), bot("draw", "shape", "tests")]);
  expect(first?.behaviors.map(({ tool }) => tool)).toEqual(["story_bot_story", "story_bot_shape"]);
  expect(second?.behaviors.map(({ tool }) => tool)).toEqual(["draw_shape", "tests_bot"]);
});

test("a bot cannot take the name of a tool that is always there", () => {
  expect(toolNames([bot("complete_action", "shape")])[0]?.tool).toBe("complete_action_bot");
});

test("whatever bots and behaviors are called, every tool has a name of its own that a client accepts, on every start", () => {
  const name = fc.oneof(fc.constantFrom("a", "a_bot", "a b", "机器", "x".repeat(60)), fc.string({ minLength: 1 }));
  const bots = fc.uniqueArray(
    fc.record({ name, behaviors: fc.uniqueArray(fc.record({ name }), { selector: (one) => one.name }) }),
    { selector: (one) => one.name },
  );
  fc.assert(
    fc.property(bots, (trees) => {
      const named = toolNames(trees);
      const tools = named.flatMap(({ tool, behaviors }) => [tool, ...behaviors.map((one) => one.tool)]);
      expect(new Set([...tools, "complete_action"]).size).toBe(tools.length + 1);
      for (const tool of tools) expect(tool).toMatch(/^[a-zA-Z0-9_-]{1,48}$/);
      expect(toolNames(trees)).toEqual(named);
    }),
  );
});
