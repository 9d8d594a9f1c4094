import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { type Ended, runCli } from "../command-line.ts";
import { runJob } from "../github.ts";
import { actions, type Project } from "../project.ts";
import { commitAll, git, makeRepository } from "../repository.ts";
import { wholeOr } from "../whole.ts";
import { openWindow } from "../window.ts";

const home = join(import.meta.dirname, "../..");

/** A job of the workflow files that the docs show, as its steps. */
function stepsOfDocs(job: "walked" | "rechecked") {
  const page = readFileSync(join(home, "docs/ci.md"), "utf8");
  const files = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, text]) => parse(text ?? ""));
  return files.find(({ jobs }) => job in jobs).jobs[job].steps;
}

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
let packed: string | undefined;

/** The package of this build, as a release has it. */
function packageFile(): string {
  if (packed !== undefined) return packed;
  const folder = mkdtempSync(join(tmpdir(), "waymark-release-"));
  folders.push(folder);
  const pack = ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder];
  const name = execFileSync("npm", pack, { cwd: home, encoding: "utf8" }).trim();
  packed = join(folder, name);
  return packed;
}

/** Runs a job of the docs for a branch that is merged into main for the occasion. */
function runGate(project: Project, branch: string, job: "walked" | "rechecked", given = { package: packageFile() }) {
  const merging = mkdtempSync(join(tmpdir(), "waymark-merge-"));
  onTestFinished(() => rmSync(merging, { recursive: true, force: true }));
  git(merging, "clone", "-q", "--branch", "main", project.root, ".");
  git(merging, "merge", "-q", "--no-ff", "-m", "merge", `origin/${branch}`);
  git(merging, "push", "-q", "-f", "origin", "HEAD:refs/pull/1/merge");
  const github = { base_ref: "main", head_ref: branch, "event.number": "1", server_url: "", action_repository: "" };
  return runJob({ steps: stepsOfDocs(job), repository: project.root, github, given });
}

const gate = ".waymark/base_actions/gather_context/gate-definition.yaml";
const asking = (least: number): string => `evidence_schema:\n  sources: {type: integer, validator: {min: ${least}}}\n`;

/** A repository whose git keeps the histories. */
function agreedOn(): Project {
  const project = makeRepository();
  const own = ["runs", "tmp", "held", "kept", "open"].map((name) => `.waymark/${name}/`);
  const caches = ["published", "shown", "checkpoint"].map((name) => `.waymark/journal/**/*.${name}`);
  project.write(".gitignore", ["workflow_state.json", "activity_log.json", ...own, ...caches].join("\n"));
  project.write(".waymark/config.json", { history: "committed" });
  project.write(".waymark/identity.json", { project: "5e".repeat(16) });
  project.write(gate, asking(3));
  commit(project, "what was agreed on");
  return project;
}

function commit(project: Project, message: string): void {
  commitAll(project.root, message);
}

/** Walks on a branch of its own; the run has the branch's name without being told. */
async function walkOnBranch(project: Project, branch: string, sources: number): Promise<void> {
  git(project.root, "checkout", "-q", "-b", branch);
  const window = await openWindow(project.root);
  for (const _ of actions) {
    await window.call("shape_bot");
    await window.call("complete_action", { evidence: { sources }, confirmation: "yes" });
  }
  await window.close();
  commit(project, "walked");
}

// Attack (pull request): Propose work without a walk, with half of one, or with a gate that was weakened for it
// -> Exposed by the job of [ci](ci.md)
test("the workflow file of the docs: a pull request that was walked passes; none, half of one, a weakened gate do not", async () => {
  const project = agreedOn();
  await walkOnBranch(project, "feature/tea", 3);
  const passed = await runGate(project, "feature/tea", "walked");
  expect([passed.code, passed.stdout, passed.stderr]).toEqual([0, expect.stringContaining("completed as defined"), ""]);
  expect(passed.summary).toContain('s0["gather_context<br/>0 verified, 2 claimed"]:::completed');
  expect(passed.summary).toContain("- claimed: `evidence: sources`");

  git(project.root, "checkout", "-q", "main");
  git(project.root, "checkout", "-q", "-b", "feature/none");
  project.write("feature.md", "nothing of it was walked\n");
  commit(project, "a feature");
  expect(await runGate(project, "feature/none", "walked")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("no run"),
    summary: expect.stringContaining("nothing to verify"),
  });

  git(project.root, "checkout", "-q", "main");
  git(project.root, "checkout", "-q", "-b", "before-weak");
  project.write(gate, asking(0));
  commit(project, "weak");
  await walkOnBranch(project, "feature/weak", 0);
  const weak = await runGate(project, "feature/weak", "walked");
  expect([weak.code, weak.summary]).toEqual([1, expect.stringContaining("## ❌ `story_bot.shape` was not walked")]);
  expect(weak.stdout).toContain("edits the definitions: base_actions/gather_context/gate-definition.yaml");
  expect(weak.stdout).toContain("gather_context was judged by a different gate than the definitions have");
});

