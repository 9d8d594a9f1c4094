import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Ended, runCli } from "../command-line.ts";
import { actions, type Project, projectAt } from "../project.ts";
import { git, makeRepository } from "../repository.ts";
import { openWindow } from "../window.ts";

const gate = ".waymark/base_actions/gather_context/gate-definition.yaml";
const asking = (least: number): string => `evidence_schema:\n  sources: {type: integer, validator: {min: ${least}}}\n`;
const ofRun = (run: string): string => `.waymark/journal/runs/story_bot/${run.replaceAll("/", "%2F")}.jsonl`;
const ownFiles = ["runs", "tmp", "held", "kept", "sessions", "state", "open", "index", "backups"];
const ignored = ["workflow_state.json", "activity_log.json", ...ownFiles.map((name) => `.waymark/${name}/`)];

function commit(project: Project, message: string): void {
  git(project.root, "add", "-A");
  git(project.root, "commit", "-q", "--allow-empty", "-m", message);
}

/** The main branch of a project whose git keeps the histories. */
function agreed(): Project {
  const project = makeRepository();
  project.write(".gitignore", `${ignored.join("\n")}\n.waymark/journal/**/*.published\n.waymark/journal/**/*.shown\n`);
  project.write(".waymark/config.json", { history: "committed" });
  project.write(".waymark/identity.json", { project: "5e".repeat(16) });
  project.write(gate, asking(3));
  commit(project, "what was agreed on");
  return project;
}

