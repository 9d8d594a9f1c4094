import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { findForgettable, forgetContent, forgetWhole } from "../../src/app/forget-runs.ts";
import { openStore } from "../../src/cli/team/open-store.ts";
import { workplaceFor } from "../../src/cli/terminal/workplace-options.ts";
import { runCli } from "../command-line.ts";
import { reply, sitDown } from "../people.ts";
import { addWorkflow, callPhase, evidenceFor } from "../phased.ts";
import { freshProject, postgresDatabase, postgresUrl } from "../postgres.ts";
import { makeProject, type Project } from "../project.ts";
import { git, makeRepository } from "../repository.ts";
import { openWindow, type Window } from "../window.ts";
import { startServer } from "./server.ts";

const secret = "the customer is Vera Example";
const stamp = { at: new Date().toISOString(), name: "dana" };

/** A finished session with a file, whose evidence and file hold a secret. */
async function finishSession(window: Window, target: string, path = "docs/customer.md"): Promise<string> {
  const begun = await callPhase(window, "start_workflow", { workflow_type: "survey", target_file: target });
  const ids = { session_id: begun.session_id };
  const more = { outputs: { note: secret }, content: [{ path, text: `${secret}\n` }] };
  const done = await callPhase(window, "complete_phase", { ...ids, phase: 1, evidence: evidenceFor(1), ...more });
  expect(done).toMatchObject({ isError: false, workflow_complete: true });
  return begun.session_id;
}

function surveys(): Project {
  const project = makeProject();
  addWorkflow(project, { phases: 1 });
  return project;
}

/** The files below a folder that hold the secret. */
function holders(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => {
    const path = join(folder, name);
    return statSync(path).isFile() && readFileSync(path).includes(secret);
  });
}

const verify = ({ root }: Pick<Project, "root">) => runCli(["verify", "--root", root]);

describe("in files", () => {
  it("a person erases a run's files and then all of it; verify names both, and no trace of its words is left", async () => {
    const project = surveys();
    const window = await openWindow(project.root);
    const session = await finishSession(window, "a.ts");
    const person = sitDown();
    const terminal = person.runs(project, ["forget", session, "--reason", "a request by Vera"]);
    await terminal.sees(/docs\/customer\.md/);
    await reply(terminal, "Type forget", "forget");
    await terminal.sees("1 file erased");
    expect(existsSync(project.path("docs/customer.md"))).toBe(false);
    const [kept, log] = [await verify(project), await runCli(["log", "--root", project.root])];
    expect([kept.code, kept.stdout]).toEqual([0, expect.not.stringContaining("missing")]);
    expect(log.stdout).toMatch(/forgotten .*by .*a request by Vera/);

    const whole = person.runs(project, ["forget", session, "--whole", "--reason", "a request by Vera"]);
    await reply(whole, "Type forget", "forget");
    await whole.sees(/: forgotten/);
    const found = await verify(project);
    expect([found.code, found.stdout]).toEqual([
      0,
      expect.stringMatching(new RegExp(`${session}: forgotten by .*records, head .*: a request by Vera`)),
    ]);
    expect(holders(project.root)).toEqual([]);
    expect(holders(process.env.XDG_STATE_HOME ?? "")).toEqual([]);
    // the window that was open meanwhile does not know it either, and says nothing about a history that is gone
    const state = await callPhase(window, "get_workflow_state", { session_id: session });
    expect(state).toMatchObject({ isError: true, message: expect.stringContaining(session) });
    expect(await finishSession(window, "a.ts")).toBe(session);
    expect((await callPhase(window, "get_workflow_state", { session_id: session })).warnings).toEqual([]);
    expect((await verify(project)).code).toBe(0);
  });

  it("a bot's run goes as a whole, and the bot begins again", async () => {
    const project = makeProject();
    const window = await openWindow(project.root);
    for (let step = 0; step < 5; step++) await window.pass("shape_bot", { outputs: { note: secret } });
    expect((await verify(project)).code).toBe(0);
    const workplace = workplaceFor({ root: project.root });
    onTestFinished(workplace.close);
    const [run] = await findForgettable(workplace, () => true);
    if (run === undefined) throw new Error("There is no run.");
    expect(run).toMatchObject({ isFinished: true });
    expect(await forgetWhole(workplace, run, { ...stamp, reason: "over" })).toEqual([]);
    expect(holders(project.root)).toEqual([]);
    const again = await window.call("shape_bot");
    expect(again).toMatchObject({ status: "started", action: "gather_context" });
    expect(again.warnings).toEqual([]);
    const found = await verify(project);
    expect([found.code, found.stdout]).toEqual([0, expect.stringContaining("story_bot: forgotten by dana")]);
  });

  it("what another run needs, what was changed and what git has stays", async () => {
    const project = makeRepository();
    addWorkflow(project, { phases: 1 });
    const window = await openWindow(project.root);
    const session = await finishSession(window, "a.ts", "docs/shared.md");
    await finishSession(window, "b.ts", "docs/shared.md");
    const other = await finishSession(window, "c.ts", "docs/tracked.md");
    git(project.root, "add", "docs/tracked.md");
    const workplace = workplaceFor({ root: project.root });
    onTestFinished(workplace.close);
    const only = async (name: string) => {
      const [run] = await findForgettable(workplace, (id) => id.name === name);
      if (run === undefined) throw new Error(`There is no ${name}.`);
      return forgetContent(workplace, run, { ...stamp, by: "dana" }, "over");
    };
    expect(await only(session)).toEqual([]);
    expect(existsSync(project.path("docs/shared.md"))).toBe(true);
    expect(await only(other)).toEqual([{ path: "docs/tracked.md", reason: "git has it" }]);
    const third = await finishSession(window, "d.ts", "docs/mine.md");
    writeFileSync(project.path("docs/mine.md"), "a person's own words");
    expect(await only(third)).toEqual([{ path: "docs/mine.md", reason: "it was changed since it was submitted" }]);
  });

  it("an unfinished run, one behavior's records and a committed history stay; no one is asked without a terminal", async () => {
    const project = surveys();
    const window = await openWindow(project.root);
    await window.pass("shape_bot");
    const refused = (args: readonly string[], words: RegExp) =>
      sitDown()
        .runs(project, ["forget", ...args, "--reason", "over"])
        .sees(words);
    await Promise.all([
      refused(["story_bot.shape"], /is not finished/),
      refused(["story_bot.shape", "--whole"], /is one behavior of its bot/),
      refused(["--older-than", "365d"], /There is nothing to forget/),
      refused(["--older-than", "365d", "--whole"], /--whole needs the name of a run/),
    ]);
    const piped = await runCli(["forget", "story_bot", "--reason", "over", "--root", project.root]);
    expect([piped.code, piped.stderr]).toEqual([1, expect.stringContaining("needs a terminal")]);

    const repository = makeRepository();
    addWorkflow(repository, { phases: 1 });
    repository.write(".waymark/config.json", { history: "committed" });
    const there = await openWindow(repository.root);
    const session = await finishSession(there, "a.ts");
    git(repository.root, "add", "--force", ".waymark/journal");
    const workplace = workplaceFor({ root: repository.root });
    onTestFinished(workplace.close);
    const [run] = await findForgettable(workplace, (id) => id.name === session);
    if (run === undefined) throw new Error("There is no run.");
    expect(await forgetWhole(workplace, run, { ...stamp, reason: "over" })).toMatchObject({
      problem: expect.stringContaining("is committed to git"),
    });
  });

  // Attack (file tools): Delete a journal and write a tombstone that says that a person had it erased
  // -> `verify` still says that the history is gone (exit 1): only this machine's own memory tells that a person did
  it("a tombstone that no person left excuses nothing", async () => {
    const project = surveys();
    const window = await openWindow(project.root);
    const session = await finishSession(window, "a.ts");
    await window.close();
    const { desks } = JSON.parse((await runCli(["verify", "--json", "--root", project.root])).stdout);
    const journal = `.waymark/journal/sessions/${session}.jsonl`;
    const tombstone = { id: { kind: "session", name: session }, records: desks[0].records, head: desks[0].head };
    project.remove(journal);
    project.write(".waymark/forgotten/tombstones.jsonl", { ...tombstone, ...stamp, by: "dana", reason: "over" });
    const found = await verify(project);
    expect([found.code, found.stdout]).toEqual([1, expect.stringMatching(/is gone/)]);
  });
});

