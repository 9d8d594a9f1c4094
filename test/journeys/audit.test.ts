import { spawn } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { describe, expect, onTestFinished, test } from "vitest";
import { runCli, waymark } from "../command-line.ts";
import { addWorkflow, callPhase, evidenceFor } from "../phased.ts";
import { actions, makeProject, type Project } from "../project.ts";
import { openWindow } from "../window.ts";

const journal = ".waymark/journal/story_bot.jsonl";

async function walked(): Promise<Project> {
  const project = makeProject();
  const window = await openWindow(project.root);
  for (const name of actions) await window.pass("shape_bot", { outputs: { done: name } });
  await window.close();
  return project;
}

const verify = (project: Project, ...more: string[]): ReturnType<typeof runCli> =>
  runCli(["verify", "--root", project.root, ...more]);

describe("waymark verify", () => {
  test("a history that nobody touched is whole, and says what a chain can show and what it cannot", async () => {
    const project = await walked();
    const { code, stdout } = await verify(project);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /✓ story_bot: 10 records, head [0-9a-f]{16}, workflow_state.json current, activity_log.json current/,
    );
    expect(stdout).toMatch(/a full rewrite by someone who can write the files would not show/);
    expect(JSON.parse((await verify(project, "--json")).stdout)).toMatchObject({ whole: true, problems: [] });
  });

  // Attack (file tools): Change, drop or insert a record
  // -> Exposed by `verify`: the first broken record
  test.each([
    [
      "a changed record",
      (lines: string[]) => lines.with(3, lines[3]?.replace("yes, done", "yes, gone") ?? ""),
      /line 4 \(byte \d+\), record 4/,
    ],
    ["a dropped record", (lines: string[]) => lines.toSpliced(4, 1), /record 5/],
    [
      "a record put in",
      (lines: string[]) => lines.toSpliced(4, 0, (lines[4] ?? "").replace("shape", "sharp")),
      /record [45]/,
    ],
    ["a damaged record", (lines: string[]) => lines.with(5, lines[5]?.slice(0, 40) ?? ""), /record 6/],
  ])("%s is found, with its place, and the command fails", async (_, spoil, place) => {
    const project = await walked();
    const lines = project.read(journal).trimEnd().split("\n");
    writeFileSync(project.path(journal), `${spoil(lines).join("\n")}\n`);
    const { code, stdout } = await verify(project);
    expect(code).toBe(1);
    expect(stdout).toMatch(place);
    const data = JSON.parse((await verify(project, "--json")).stdout);
    expect(data.whole).toBe(false);
  });

  test("a history cut off at its end does not fit the files that show it; a history that is gone is missed", async () => {
    const project = await walked();
    const lines = project.read(journal).trimEnd().split("\n");
    writeFileSync(project.path(journal), `${lines.slice(0, 6).join("\n")}\n`);
    expect((await verify(project)).stdout).toMatch(/workflow_state.json differs from the history/);
    rmSync(project.path(journal));
    const { code, stdout } = await verify(project);
    expect([code, stdout]).toEqual([1, expect.stringContaining("story_bot: its history is gone")]);
    const window = await openWindow(project.root);
    expect((await window.call("shape_bot")).warnings.join()).toMatch(/The history of story_bot, .* is gone/);
    await window.close();
    expect(await verify(project)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/an earlier history of at least \d+ records? is gone/),
    });
  });

  // Attack (yourself): Rewrite the whole history, hashes and files included, and make the machine forget (its state folder)
  test("a signed head shows even a full rewrite", async () => {
    const project = await walked();
    const key = project.path("../key-of-owner");
    rmSync(key, { force: true });
    rmSync(`${key}.pub`, { force: true });
    onTestFinished(() => {
      rmSync(key, { force: true });
      rmSync(`${key}.pub`, { force: true });
    });
    expect((await runCli(["verify", "--new-key", key])).code).toBe(0);
    expect((await verify(project, "--sign", key)).stdout).toContain("Signed 1 head");
    expect(await verify(project, "--key", `${key}.pub`)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/head 10 signed \S+: holds/),
    });
    const heads = project.read(".waymark/heads/story_bot.jsonl");
    for (const spoilt of ["", "not a head\n"]) {
      project.write(".waymark/heads/story_bot.jsonl", spoilt);
      const { code, stdout } = await verify(project, "--key", `${key}.pub`, "--require", "shape");
      expect([code, stdout]).toEqual([1, expect.stringContaining("none of its heads was signed with a given key")]);
    }
    project.write(".waymark/heads/story_bot.jsonl", heads);
    const other = await walked();
    writeFileSync(project.path(journal), readFileSync(other.path(journal)));
    for (const file of ["workflow_state.json", "activity_log.json"]) project.write(file, other.read(file));
    const { code, stdout } = await verify(project, "--key", `${key}.pub`);
    expect([code, stdout]).toEqual([1, expect.stringContaining("belongs to another history")]);
    expect((await verify(project)).code).toBe(1); // the head that is kept says so even without the key
  });

  test("--require is met by a workflow that was walked to the end with an untouched history, and by no other", async () => {
    const project = await walked();
    addWorkflow(project, { phases: 2 });
    expect((await verify(project, "--require", "shape")).code).toBe(0);
    expect((await verify(project, "--require", "story_bot.shape")).code).toBe(0);
    expect((await verify(project, "--require", "discovery")).stdout).toContain("discovery was never started");
    const window = await openWindow(project.root);
    const { session_id } = await callPhase(window, "start_workflow", { workflow_type: "survey", target_file: "a.ts" });
    await callPhase(window, "complete_phase", { session_id, phase: 1, evidence: evidenceFor(1) });
    expect(await verify(project, "--require", "survey")).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("survey is not finished"),
    });
    await callPhase(window, "complete_phase", { session_id, phase: 2, evidence: evidenceFor(2) });
    expect((await verify(project, "--require", "survey")).code).toBe(0);
    expect((await verify(project, "--require", "survey", "--target", "a.ts")).code).toBe(0);
    expect((await verify(project, "--require", "survey", "--target", "b.ts")).code).toBe(1);
    project.write("workflow_state.json", {
      ...project.state(),
      current_action: "story_bot.shape.render_output",
      action_state: "started",
    });
    await window.call("story_bot");
    expect((await verify(project, "--require", "shape")).code).toBe(1);
  });
});

