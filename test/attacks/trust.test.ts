import { expect, onTestFinished, test, vi } from "vitest";
import { runCli, runProcess, waymark } from "../command-line.ts";
import { openTerminal, type Terminal } from "../hosts/terminal.ts";
import type { Project } from "../project.ts";
import { gateFile, honest, provingGate, provingProject, runsIn, trustAll } from "../proving.ts";
import { hangs, openWindow } from "../window.ts";

/** A person at a pseudo-terminal who is shown what would run. */
function trusting(project: Project): Terminal {
  const { PATH = "", HOME = "", XDG_STATE_HOME = "" } = process.env;
  const terminal = openTerminal({
    command: process.execPath,
    args: [waymark, "trust", "--root", project.root],
    cwd: project.root,
    env: { PATH, HOME, XDG_STATE_HOME },
  });
  onTestFinished(() => terminal.close());
  return terminal;
}

async function answer(terminal: Terminal, word: string): Promise<void> {
  await terminal.sees("Trust it on this machine? [y/N]");
  await terminal.type(word);
  await terminal.press("enter");
}

const listed = async ({ root }: Project, ...more: string[]): Promise<string> =>
  (await runCli(["trust", "--list", "--root", root, ...more])).stdout;

/** Waits until a decision is on the list: a program that ends may take its last words with it. */
async function decided(project: Project, stat: RegExp): Promise<void> {
  await vi.waitFor(async () => expect(await listed(project)).toMatch(stat), { timeout: hangs, interval: 200 });
}

async function completed(project: Project): Promise<string | undefined> {
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  const { status, error } = await window.call("complete_action", honest);
  await window.close();
  return error ?? status;
}

test("a person sees exactly what would run, with file and line, the script behind it and those around that; their yes counts", async () => {
  const gate = provingGate.replace("[node, run-tests.cjs]", "[npm, test, --silent]");
  const project = provingProject({ passed: 1 }, gate);
  const scripts = { pretest: "node -e 0", test: "node run-tests.cjs", posttest: "echo \u202e hidden", other: "no" };
  project.write("package.json", { name: "a", scripts });
  const terminal = trusting(project);
  await terminal.sees("Trust it on this machine? [y/N]");
  const screen = terminal.screen();
  for (const stat of [
    "tests  .waymark/base_actions/gather_context/gate-definition.yaml:5",
    'runs: ["npm","test","--silent"]',
    "package.json scripts.pretest: node -e 0",
    "package.json scripts.test: node run-tests.cjs",
    "package.json scripts.posttest: echo \\u202e hidden",
    "report reports/junit.xml: junit",
  ])
    expect(screen).toContain(stat);
  expect(screen).not.toContain("other");
  await answer(terminal, "y");
  await decided(project, /^trusted .*\(yes, a person at a terminal, /);
  expect(await completed(project)).toBe("completed");
});

// Attack (yourself): Run `waymark trust --yes`
// -> Not caught where you never said no. Exposed by `trust --list`: `--yes`, and when. A no that you gave at a terminal stays a no
test("a no is remembered: the reply says so, `--yes` of an assistant does not turn it round, and it is said when a person is asked again", async () => {
  const project = provingProject({ passed: 1 });
  const first = trusting(project);
  await answer(first, "n");
  await decided(project, /^untrusted .*\(no, a person at a terminal, /);
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  const refused = await window.call("complete_action", honest);
  expect(refused).toMatchObject({ error: "check_untrusted" });
  expect(refused.checks?.[0]?.summary).toMatch(/rejected on this machine/);
  const { stdout } = await trustAll(project);
  expect(stdout).toMatch(/Not trusted: a person rejected it at 2/);
  expect(await listed(project)).toMatch(/^untrusted .*\(no, a person at a terminal, /);
  const again = trusting(project);
  await again.sees("You rejected it at");
  await answer(again, "yes");
  await decided(project, /^trusted /);
  expect(await completed(project)).toBe("completed");
});

// Attack (shell): Run `waymark trust` without a person
// -> Refused without a terminal
test("without a terminal nobody is asked, whatever is piped in; `--yes` is on the list as what it is", async () => {
  const project = provingProject({ passed: 1 });
  const piped = await runProcess(["trust", "--root", project.root]);
  expect(piped).toMatchObject({ code: 1, stderr: expect.stringMatching(/needs a terminal/) });
  expect(await completed(project)).toBe("check_untrusted");
  await trustAll(project);
  expect(await listed(project)).toMatch(/^trusted .*\(yes, --yes, 2/);
});

test("what has changed since it was trusted is shown as changed, with what it was; a revoked trust is none", async () => {
  const project = provingProject({ passed: 1 });
  await trustAll(project);
  project.write(gateFile, provingGate.replace("run-tests.cjs]", "run-tests.cjs, --fast]"));
  const terminal = trusting(project);
  await terminal.sees("changed since it was trusted at");
  expect(terminal.screen()).toContain('runs: ["node","run-tests.cjs"] → ["node","run-tests.cjs","--fast"]');
  await answer(terminal, "n");
  await decided(project, /\(no, a person/);
  project.write(gateFile, provingGate);
  expect(JSON.parse(await listed(project, "--json"))).toEqual({
    commands: [
      {
        file: ".waymark/base_actions/gather_context/gate-definition.yaml",
        line: 5,
        name: "tests",
        run: ["node", "run-tests.cjs"],
        trusted: true,
      },
    ],
    approvers: [],
  });
  const before = process.env.XDG_STATE_HOME ?? "";
  const own = { XDG_STATE_HOME: `${before}/revoking` };
  await runCli(["trust", "--yes", "--root", project.root], undefined, own);
  await runCli(["trust", "--revoke", "--root", project.root], undefined, own);
  const { stdout } = await runCli(["trust", "--list", "--root", project.root], undefined, own);
  expect(stdout).toMatch(/^untrusted/);
});

// Attack (file tools): Bring a command that you trust elsewhere into another project
// -> Refused: trust is for one project, with its work trees
test("with file tools: a command that was trusted in one project is trusted in no other", async () => {
  const project = provingProject({ passed: 1 });
  await trustAll(project);
  const other = provingProject({ passed: 1 });
  expect(await completed(other)).toBe("check_untrusted");
  expect(runsIn(other)).toBe(0);
});
