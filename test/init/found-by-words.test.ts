import { expect, test } from "vitest";
import { openWindow } from "../window.ts";
import { makeBench } from "./bench.ts";

test.each([
  ["story-bot", "story_bot", ["user stories", "story map", "acceptance criteria"]],
  ["story-bot", "tests_bot", ["test plan", "tests for a story"]],
  ["test-generation", "start_workflow", ["write tests"]],
] as const)("%s: a search for what users say finds %s (%j)", async (template, tool, phrases) => {
  const bench = makeBench();
  bench.init({ template });
  const { client } = await openWindow(bench.root);
  const { tools } = await client.listTools();
  const found = (phrase: string): readonly string[] =>
    tools.filter(({ name, description }) => `${name} ${description}`.includes(phrase)).map(({ name }) => name);
  for (const phrase of phrases) expect(found(phrase), phrase).toContain(tool);
});
