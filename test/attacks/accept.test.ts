import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCli, runProcess, waymark } from "../command-line.ts";
import { openTerminal, type Terminal } from "../hosts/terminal.ts";
import { addWorkflow, callPhase, evidenceFor } from "../phased.ts";
import { makeProject, type Project, projectAt } from "../project.ts";
import { openWindow } from "../window.ts";

const journal = ".waymark/journal/story_bot.jsonl";
const whole = [".waymark/journal", "workflow_state.json", "activity_log.json"];

async function done(count: number): Promise<Project> {
  const project = makeProject();
  const window = await openWindow(project.root);
  for (let passed = 0; passed < count; passed++) await window.pass("shape_bot", { outputs: { note: "honest" } });
  await window.close();
  return project;
}

const verify = (project: Project, ...more: string[]): ReturnType<typeof runCli> =>
  runCli(["verify", "--root", project.root, ...more]);

async function warningsOf(project: Project): Promise<string> {
  const window = await openWindow(project.root);
  const { warnings } = await window.call("shape_bot");
  await window.close();
  return warnings.join();
}

/** A person at a pseudo-terminal who is asked. */
function accepting(project: Project): Terminal {
  const { PATH = "", HOME = "", XDG_STATE_HOME = "" } = process.env;
  const terminal = openTerminal({
    command: process.execPath,
    args: [waymark, "verify", "--accept", "--root", project.root],
    cwd: project.root,
    env: { PATH, HOME, XDG_STATE_HOME },
  });
  onTestFinished(() => terminal.close());
  return terminal;
}

async function acceptOf(project: Project): Promise<void> {
  const terminal = accepting(project);
  await terminal.sees("Type accept to accept");
  await terminal.type("accept");
  await terminal.press("enter");
  await terminal.ends();
}

/** A history that went on on two branches, both sides' lines in one file; `home` is a folder beside it. */
async function merged(): Promise<{ mine: Project; other: readonly string[]; home: string }> {
  const mine = await done(1);
  const home = mkdtempSync(join(tmpdir(), "waymark-branch-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  cpSync(mine.root, join(home, "theirs"), { recursive: true });
  const theirs = projectAt(join(home, "theirs"));
  for (const { root } of [mine, theirs]) {
    const window = await openWindow(root);
    await window.pass("shape_bot");
    await window.close();
  }
  const other = theirs.read(journal).trimEnd().split("\n").slice(2);
  writeFileSync(mine.path(journal), `${mine.read(journal)}${other.join("\n")}\n`);
  return { mine, other, home };
}

const logged = async (project: Project): Promise<string> => (await runCli(["log", "--root", project.root])).stdout;

// Attack (shell): Accept a changed history itself: `verify --accept` with something piped in, or `--json`
// -> Refused: it asks at a terminal
test("with a shell: a wiped slate is accepted by nobody without a terminal, whatever is piped in; a person's acceptance is on record", async () => {
  const project = await done(2);
  whole.forEach(project.remove);
  expect(await runProcess(["verify", "--accept", "--root", project.root])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/needs a terminal, and there is none here/),
  });
  expect((await verify(project, "--accept", "--json")).code).toBe(1);
  expect((await verify(project)).code).toBe(1);
  const terminal = accepting(project);
  await terminal.sees("is gone");
  await terminal.sees("Type accept to accept");
  await terminal.type("yes");
  await terminal.press("enter");
  await terminal.ends();
  expect((await verify(project)).code).toBe(1);
  await acceptOf(project);
  expect((await verify(project)).code).toBe(0);
  expect(await logged(project)).toMatch(/accepted .*is gone/);
  expect(await warningsOf(project)).toBe("");
  expect((await verify(project)).code).toBe(0);
});

// Attack (yourself): Fake a terminal, and accept a changed history there
// -> Not seen. The acceptance is on record and in `log`
test("with file tools: an edited last record that a person accepts is shown from then on, and the honest log is kept aside", async () => {
  const project = await done(2);
  const lines = project.read(journal).trimEnd().split("\n");
  writeFileSync(
    project.path(journal),
    `${lines.with(-1, (lines.at(-1) ?? "").replaceAll("honest", "edited")).join("\n")}\n`,
  );
  expect(await warningsOf(project)).toMatch(/record 4 of story_bot\.jsonl is not the one this machine has seen/);
  expect(JSON.stringify(project.log())).not.toContain("edited");
  await acceptOf(project);
  expect(await warningsOf(project)).not.toMatch(/was seen here/);
  expect(JSON.stringify(project.log())).toContain("edited");
  expect((await verify(project)).code).toBe(0);
  expect(await logged(project)).toMatch(/accepted .*record 4 of story_bot\.jsonl/);
});

