import { cpSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { runCli } from "../command-line.ts";
import { addWorkflow, callPhase } from "../phased.ts";
import { makeProject, type Project } from "../project.ts";
import { openWindow } from "../window.ts";

/** A folder outside of every project. */
function outside(): string {
  const folder = mkdtempSync(join(tmpdir(), "waymark-outside-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Moves a file or folder of a project out of it, and lays a link in its place. */
function leadOut(project: Project, path: string): void {
  const moved = join(outside(), "moved");
  cpSync(project.path(path), moved, { recursive: true });
  rmSync(project.path(path), { recursive: true });
  symlinkSync(moved, project.path(path));
}

const gate = "evidence_schema:\n  note: { type: string, required: true, description: A note }\n";
const base = ".waymark/base_actions/gather_context";
const override = ".waymark/bots/story_bot/behaviors/shape/gather_context";

async function check(project: Project) {
  const { code, stdout } = await runCli(["check", "--root", project.root]);
  return { code, stdout };
}

// Attack (shell): Put a link that leads out of the definitions or the standards
// -> Refused: the gate is closed, and `check` says so
describe("an assistant with file tools lays a link out of the definitions", () => {
  test.each([
    ["at a gate file", `${base}/gate-definition.yaml`, `${base}/gate-definition.yaml`],
    ["at the folder of a gate", override, `${override}/gate-definition.yaml`],
    ["at an action's folder", base, `${base}/gate-definition.yaml`],
  ])("%s: the gate is closed, and check says so", async (_, link, file) => {
    const project = makeProject();
    project.write(file, gate);
    const window = await openWindow(project.root);
    await window.call("shape_bot");
    leadOut(project, link);
    const answer = await window.call("complete_action", { evidence: { note: "n" }, confirmation: "yes, done" });
    expect(answer).toMatchObject({ status: "refused", error: "invalid_definition" });
    const found = await check(project);
    expect(found.code).toBe(1);
    expect(found.stdout).toContain("outside the definitions folder");
  });

  test("at the folder of a gate, where none lies behind it any more: the gate is closed", async () => {
    const project = makeProject();
    project.write(`${override}/gate-definition.yaml`, gate);
    const window = await openWindow(project.root);
    await window.call("shape_bot");
    project.remove(override);
    symlinkSync(outside(), project.path(override));
    const answer = await window.call("complete_action", { confirmation: "yes, done" });
    expect(answer).toMatchObject({ status: "refused", error: "invalid_definition" });
  });

  test.each([
    ["at the instructions", `${base}/instructions.md`],
    ["at a behavior's own words", ".waymark/bots/story_bot/behaviors/shape/instructions.md"],
  ])("%s: they are not read, and check says so", async (_, file) => {
    const project = makeProject();
    project.write(file, "A secret of elsewhere.");
    leadOut(project, file);
    const window = await openWindow(project.root);
    expect(JSON.stringify(await window.call("shape_bot"))).not.toContain("A secret of elsewhere");
    expect(await check(project)).toMatchObject({ code: 1, stdout: expect.stringContaining(file) });
  });

  test.each(["bots", "bots/story_bot", "config.json"])(
    "at %s: nothing of the bot is served as if all were well",
    async (name) => {
      const project = makeProject();
      project.write(".waymark/config.json", {});
      leadOut(project, `.waymark/${name}`);
      const window = await openWindow(project.root);
      const { tools } = await window.client.listTools();
      const answer = tools.some((tool) => tool.name === "story_bot")
        ? await window.call("story_bot")
        : { error: "none" };
      expect(["invalid_definition", "none"]).toContain(answer.error);
      expect((await check(project)).code).toBe(1);
    },
  );

  test("at a phase's gate or its folder: the workflow does not start", async () => {
    for (const link of ["phases/2", "phases/1/phase.md", "."]) {
      const project = makeProject();
      addWorkflow(project);
      leadOut(project, join(".waymark/workflows/survey", link));
      const window = await openWindow(project.root);
      const answer = await callPhase(window, "start_workflow", { workflow_type: "survey" });
      expect(["invalid_definition", "unknown_workflow"]).toContain(answer.error);
      expect((await check(project)).code).toBe(1);
    }
  });

  test("at the folder of standards: nothing behind it is found, and that is said", async () => {
    const project = makeProject();
    project.write(".waymark/standards/secret.md", "# Zanzibar\n\nThe Zanzibar secret is forty-two.\n");
    leadOut(project, ".waymark/standards");
    const window = await openWindow(project.root);
    const found = await window.client.callTool({ name: "search_standards", arguments: { query: "Zanzibar secret" } });
    expect(JSON.stringify(found)).not.toContain("forty-two");
    expect((await check(project)).stdout).toContain("points outside the standards folder");
  });

  test("at the folder of the index: nothing is written behind it", async () => {
    const project = makeProject();
    project.write(".waymark/standards/a.md", "# Tea\n\nServe it hot.\n");
    const folder = outside();
    symlinkSync(folder, project.path(".waymark/index"));
    const window = await openWindow(project.root);
    await window.client.callTool({ name: "search_standards", arguments: { query: "tea" } });
    await window.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  test("at .waymark itself: nothing is served from it", async () => {
    const project = makeProject();
    const folder = outside();
    renameSync(project.path(".waymark"), join(folder, "moved"));
    symlinkSync(join(folder, "moved"), project.path(".waymark"));
    const window = await openWindow(project.root);
    await expect(window.client.listTools()).rejects.toThrow(".waymark is a link");
    const found = await check(project);
    expect(found.code).toBe(1);
    expect(found.stdout).toContain("outside the definitions folder");
  });
});

test("a link that stays inside the definitions works, and a folder named with --definitions may be one", async () => {
  const project = makeProject();
  writeFileSync(project.path(`${base}/shared.yaml`), gate);
  symlinkSync("shared.yaml", project.path(`${base}/gate-definition.yaml`));
  const elsewhere = outside();
  renameSync(project.path(".waymark"), join(elsewhere, "process"));
  symlinkSync(join(elsewhere, "process"), join(elsewhere, "linked"));
  mkdirSync(project.path("work"));
  const window = await openWindow(project.root, { args: ["--definitions", join(elsewhere, "linked")] });
  await window.call("shape_bot");
  expect(await window.call("complete_action", { confirmation: "yes, done" })).toMatchObject({ status: "refused" });
  const done = await window.call("complete_action", { evidence: { note: "n" }, confirmation: "yes, done" });
  expect(done).toMatchObject({ status: "completed" });
});
