import { copyFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { type Ended, runCli } from "../command-line.ts";
import { callPhase, evidenceFor, plantWorkflow } from "../phased.ts";
import type { Project } from "../project.ts";
import { openWindow } from "../window.ts";

const target = "src/shop.ts";

/** A project in which a session has completed so many of its two phases. */
async function walked(completed: number): Promise<{ readonly project: Project; readonly id: string }> {
  const project = plantWorkflow({ phases: 2 });
  const window = await openWindow(project.root);
  const { session_id: id } = await callPhase(window, "start_workflow", {
    workflow_type: "survey",
    target_file: target,
  });
  for (let phase = 1; phase <= completed; phase++)
    await callPhase(window, "complete_phase", { session_id: id, phase, evidence: evidenceFor(phase) });
  await window.close();
  return { project, id };
}

const verify = (project: Project, ...more: string[]): Promise<Ended> =>
  runCli(["verify", "--root", project.root, ...more]);
const journalOf = (project: Project, id: string): string => project.path(`.waymark/journal/sessions/${id}.jsonl`);

async function start(project: Project) {
  const window = await openWindow(project.root);
  const answer = await callPhase(window, "start_workflow", { workflow_type: "survey", target_file: target });
  const { sessions = [] } = await callPhase(window, "get_workflow_state");
  await window.close();
  return { ...answer, sessions };
}

// Attack (file tools): Copy or rename an old run's or session's history to pass for a new one
test("with file tools: a session's history copied as that of a next session: verify names whose it was, and no call takes it for one", async () => {
  const { project, id } = await walked(1);
  const copy = id.replace(/1$/, "2");
  copyFileSync(journalOf(project, id), journalOf(project, copy));
  const { code, stdout } = await verify(project);
  expect([code, stdout]).toEqual([
    1,
    expect.stringContaining(`${copy}: its history belongs to session ${id} and was copied here`),
  ]);
  expect(stdout).toContain(`✓ session ${id}:`);
  const { session_id, resumed, warnings, sessions } = await start(project);
  expect([session_id, resumed]).toEqual([id, true]); // and not its copy, though that is the newer one
  expect(warnings.join(" ")).toContain(`${copy} belongs to session ${id} and was copied here`);
  expect(sessions.map((one) => one.session_id)).toEqual([id]);
});

test("with file tools: a finished session copied under any name, to pass for a second one: verify --require does not count it", async () => {
  const { project, id } = await walked(2);
  expect(await verify(project, "--require", "survey", "--target", target)).toMatchObject({ code: 0 });
  for (const name of [id.replace(/1$/, "7"), "survey-of-my-own"]) {
    copyFileSync(journalOf(project, id), journalOf(project, name));
    const { code, stdout } = await verify(project, "--require", name);
    expect([code, stdout]).toEqual([1, expect.stringContaining(`${name}: its history belongs to session`)]);
    rmSync(journalOf(project, name));
  }
});

test("with file tools: a history of before histories bore a name, copied: verify names both, for nobody can say which is the copy", async () => {
  const { project, id } = await walked(0);
  const unnamed = project.read(`.waymark/journal/sessions/${id}.jsonl`).replace(`"of":"session ${id}",`, "");
  for (const name of [id, id.replace(/1$/, "2")]) writeFileSync(journalOf(project, name), unnamed);
  const { code, stdout } = await verify(project);
  expect(code).toBe(1);
  expect(stdout.match(/it begins with the same record as .*: one of them is a copy/g)).toHaveLength(2);
});

// Attack (file tools): Change or delete the copy of a definition that a session keeps (`.waymark/pinned/`)
test.each([
  ["changed", 1, "was changed", (file: string) => writeFileSync(file, '{"phases": []}')],
  ["deleted", 1, "is gone", (file: string) => rmSync(file)],
  ["deleted once the session was finished", 2, "is gone", (file: string) => rmSync(file)],
] as const)(
  "with file tools: the copy of the definition that a session keeps is %s: verify names session, file and what to do, exit 1",
  async (_, completed, what, harm) => {
    const { project, id } = await walked(completed);
    const [pin = ""] = readdirSync(project.path(".waymark/pinned"));
    expect(await verify(project)).toMatchObject({ code: 0 });
    harm(project.path(`.waymark/pinned/${pin}`));
    const { code, stdout } = await verify(project, "--json");
    const [problem] = JSON.parse(stdout).problems;
    expect(code).toBe(1);
    expect(problem).toContain(`${id}: the copy of its definition, .waymark/pinned/${basename(pin)}, ${what}`);
    expect(problem).toContain("bring the file back from git or a backup");
    // Whoever reads the record another way is told the same.
    const logged = await runCli(["log", "--verify", "--root", project.root]);
    expect(logged.code).toBe(1);
    expect(logged.stdout).toContain(problem);
    const exported = await runCli(["export", "--json", "--root", project.root]);
    expect(JSON.parse(exported.stdout).desks).toMatchObject([{ desk: id, whole: false, problems: [problem] }]);
  },
);