// Attack (pull request): Bring a folder that is named like the base, with definitions of its own
// -> Refused: only a path that begins with a dot or a slash is a folder, and none inside the change is a base
test("a pull request cannot bring the folder that judges it", async () => {
  const project = agreedOn();
  git(project.root, "checkout", "-q", "-b", "before-own");
  const own = "refs/remotes/origin/main";
  cpSync(project.path(".waymark"), project.path(`${own}/.waymark`), { recursive: true });
  project.write(`${own}/${gate}`, asking(0));
  project.write(gate, asking(0));
  commit(project, "a base of its own");
  await walkOnBranch(project, "feature/own", 0);
  const { code, stdout } = await runGate(project, "feature/own", "walked");
  expect([code, stdout]).toEqual([1, expect.stringContaining("Compared with the base refs/remotes/origin/main (")]);
  expect(stdout).toContain("edits the definitions: base_actions/gather_context/gate-definition.yaml");
  const inside = await runCli(["verify", "--root", project.root, "--require", "shape", "--base", project.path(own)]);
  expect([inside.code, inside.stderr]).toEqual([1, expect.stringContaining("is inside the proposed files")]);
  git(project.root, "worktree", "add", "-q", "agreed", "main");
  const agreed = await runCli([
    "verify",
    "--root",
    project.root,
    "--require",
    "shape",
    "--base",
    project.path("agreed"),
  ]);
  expect([agreed.code, agreed.stdout]).toEqual([1, expect.stringContaining("judged by a different gate")]);
});

// Attack (pull request): Break what a check proved, or exchange the command of a check
// -> Exposed by the recheck job of [ci](ci.md): run again, or not trusted
test.runIf(wholeOr(true, false))(
  "the workflow file of the docs for checks: what passes again passes; broken work and an exchanged command do not",
  async () => {
    const project = agreedOn();
    const scripts = (test: string): object => ({ name: "tea", version: "1.0.0", scripts: { test } });
    project.write("package.json", scripts("node test.cjs"));
    project.write("package-lock.json", { ...scripts(""), lockfileVersion: 3, packages: { "": {} } });
    project.write("test.cjs", "process.exit(require('./tea.json').hot ? 0 : 1);\n");
    project.write("tea.json", { hot: true });
    const checks = `checks:\n  - name: tests\n    run: [npm, test, --silent]\n    pins: ["package.json#/scripts/test"]\n`;
    const facts = '  - name: committed\n    git: {clean: true, branch: "feature/*"}\n';
    project.write(gate, asking(3) + checks + facts);
    commit(project, "tests");
    await runCli(["trust", "--root", project.root, "--yes"]);
    await walkOnBranch(project, "feature/tea", 3);
    const passed = await runGate(project, "feature/tea", "rechecked");
    expect([passed.code, passed.stdout]).toEqual([0, expect.stringContaining("Its checks were rerun and agree")]);
    expect(passed.stdout).toContain("committed: no branch is checked out here");
    expect(passed.summary).toContain("- verified: `tests, rechecked:");

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
      stdout: expect.stringContaining("tests was not run: not trusted on this machine: npm test --silent"),
    });

    project.write("package.json", scripts("node test.cjs"));
    project.write(".npmrc", "node-options=--require ./evil.cjs\n");
    project.write("evil.cjs", "process.exit(0);\n");
    commit(project, "another way to no tests");
    expect(await runGate(project, "feature/tea", "rechecked")).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("tests was not run: not trusted on this machine: npm test --silent"),
    });
  },
);

// Attack (pull request): Take the package name in the registry, to run code in the job
// -> Refused: the action takes the release of its own repository or a given file, by its hash
test("the action takes the package of its own repository's release, or the given one with the given hash, and no other", async () => {
  const project = agreedOn();
  await walkOnBranch(project, "feature/tea", 3);
  const asked: (string | undefined)[] = [];
  const server = createServer(({ url }, response) => {
    asked.push(url);
    response.writeHead(200).end(readFileSync(packageFile()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const github = { base_ref: "main", head_ref: "feature/tea", action_repository: "them/waymark" };
  const action = (given: Record<string, string>): Promise<Ended> =>
    runJob({
      steps: [
        { uses: "actions/checkout@v4", with: { ref: "feature/tea", "fetch-depth": 0, "persist-credentials": false } },
        { uses: "them/waymark@v1", with: { require: "shape" } },
      ],
      repository: project.root,
      github: { ...github, server_url: `http://127.0.0.1:${port}` },
      given,
    });
  expect(await action({})).toMatchObject({ code: 0 });
  const { version } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  expect(asked).toEqual([`/them/waymark/releases/download/v${version}/waymark-${version}.tgz`]);
  const other = await action({ package: packageFile(), sha256: "0".repeat(64) });
  expect([other.code, other.stdout]).toEqual([1, expect.stringContaining("not the one that was given")]);
  expect(asked).toHaveLength(1);
});

test("no page and no action installs Waymark by a name in a registry", () => {
  const texts = ["docs/ci.md", "action.yml"].map((file) => readFileSync(join(home, file), "utf8"));
  for (const text of texts) expect(text).not.toMatch(/npx|npm (?:i|install|exec)\b|waymark@\d/);
});
