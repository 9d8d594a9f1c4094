import { randomUUID } from "node:crypto";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sha256 } from "../../src/kit/sha256.ts";
import { type JournalRecord, toLine } from "../../src/stores/chain/journal-record.ts";
import { streamName } from "../../src/workflow/stream-id.ts";
import { type Ended, runCli } from "../command-line.ts";
import { callPhase, evidenceFor, plantWorkflow } from "../phased.ts";
import { actions, makeProject, type Project, projectAt } from "../project.ts";
import { openWindow } from "../window.ts";

const own = ".waymark/journal/story_bot.jsonl";
const ofRun = (run: string): string => `.waymark/journal/runs/story_bot/${run}.jsonl`;

/** A project in which one run was walked to its end. */
async function walked(run?: string): Promise<Project> {
  const project = makeProject();
  const window = await openWindow(project.root);
  const named = run === undefined ? {} : { run };
  for (const _ of actions) {
    await window.call("shape_bot", named);
    await window.call("complete_action", { ...named, confirmation: "yes" });
  }
  await window.close();
  return project;
}

function required(project: Project, ...more: string[]): Promise<Ended> {
  return runCli(["verify", "--require", "shape", "--root", project.root, ...more]);
}

// Attack (file tools): Copy or rename an old run's or session's history to pass for a new one
// -> Exposed by `verify`: whose it was (exit 1) until a person accepts it; no call uses such a session
test.each([
  ["of an old run is copied", "old", ofRun("old"), ofRun("new"), ["--run", "new"], copyFileSync],
  ["of an old run is renamed", "old", ofRun("old"), ofRun("new"), ["--run", "new"], renameSync],
  ["of the project's own run is copied", undefined, own, ofRun("new"), ["--run", "new"], copyFileSync],
  ["of a run becomes the project's own", "old", ofRun("old"), own, [], copyFileSync],
] as const)(
  "with a shell: the history %s to pass for work that nobody did: verify names whose it was, exit 1",
  async (_, run, from, to, more, put) => {
    const project = await walked(run);
    expect(await required(project, ...(run === undefined ? [] : ["--run", run]))).toMatchObject({ code: 0 });
    mkdirSync(dirname(project.path(to)), { recursive: true });
    put(project.path(from), project.path(to));
    const { code, stdout } = await required(project, ...more);
    const begunAs = run === undefined ? "story_bot" : "story_bot (run old)";
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining(`its history belongs to ${begunAs} and was copied here`),
    ]);
  },
);

/** Adds a record to a history, every hash right: a person is said to have accepted what these hashes name. */
function forgeAcceptance(project: Project, file: string, hashes: readonly string[]): void {
  const lines = project.read(file).trimEnd().split("\n");
  const last = lines.at(-1) ?? "";
  const { seq, copy } = JSON.parse(last);
  const at = new Date().toISOString();
  const events = [{ type: "accepted", at, by: "x", what: ["it is fine"], hashes }];
  const { text } = toLine({ at, copy, events, op: randomUUID(), prev: sha256(last), seq: seq + 1 } as JournalRecord);
  project.write(file, `${lines.join("\n")}\n${text}\n`);
}

const unseen = "its acceptance is on record but was not given on this machine";

// Attack (file tools): Add a record that says that a person has accepted any of this
// -> Not trusted: exit 1 until one accepts it on this machine, or a signed head vouches for it (`--key`)
test("with a shell: a copied history with a record that a person has accepted it: nobody here has, exit 1", async () => {
  const project = await walked("old");
  copyFileSync(project.path(ofRun("old")), project.path(ofRun("new")));
  const [first = ""] = project.read(ofRun("new")).split("\n");
  forgeAcceptance(project, ofRun("new"), [sha256(`${sha256(first)} as story_bot (run new)`)]);
  expect(await required(project, "--run", "new")).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(`belongs to story_bot (run old) and was copied here; ${unseen}`),
  });
});

test("with a shell: a copied session with a record that a person has accepted it: no call takes it for one", async () => {
  const project = plantWorkflow({ phases: 2 });
  const window = await openWindow(project.root);
  const begun = { workflow_type: "survey", target_file: "a.ts" };
  const { session_id: old } = await callPhase(window, "start_workflow", begun);
  await callPhase(window, "complete_phase", { session_id: old, phase: 1, evidence: evidenceFor(1) });
  const { session_id: id } = await callPhase(window, "start_workflow", { ...begun, target_file: "b.ts" });
  await window.close();
  const at = (session: string): string => `.waymark/journal/sessions/${session}.jsonl`;
  copyFileSync(project.path(at(String(old))), project.path(at(String(id))));
  const [first = ""] = project.read(at(String(id))).split("\n");
  forgeAcceptance(project, at(String(id)), [
    sha256(`${sha256(first)} as ${streamName({ kind: "session", name: String(id) })}`),
  ]);
  const next = await openWindow(project.root);
  const answer = await callPhase(next, "get_workflow_state", { session_id: id });
  await next.close();
  expect(JSON.stringify(answer)).not.toContain('"completed_phases":[1]');
  expect((await runCli(["verify", "--root", project.root])).stdout).toContain(unseen);
});

test("with a shell: records of a merged side with a record that a person has accepted them: named still, exit 1", async () => {
  const project = makeProject();
  const pass = async (root: string): Promise<void> => {
    const window = await openWindow(root);
    await window.pass("shape_bot");
    await window.close();
  };
  await pass(project.root);
  const elsewhere = mkdtempSync(join(tmpdir(), "waymark-branch-"));
  onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }));
  cpSync(project.root, join(elsewhere, "theirs"), { recursive: true });
  const theirs = projectAt(join(elsewhere, "theirs"));
  await pass(project.root);
  await pass(theirs.root);
  const mine = project.read(own);
  const other = theirs.read(own).trimEnd().split("\n").slice(2);
  forgeAcceptance(project, own, other.map(sha256));
  project.write(own, `${project.read(own)}${other.join("\n")}\n`);
  expect(project.read(own)).toContain(mine);
  const { code, stdout } = await runCli(["verify", "--root", project.root]);
  expect([code, stdout]).toEqual([1, expect.stringContaining(`set aside, kept and not counted`)]);
  expect(stdout).toContain(unseen);
});
