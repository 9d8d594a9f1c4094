import { expect, test } from "vitest";
import { makeProject } from "../project.ts";
import { openWindow } from "../window.ts";

test("what is listed is what is defined now, also right after a call on the same connection", async () => {
  const project = makeProject();
  const { client, call } = await openWindow(project.root);
  await call("story_bot");
  const listed = async () => [
    (await client.listTools()).tools.map(({ name }) => name),
    (await client.listPrompts()).prompts.map(({ name }) => name),
    (await client.listResources()).resources.map(({ uri }) => uri),
  ];
  const before = await listed();
  project.write(".waymark/bots/story_bot/bot_config.json", { name: "story_bot", behaviors: ["shape", "extra"] });
  const after = await listed();
  expect(before[0]).toContain("discovery_bot");
  expect(after[0]).toEqual(["story_bot", "shape_bot", "extra_bot", "complete_action"]);
  expect(after[1]).toEqual(["story_bot", "shape_bot", "extra_bot", "author"]);
});