/** A clone on a machine of its own, with the branch of a pull request. */
function cloneOf(project: Project, branch?: string): Project {
  const root = mkdtempSync(join(tmpdir(), "waymark-pull-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  git(root, "clone", "-q", project.root, "clone");
  const clone = projectAt(join(root, "clone"));
  if (branch !== undefined) git(clone.root, "checkout", "-q", "-b", branch);
  return clone;
}

async function walk(project: Project, run?: string, sources = 3): Promise<void> {
  const window = await openWindow(project.root);
  const named = run === undefined ? {} : { run };
  for (const _ of actions) {
    await window.call("shape_bot", named);
    await window.call("complete_action", { ...named, evidence: { sources }, confirmation: "yes" });
  }
  await window.close();
  commit(project, "walked");
}

/** Merges a pull request into the main branch. */
function merge(project: Project, clone: Project, branch: string): void {
  git(project.root, "fetch", "-q", clone.root, `${branch}:${branch}`);
  git(project.root, "merge", "-q", "--no-ff", "-m", "merged", branch);
}

/** Judges a pull request on a machine that has seen nothing, as the recommended job does. */
function judge(clone: Project, ...more: string[]): Promise<Ended> {
  git(clone.root, "fetch", "-q", "origin");
  const machine = mkdtempSync(join(tmpdir(), "waymark-machine-"));
  onTestFinished(() => rmSync(machine, { recursive: true, force: true }));
  return runCli(["verify", "--root", clone.root, "--require", "shape", "--base", "origin/main", ...more], undefined, {
    XDG_STATE_HOME: machine,
  });
}

test("a pull request that was walked by the agreed definitions passes, also after the main branch moved on", async () => {
  const project = agreed();
  const clone = cloneOf(project, "feature/tea");
  await walk(clone, "feature/tea");
  expect(await judge(clone)).toMatchObject({ code: 0, stdout: expect.stringContaining("completed as defined") });
  project.write(gate, asking(5));
  commit(project, "five sources from now on");
  const moved = await judge(clone);
  expect([moved.code, moved.stdout]).toEqual([0, expect.stringContaining("Compared with the base origin/main")]);
  git(clone.root, "merge", "-q", "-m", "up to date", "origin/main");
  expect((await judge(clone)).stdout).toContain("gather_context was judged by a different gate");
});

test("a pull request cannot pass by a walk that met the weakest gate the main branch ever had", async () => {
  const project = agreed();
  project.write(gate, asking(0));
  commit(project, "weak for a day");
  const clone = cloneOf(project);
  project.write(gate, asking(3));
  commit(project, "strict again");
  await walk(clone, "feature/weak", 0);
  const journal = clone.read(ofRun("feature/weak"));
  git(clone.root, "fetch", "-q");
  git(clone.root, "checkout", "-q", "-B", "feature/weak", "origin/main");
  clone.write(ofRun("feature/weak"), journal);
  commit(clone, "a walk by what once was");
  const { code, stdout } = await judge(clone);
  expect([code, stdout]).toEqual([1, expect.stringContaining("gather_context was judged by a different gate")]);
});

test.each([["feature/tea"], ["Feature/Tea"], ["ｆeature/tea"]])(
  "a branch that is named like a merged run (%s) cannot pass by the walk of that run",
  async (branch) => {
    const project = agreed();
    const first = cloneOf(project, "feature/tea");
    await walk(first, "feature/tea");
    merge(project, first, "feature/tea");
    const clone = cloneOf(project, branch === "feature/tea" ? "feature/tea" : branch);
    clone.write("feature.md", "nothing of it was walked\n");
    commit(clone, "a feature");
    for (const more of [[], ["--run", branch]]) {
      const { code, stdout } = await judge(clone, ...more);
      expect([code, stdout]).toEqual([1, expect.stringContaining("completed before this change, in the base")]);
    }
  },
);

test("a pull request cannot remove one run's history or change the last record of another", async () => {
  const project = agreed();
  for (const run of ["one", "two"]) await walk(project, run);
  const clone = cloneOf(project, "feature/tea");
  await walk(clone, "feature/tea");
  clone.remove(ofRun("one"));
  clone.write(
    ofRun("two"),
    clone.read(ofRun("two")).replace(/"confirmation":"yes"|"text":"yes"(?=[^\n]*\n$)/, '"text":"sure"'),
  );
  commit(clone, "tidied up");
  const { code, stdout } = await judge(clone);
  expect(code).toBe(1);
  expect(stdout).toMatch(/one\.jsonl: \d+ records of the base, and here its history is gone/);
  expect(stdout).toMatch(/two\.jsonl: record \d+ is not the one of the base/);
});

test("a pull request cannot change what judges it: definitions, settings or approvers, without --allow-definitions", async () => {
  const project = agreed();
  const clone = cloneOf(project, "feature/tea");
  await walk(clone, "feature/tea");
  clone.write(".waymark/approvers.json", { approvers: [] });
  clone.write(".waymark/config.json", { history: "committed", strict: false });
  commit(clone, "settings");
  const { code, stdout } = await judge(clone);
  expect([code, stdout]).toEqual([1, expect.stringContaining("edits the definitions: approvers.json, config.json")]);
  expect((await judge(clone, "--allow-definitions")).code).toBe(0);
});

test("a marker that one machine committed says nothing on another: no clone begins again", async () => {
  const project = agreed();
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  await window.call("complete_action", { evidence: { sources: 3 }, confirmation: "yes" });
  await window.close();
  git(project.root, "add", "-f", ".waymark/journal/story_bot.published");
  commit(project, "with the marker");
  const clone = cloneOf(project);
  const next = await openWindow(clone.root);
  expect(await next.call("shape_bot")).toMatchObject({ action: "decide_planning_criteria" });
  await next.close();
});

test("a machine that only ever verified a history notices that it was rolled back", async () => {
  const project = agreed();
  await walk(project);
  const clone = cloneOf(project);
  const verify = (): Promise<Ended> => runCli(["verify", "--root", clone.root]);
  expect((await verify()).code).toBe(0);
  const journal = ".waymark/journal/story_bot.jsonl";
  clone.write(journal, `${clone.read(journal).split("\n").slice(0, 3).join("\n")}\n`);
  expect(await verify()).toMatchObject({ code: 1, stdout: expect.stringContaining("rolled back") });
});

void [copyFileSync, cpSync, mkdirSync, writeFileSync, dirname];
