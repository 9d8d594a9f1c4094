import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { type Ended, runCli, waymark } from "../command-line.ts";
import { actions, type Project } from "../project.ts";
import { git, makeRepository } from "../repository.ts";
import { openWindow } from "../window.ts";

type Step = { run?: string; "working-directory"?: string; env?: Record<string, string>; with?: { path?: string } };

type Job = "walked" | "rechecked";

/** A job of the workflow files that the docs show, as its steps. */
function stepsOfDocs(job: Job): readonly Step[] {
  const page = readFileSync(join(import.meta.dirname, "../../docs/ci.md"), "utf8");
  const files = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, text]) => parse(text ?? ""));
  return files.find(({ jobs }) => job in jobs).jobs[job].steps;
}

/** Does what a workflow file says, as a new machine would: both checkouts, then each command, until one fails. */
async function runGate(project: Project, branch: string, job: Job = "walked"): Promise<Ended> {
  const runner = mkdtempSync(join(tmpdir(), "waymark-ci-"));
  onTestFinished(() => rmSync(runner, { recursive: true, force: true }));
  const refs: Record<string, string> = { agreed: "main", proposed: branch };
  let ended: Ended = { code: 1, stdout: "", stderr: "no step" };
  for (const { run, env = {}, with: given, "working-directory": folder = "." } of stepsOfDocs(job)) {
    const path = given?.path;
    if (path !== undefined) git(runner, "clone", "-q", "--branch", refs[path] ?? "", project.root, path);
    if (path === "proposed") git(join(runner, path), "checkout", "-q", "--detach");
    if (run === undefined) continue;
    const script = run.replace(/npx --yes waymark@\S+/, '"$NODE" "$WAYMARK"');
    const ofStep = Object.fromEntries(Object.keys(env).map((name) => [name, branch]));
    const machine = { NODE: process.execPath, WAYMARK: waymark, XDG_STATE_HOME: join(runner, "state"), ...quietNpm };
    ended = await inShell(script, join(runner, folder), { ...ofStep, ...machine });
    if (ended.code !== 0) return ended;
  }
  return ended;
}

/** What is installed here has no dependencies, and nobody is asked about that. */
const quietNpm = { npm_config_offline: "true", npm_config_audit: "false", npm_config_update_notifier: "false" };

function inShell(script: string, cwd: string, env: Record<string, string>): Promise<Ended> {
  return new Promise((resolve) => {
    execFile("sh", ["-e", "-c", script], { cwd, env: { ...process.env, ...env } }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

const gate = ".waymark/base_actions/gather_context/gate-definition.yaml";
const asking = (least: number): string => `evidence_schema:\n  sources: {type: integer, validator: {min: ${least}}}\n`;

/** A repository whose git keeps the histories. */
function agreedOn(): Project {
  const project = makeRepository();
  project.write(
    ".gitignore",
    "workflow_state.json\nactivity_log.json\n.waymark/runs/\n.waymark/tmp/\n.waymark/held/\n",
  );
  project.write(".waymark/config.json", { history: "committed" });
  project.write(gate, asking(3));
  commit(project, "what was agreed on");
  return project;
}

function commit(project: Project, message: string): void {
  git(project.root, "add", "-A");
  git(project.root, "commit", "-q", "-m", message);
}

async function walkOnBranch(project: Project, branch: string, sources: number): Promise<void> {
  git(project.root, "checkout", "-q", "-b", branch);
  const window = await openWindow(project.root);
  for (const _ of actions) {
    await window.call("shape_bot", { run: branch });
    await window.call("complete_action", { run: branch, evidence: { sources }, confirmation: "yes" });
  }
  await window.close();
  commit(project, "walked");
}

test("the workflow file of the docs: a pull request that was walked passes; none, half of one, a weakened gate do not", async () => {
  const project = agreedOn();
  await walkOnBranch(project, "feature/tea", 3);
  const passed = await runGate(project, "feature/tea");
  expect([passed.code, passed.stdout]).toEqual([0, expect.stringContaining("was completed as defined")]);

  git(project.root, "checkout", "-q", "main");
  git(project.root, "checkout", "-q", "-b", "feature/none");
  project.write("feature.md", "nothing of it was walked\n");
  commit(project, "a feature");
  expect(await runGate(project, "feature/none")).toMatchObject({ code: 1, stderr: expect.stringContaining("no run") });

  git(project.root, "checkout", "-q", "main");
  git(project.root, "checkout", "-q", "-b", "weak");
  project.write(gate, asking(0));
  git(project.root, "checkout", "-q", "-b", "before-weak");
  await walkOnBranch(project, "feature/weak", 0);
  expect(await runGate(project, "feature/weak")).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("gather_context was judged by a different gate than any of"),
  });

  git(project.root, "checkout", "-q", "-f", "main");
  project.write(gate, asking(5));
  commit(project, "five sources from now on");
  expect((await runGate(project, "feature/tea")).code).toBe(0);
});

test("the workflow file of the docs for checks: what passes again passes; broken work and an exchanged command do not", async () => {
  const project = agreedOn();
  const scripts = (test: string): object => ({ name: "tea", version: "1.0.0", scripts: { test } });
  project.write("package.json", scripts("node test.cjs"));
  project.write("package-lock.json", { ...scripts(""), lockfileVersion: 3, packages: { "": {} } });
  project.write("test.cjs", "process.exit(require('./tea.json').hot ? 0 : 1);\n");
  project.write("tea.json", { hot: true });
  const checks = `checks:\n  - name: tests\n    run: [node, test.cjs]\n    pins: ["package.json#/scripts/test"]\n`;
  const facts = '  - name: committed\n    git: {clean: true, branch: "feature/*"}\n';
  project.write(gate, asking(3) + checks + facts);
  commit(project, "tests");
  await runCli(["trust", "--root", project.root, "--yes"]);
  await walkOnBranch(project, "feature/tea", 3);
  const passed = await runGate(project, "feature/tea", "rechecked");
  expect([passed.code, passed.stdout]).toEqual([0, expect.stringContaining("Its checks were rerun and agree")]);
  expect(passed.stdout).toContain("committed: no branch is checked out here");

  project.write("tea.json", { hot: false });
  commit(project, "cold");
  expect(await runGate(project, "feature/tea", "rechecked")).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("tests passed on record (passed), and fails now: exited with 1, not 0"),
  });

  project.write("package.json", scripts("true"));
  commit(project, "no tests");
  expect(await runGate(project, "feature/tea", "rechecked")).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("tests was not run: not trusted on this machine: node test.cjs"),
  });
});