describe("the log", () => {
  test("--verify marks what was voided, edited and adopted", async () => {
    const project = await walked();
    await runCli(["back", "build_knowledge", "--behavior", "shape", "--root", project.root]);
    project.write("workflow_state.json", {
      ...project.state(),
      current_action: "story_bot.shape.gather_context",
      action_state: "started",
    });
    const window = await openWindow(project.root);
    await window.call("story_bot");
    const rows = JSON.parse((await runCli(["log", "--verify", "--json", "--root", project.root])).stdout);
    const marked = rows.filter(({ mark }: { mark?: string }) => mark !== undefined);
    expect(marked.filter(({ mark }: { mark: string }) => mark === "voided").length).toBeGreaterThanOrEqual(3);
    expect(marked).toContainEqual(expect.objectContaining({ event: "state_edited", mark: "edited" }));
    expect((await runCli(["log", "--verify", "--root", project.root])).stdout).toContain("The chain is intact.");
  });

  test.each([
    ["log", "--follow"],
    ["status", "--watch"],
  ])("%s %s sees what another process records", async (...args) => {
    const project = makeProject();
    const window = await openWindow(project.root);
    await window.call("shape_bot");
    const child = spawn(process.execPath, [waymark, ...args, "--json", "--root", project.root], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill());
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    expect((await lines.next()).value).toContain("gather_context");
    await window.call("complete_action", { confirmation: "yes, it is done" });
    for (;;) {
      const { value } = await lines.next();
      if (String(value).includes("completed")) break;
    }
  });
});

test("waymark export writes the audit as Markdown and JSON", async () => {
  const project = await walked();
  const out = project.path("audit");
  const { code, stdout } = await runCli(["export", "--out", out, "--root", project.root]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("audit.md")]);
  expect(project.read("audit/audit.md")).toMatch(/\| completed \| shape\.gather_context \| relayed: "yes, done"/);
  const data = project.json("audit/audit.json");
  expect(data).toMatchObject({ desks: [{ desk: "story_bot", records: 10, whole: true }] });
});
