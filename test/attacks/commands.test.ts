import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCli, runProcess } from "../command-line.ts";
import type { Project } from "../project.ts";
import { gateFile, honest, provingGate, provingProject, runsIn, trustAll } from "../proving.ts";
import { openWindow, type Window } from "../window.ts";

const npmGate = `checks:
  - name: tests
    run: [npm, test, --silent]
`;

const pinned = `${npmGate}    pins: ["package.json#/scripts/test"]
`;

const scripts = (test: string, more: object = {}): object => ({ name: "a", scripts: { test, ...more } });

async function opened(project: Project): Promise<Window> {
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  return window;
}

const yes = { confirmation: "yes" };

// Attack (file tools): Turn `npm test` into `true`, where the script is pinned
// -> Refused: it needs trust again, and nothing is run
test("with file tools: `npm test` turned into `true` needs trust anew where the script is pinned, and nothing is run", async () => {
  const project = provingProject({ passed: 1 }, pinned);
  project.write("package.json", scripts("node run-tests.cjs"));
  await trustAll(project);
  project.write("package.json", scripts("true"));
  const window = await opened(project);
  expect(await window.call("complete_action", yes)).toMatchObject({
    error: "check_untrusted",
    checks: [{ name: "tests", status: "untrusted" }],
  });
  expect(runsIn(project)).toBe(0);
});

// Attack (file tools): Turn `npm test` into `true`, with neither a pin nor a report
// -> It runs and passes. The reply, `log` and `trust --list` say what is behind the command now; `check` says it beforehand (`unpinned-script`)
test("with file tools: where it is not pinned it runs, and the reply, the log and `trust --list` say what is behind it now", async () => {
  const project = provingProject({ passed: 1 }, npmGate);
  project.write("package.json", scripts("node run-tests.cjs"));
  await trustAll(project);
  project.write("package.json", scripts("true"));
  const window = await opened(project);
  const answer = await window.call("complete_action", yes);
  const said = "passed; changed since it was trusted: package.json scripts.test = true";
  expect(answer).toMatchObject({ status: "completed", checks: [{ summary: said }] });
  expect((await runCli(["log", "--root", project.root])).stdout).toContain(said);
  const { stdout } = await runCli(["trust", "--list", "--root", project.root]);
  expect(stdout).toMatch(
    /changed since it was trusted[^\n]*\n +package\.json scripts\.test: node run-tests\.cjs → true/,
  );
});

// Attack (file tools): Add a script before or after it
// -> Exposed by `trust --list` and by the result, as changed
test("with file tools: a script put before it, and a shell of the project's own for scripts, are said in the same way", async () => {
  const project = provingProject({ passed: 1 }, npmGate);
  project.write("package.json", scripts("node run-tests.cjs"));
  await trustAll(project);
  project.write("package.json", scripts("node run-tests.cjs", { pretest: "true" }));
  project.write(".npmrc", "fund=false\nscript-shell=./fake.sh\n");
  const { stdout } = await runCli(["trust", "--list", "--root", project.root]);
  expect(stdout).toContain("package.json scripts.pretest: none → true");
  expect(stdout).toMatch(/configured by \.npmrc: none → \w{12}/);
});

// Attack (file tools): Turn `npm test` into `true`, where a report is asked for
// -> Refused: the report was not written
test("with file tools: a report that is asked for is missing where the command was replaced", async () => {
  const project = provingProject({ passed: 1 }, provingGate.replace("[node, run-tests.cjs]", "[npm, test, --silent]"));
  project.write("package.json", scripts("true"));
  await trustAll(project);
  const answer = await (await opened(project)).call("complete_action", honest);
  expect(answer).toMatchObject({
    error: "check_failed",
    checks: [{ summary: expect.stringMatching(/was not written/) }],
  });
});

// Attack (file tools): Change anything of a check: arguments, exit code, report, variables, what it reads
// -> Refused: it needs trust again, and nothing is run
test("with file tools: a changed check is not run, whatever of it was changed", async () => {
  const project = provingProject({ passed: 1 });
  await trustAll(project);
  const window = await opened(project);
  const changes = [
    provingGate.replace("run-tests.cjs]", "run-tests.cjs, --fast]"),
    provingGate.replace("reports/junit.xml", "reports/other.xml"),
    provingGate.replace("tests_passed: passed", "tests_passed: tests"),
    `${provingGate}    exit: 1\n`,
    `${provingGate}    env: [NODE_OPTIONS]\n`,
    `${provingGate}    reads: [nothing]\n`,
    `${provingGate}    cwd: .waymark\n`,
  ];
  for (const gate of changes) {
    project.write(gateFile, gate);
    expect(await window.call("complete_action", honest), gate).toMatchObject({ error: "check_untrusted" });
  }
  expect(runsIn(project)).toBe(0);
  project.write(gateFile, provingGate);
  expect(await window.call("complete_action", honest)).toMatchObject({ status: "completed" });
});