test("with a shell: a session that is gone and accepted so is named no more, and the next one goes its own way", async () => {
  const project = makeProject();
  addWorkflow(project);
  const start = { workflow_type: "survey", target_file: "a.ts" };
  const window = await openWindow(project.root);
  const { session_id } = await callPhase(window, "start_workflow", start);
  await callPhase(window, "complete_phase", { session_id, phase: 1, evidence: evidenceFor(1) });
  await window.close();
  project.remove(".waymark/journal");
  project.remove(".waymark/sessions");
  expect((await verify(project)).code).toBe(1);
  await acceptOf(project);
  expect((await verify(project)).code).toBe(0);
  const next = await openWindow(project.root);
  const begun = await callPhase(next, "start_workflow", start);
  expect([begun.current_phase, begun.warnings]).toEqual([1, []]);
  expect((await verify(project)).code).toBe(0);
});

// Attack (file tools): Add a record that says that a person has accepted any of this
test("an acceptance is of the machine that it was given on: elsewhere it is said until a person accepts it there, or a signed head vouches for it", async () => {
  const { mine, home } = await merged();
  await acceptOf(mine);
  expect((await verify(mine)).code).toBe(0);
  const [key, here] = [join(home, "owner.pem"), process.env.XDG_STATE_HOME];
  expect((await runCli(["verify", "--new-key", key])).code).toBe(0);
  const elsewhere = async <T>(work: () => Promise<T>): Promise<T> => {
    process.env.XDG_STATE_HOME = join(home, "state");
    return work().finally(() => {
      process.env.XDG_STATE_HOME = here;
    });
  };
  const unseen = "its acceptance is on record but was not given on this machine";
  await elsewhere(async () => {
    expect(await verify(mine)).toMatchObject({ code: 1, stdout: expect.stringContaining(unseen) });
    expect(await verify(mine, "--sign", key)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Not signed: .*was accepted on another machine/),
    });
  });
  expect((await verify(mine, "--sign", key)).code).toBe(0);
  await elsewhere(async () => {
    expect((await verify(mine)).code).toBe(1);
    expect((await verify(mine, "--key", `${key}.pub`)).code).toBe(0);
    await acceptOf(mine);
    expect((await verify(mine)).code).toBe(0);
  });
});

// Attack (file tools): Merge two histories, keeping both sides' lines
test("two branches merged by git: each record of the other side is named until a person takes the side that counts; none vanishes", async () => {
  const { mine, other } = await merged();
  const named = /record 4: set aside, kept and not counted: completed shape\.decide_planning_criteria/;
  expect(await verify(mine)).toMatchObject({ code: 1, stdout: expect.stringMatching(named) });
  expect(await logged(mine)).toMatch(/completed +shape\.decide_planning_criteria +SET ASIDE/);
  await acceptOf(mine);
  const { code, stdout } = await verify(mine);
  expect([code, stdout]).toEqual([0, expect.stringMatching(named)]);
  expect(await logged(mine)).toMatch(/accepted .*record 4: set aside/);
  expect(mine.read(journal)).toContain(other.join("\n"));
  expect((await runCli(["log", "--verify", "--root", mine.root])).stdout).toMatch(/SET ASIDE/);
  expect(await warningsOf(mine)).not.toMatch(/set aside/);
  const shown = JSON.parse((await runCli(["export", "--json", "--root", mine.root])).stdout);
  expect(shown.desks[0]).toMatchObject({ whole: true, set_aside: [{ accepted: true }, { accepted: true }] });
});

test("a bot whose history is gone, and accepted as gone, begins again", async () => {
  const project = await done(2);
  for (const one of whole) rmSync(project.path(one), { recursive: true });
  expect((await verify(project)).code).toBe(1);
  await acceptOf(project);
  expect((await verify(project)).code).toBe(0);
  const window = await openWindow(project.root);
  expect(await window.call("shape_bot")).toMatchObject({ status: "started", action: "gather_context" });
  expect(await window.call("complete_action", { confirmation: "yes" })).toMatchObject({ status: "completed" });
  expect((await verify(project)).code).toBe(0);
});
