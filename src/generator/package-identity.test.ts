import { describe, expect, test } from "vitest";
import { defaultName, identify, nameProblem } from "./package-identity.ts";

const story = { bot: "story_bot", description: undefined, tools: ["story_bot"], kept: {}, waymark: "0.1.0" };

test("a package is named after its bot, whatever the bot is called", () => {
  expect(defaultName("story_bot")).toBe("story-bot-mcp");
  expect(defaultName("Große Stöße")).toBe("gro-e-sto-e-mcp");
  expect(defaultName("物語")).toBe("bot-mcp");
  for (const bot of ["story_bot", "Große Stöße", "物語", "-x-", "a".repeat(300)]) {
    expect(nameProblem(defaultName(bot))).toBeUndefined();
  }
});

test("a package without a chosen name is private; choosing one makes it public, and the choice is kept", () => {
  expect(identify(story)).toMatchObject({ name: "story-bot-mcp", isPrivate: true });
  const chosen = identify({ ...story, name: "@acme/stories" });
  expect(chosen).toMatchObject({ name: "@acme/stories", bin: "stories", isPrivate: false });
  expect(identify({ ...story, kept: { name: "@acme/stories" } })).toMatchObject({
    name: "@acme/stories",
    isPrivate: false,
  });
  expect(identify({ ...story, kept: { name: "story-bot-mcp", private: true } })).toMatchObject({ isPrivate: true });
});

test("the registry's name follows the scope, unless the author has set another", () => {
  const named = (name: string, kept = {}) => identify({ ...story, name, kept }).mcpName;
  expect(named("stories")).toBe("io.github.your-name/stories");
  expect(named("@acme/stories")).toBe("io.github.acme/stories");
  expect(named("@acme/stories", { name: "stories", mcpName: "io.github.your-name/stories" })).toBe(
    "io.github.acme/stories",
  );
  expect(named("@acme/stories", { name: "stories", mcpName: "com.acme/stories" })).toBe("com.acme/stories");
  expect(named("@acme/stories", { mcpName: "not a name" })).toBe("io.github.acme/stories");
});

test.each([
  ["github:acme/bots", "https://github.com/acme/bots"],
  ["https://github.com/acme/bots", "https://github.com/acme/bots"],
  [{ type: "git", url: "git+https://github.com/acme/bots.git" }, "https://github.com/acme/bots"],
  ["git@gitlab.com:acme/bots.git", "https://gitlab.com/acme/bots"],
  ["https://example.com/acme/bots", undefined],
  [{ type: "git" }, undefined],
])("the repository %j is %s", (repository, url) => {
  expect(identify({ ...story, kept: { repository } }).repository?.url).toBe(url);
});

test("a server's and a tool's name together stay under 60 characters", () => {
  const tools = ["t".repeat(48)];
  for (const bot of ["story_bot", "a_very_long_name_for_a_bot_that_nobody_would_type"]) {
    expect(identify({ ...story, bot, tools }).key.length + 48).toBeLessThan(60);
  }
});

describe("the name of a package", () => {
  test.each(["stories", "@acme/stories-mcp", "s.t_o-r1es"])("may be %s", (name) => {
    expect(nameProblem(name)).toBeUndefined();
  });
  test.each(["Stories", "a b", "../x", "a/b", "@acme", ".hidden", "", "node_modules", "a".repeat(215)])(
    "may not be %j",
    (name) => {
      expect(nameProblem(name)).toBeDefined();
    },
  );
});
