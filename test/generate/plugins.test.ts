import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runCli } from "../command-line.ts";
import { makeProject } from "../project.ts";

it.each([
  ["claude", [".claude-plugin/plugin.json", ".claude-plugin/marketplace.json", ".mcp.json", "hooks/hooks.json"]],
  ["gemini", ["gemini-extension.json", "hooks/hooks.json", "GEMINI.md"]],
  ["codex", [".codex-plugin/plugin.json", ".agents/plugins/marketplace.json", "codex.mcp.json", "hooks/hooks.json"]],
])("a package for %s has what makes it one, and can be generated again", async (host, files) => {
  const project = makeProject();
  const out = join(project.root, "..", `${project.root.split("/").at(-1)}-plugin`);
  onTestFinished(() => rmSync(out, { recursive: true, force: true }));
  for (const _ of [1, 2]) {
    const { code, stderr } = await runCli(["generate", "story_bot", "--host", host, "--out", out], project.root);
    expect([code, stderr]).toEqual([0, ""]);
  }
  for (const file of files) expect(existsSync(join(out, file)), file).toBe(true);
  const hooks = readFileSync(join(out, "hooks/hooks.json"), "utf8");
  expect(hooks).toContain(`server.js\\" hook ${host} `);
  for (const event of Object.keys(JSON.parse(hooks).hooks)) expect(hooks).toContain(`hook ${host} ${event}`);
});

it("a host that has no plugins of ours is named as such", async () => {
  const { code, stderr } = await runCli(["generate", "story_bot", "--host", "zed"], makeProject().root);
  expect(code).toBe(1);
  expect(stderr).toContain("There is no plugin for zed");
});
