import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { projectFrom } from "../examples/walk.ts";

test("a generated server brings the workflows that its bot's actions call, and no others", async () => {
  const root = projectFrom("story-bot");
  const { cpSync } = await import("node:fs");
  cpSync(join(root, ".waymark/workflows/story-tests.md"), join(root, ".waymark/workflows/other.md"));
  const out = join(root, "out");
  const { code, stderr } = await runCli(["generate", "story_bot", "--out", out, "--root", root]);
  expect([code, stderr]).toEqual([0, ""]);
  const has = (name: string) => existsSync(join(out, "definitions/workflows", name));
  expect(["story-scenarios.md", "story-tests.md", "other.md"].map(has)).toEqual([true, true, false]);
});