// Attack (file tools): Add a command that no one trusted, or ask for trust in a call
// -> Refused: `check_untrusted`, and nothing is run
test("with file tools: a command that nobody trusted is not run, and trust comes from no argument of a call", async () => {
  const project = provingProject({ passed: 1 });
  const window = await opened(project);
  const told = { ...honest, trust: true, trusted: ["tests"], checks: [{ name: "tests", run: ["true"] }] };
  for (const args of [honest, told]) expect((await window.call("complete_action", args)).isError).toBe(true);
  expect(await window.call("complete_action", honest)).toMatchObject({ error: "check_untrusted" });
  expect(runsIn(project)).toBe(0);
});

// Attack (file tools): Write a trust file, in the project or in the place of ours
// -> Refused: only what this machine has sealed is trusted, and nothing in the project area
test("with file tools: a trust file of the assistant's is not believed, in the project or in the place of ours", async () => {
  const project = provingProject({ passed: 1 });
  const { stdout } = await runCli(["trust", "--list", "--json", "--root", project.root]);
  const [command] = JSON.parse(stdout).commands;
  const forged = JSON.stringify({ commands: [{ ...command, definition: "x".repeat(32), at: "2026-01-01" }] });
  for (const place of [".waymark/trusted", ".waymark/trust.json", "waymark/trusted"]) project.write(place, forged);
  const state = mkdtempSync(join(tmpdir(), "waymark-state-"));
  onTestFinished(() => rmSync(state, { recursive: true }));
  mkdirSync(join(state, "waymark"), { recursive: true });
  writeFileSync(join(state, "waymark/trusted"), forged);
  const listed = await runProcess(["trust", "--list", "--json", "--root", project.root], undefined, {
    XDG_STATE_HOME: state,
  });
  expect(JSON.parse(listed.stdout).commands).toMatchObject([{ name: "tests", trusted: false }]);
  expect(await (await opened(project)).call("complete_action", honest)).toMatchObject({ error: "check_untrusted" });
});

test("with a shell that is kept inside the project: trust that is kept inside it is none", async () => {
  const project = provingProject({ passed: 1 });
  const inside = { XDG_STATE_HOME: project.path("state") };
  expect((await runCli(["trust", "--yes", "--root", project.root], undefined, inside)).code).toBe(1);
  const listed = await runCli(["trust", "--list", "--json", "--root", project.root], undefined, inside);
  expect(JSON.parse(listed.stdout).commands).toMatchObject([{ trusted: false }]);
});

// Attack (file tools): Put a program into `node_modules/.bin` that runs instead of the tests
// -> Not caught: what is installed is not pinned. Exposed by `--recheck` on a fresh installation
test("with file tools: a program that is installed in place of another is run: not caught", async () => {
  const project = provingProject({ passed: 0, failed: 1 }, pinned);
  project.write("package.json", { scripts: { test: "node run-tests.cjs" } });
  await trustAll(project);
  project.write("node_modules/.bin/node", "#!/bin/sh\nexit 0\n");
  chmodSync(project.path("node_modules/.bin/node"), 0o755);
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  expect(await window.call("complete_action", yes)).toMatchObject({ status: "completed" });
});

// Attack (shell): Turn the folder that a command runs in into a link to another project
// -> Refused
test("with file tools: a folder to run in that was turned into a link to another project is not gone into", async () => {
  const project = provingProject({ passed: 1 }, "checks:\n  - {name: tests, run: [node, run-tests.cjs], cwd: app}\n");
  const elsewhere = mkdtempSync(join(tmpdir(), "waymark-elsewhere-"));
  onTestFinished(() => rmSync(elsewhere, { recursive: true }));
  writeFileSync(join(elsewhere, "run-tests.cjs"), "process.exit(0)");
  await trustAll(project);
  symlinkSync(elsewhere, project.path("app"));
  const window = await opened(project);
  expect(await window.call("complete_action", yes)).toMatchObject({
    error: "check_failed",
    checks: [{ summary: "its cwd app is not a folder inside the project area" }],
  });
  project.remove("app");
  project.write("app/run-tests.cjs", "process.exit(0)");
  expect(await window.call("complete_action", yes)).toMatchObject({ status: "completed" });
});

test("an untrusted check of a project area beside the definitions names the command that trusts it there, and that works", async () => {
  const project = provingProject({ passed: 1 });
  const area = mkdtempSync(join(tmpdir(), "waymark-area-"));
  onTestFinished(() => rmSync(area, { recursive: true }));
  for (const file of ["run-tests.cjs", "plan.json"]) writeFileSync(join(area, file), project.read(file));
  mkdirSync(join(area, ".waymark"));
  const window = await openWindow(project.root, { args: ["--project-area", area] });
  await window.call("shape_bot");
  const refused = await window.call("complete_action", honest);
  expect(refused.required_action).toContain(`waymark trust --project-area ${JSON.stringify(area)}`);
  await runCli(["trust", "--yes", "--root", project.root, "--project-area", area]);
  expect(await window.call("complete_action", honest)).toMatchObject({ status: "completed" });
});