it("in a database other servers know what was forgotten, nothing of it is left, and a server's role cannot do it", async () => {
  const project = surveys();
  const [store, name] = [await postgresUrl(), freshProject()];
  const start = () => startServer(project.root, { store, project: name });
  const [first, second] = [await start(), await start()];
  const window = await first.open();
  const session = await finishSession(window, "a.ts");
  await callPhase(await second.open(), "get_workflow_state", { session_id: session });
  const postgres = openStore(store, name, false);
  const workplace = workplaceFor({ root: project.root, postgres, project: name });
  onTestFinished(() => postgres.close());
  onTestFinished(workplace.close);
  const mine = async () => (await findForgettable(workplace, (id) => id.name === session))[0];
  const run = await mine();
  if (run === undefined) throw new Error("There is no run.");
  expect(await forgetContent(workplace, run, { ...stamp, by: "dana" }, "over")).toEqual([]);
  const file = await window.client.readResource({ uri: `waymark://content/${session}/docs/customer.md` }).catch(String);
  expect(String(file)).toContain("it was forgotten");

  const again = await mine();
  if (again === undefined) throw new Error("There is no run.");
  expect(await forgetWhole(workplace, again, { ...stamp, reason: "over" })).toEqual([]);
  const database = await postgresDatabase();
  for (const table of ["records", "snapshots", "texts", "files", "held", "heads", "standing"]) {
    const about = table === "texts" ? "" : ` and strpos(t::text, $2) > 0`;
    const left = `select from ${database.schema}.${table} t where project = $1${about}`;
    expect([table, await database.run(left, table === "texts" ? [name] : [name, session])]).toEqual([table, []]);
  }
  for (const server of [first, second]) {
    const state = await callPhase(await server.open(), "get_workflow_state", { session_id: session });
    expect(state).toMatchObject({ isError: true, message: expect.stringContaining(session) });
  }
  expect(await finishSession(await second.open(), "a.ts")).toBe(session);
  const found = await runCli(["verify", "--root", project.root, "--store", store, "--project", name]);
  expect([found.code, found.stdout]).toEqual([0, expect.stringContaining(`${session}: forgotten by dana`)]);
});
