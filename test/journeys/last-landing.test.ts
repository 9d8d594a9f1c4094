import { createHash, createHmac, hkdfSync, randomUUID } from "node:crypto";
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import postgres from "postgres";
import { describe, expect, onTestFinished, test } from "vitest";
import { openWorkplace } from "../../src/app/open-workplace.ts";
import { openKey, parseSealedKey } from "../../src/people/sealed-key.ts";
import { signStatement } from "../../src/people/sign-statement.ts";
import { runCli } from "../command-line.ts";
import { claudeSession, contextIn } from "../hooks/hook.ts";
import { personWho, yes } from "../person.ts";
import { callPhase } from "../phased.ts";
import { postgresUrl } from "../postgres.ts";
import { type Project, projectAt } from "../project.ts";
import { openWindow, type Window } from "../window.ts";

/**
 * Everything that the landing before this one wrote, opened by the code of today (test/fixtures/landing-2/README.md). Its
 * files are never changed to suit a test: what fails here would fail for a user who upgrades.
 */
const fixture = join(import.meta.dirname, "../fixtures/landing-2");

/** The folder in which the fixture was made: it is written into what the fixture's machine sealed. */
const made = "/tmp/waymark-landing-2";

type Head = { desk: string; kind: string; head: string; first: string; records: number };
type Expected = {
  heads: Head[];
  status: { focus: unknown; workflows: unknown; completed: number; sessions: Record<string, unknown>[] };
  log: Record<string, unknown>[];
  sessions: Record<string, string>;
};
const areas = ["project", "long", "team"] as const;
type Area = (typeof areas)[number] | "database";
const expected: Record<Area, Expected> = JSON.parse(readFileSync(join(fixture, "expected.json"), "utf8"));

type Copy = { readonly project: Project; readonly at: readonly string[]; readonly known: Expected };

/** Copies one project of the fixture and the machine that wrote it; that machine is the one of this test until it ends. */
function copyOf(name: Area): Copy {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "waymark-landing-")));
  const root = join(folder, name);
  const state = join(folder, "state");
  for (const part of [name, "state", "config"]) cpSync(join(fixture, part), join(folder, part), { recursive: true });
  for (const file of filesIn(root).filter((one) => one.endsWith(".gz"))) {
    writeFileSync(join(root, file.slice(0, -3)), gunzipSync(readFileSync(join(root, file))));
    rmSync(join(root, file));
  }
  const { XDG_STATE_HOME: before } = process.env;
  process.env.XDG_STATE_HOME = state;
  onTestFinished(() => {
    process.env.XDG_STATE_HOME = before;
    rmSync(folder, { recursive: true, force: true });
  });
  if (name !== "database") renameSync(join(state, "waymark/seen", name), join(state, "waymark/seen", sha256(root)));
  if (name === "project" || name === "database") moveTrust(join(state, "waymark"), join(made, name), root);
  return { project: projectAt(root), at: ["--root", root], known: expected[name] };
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

/** The first half of a hash, by which the state folder names a project. */
function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

/** What was trusted for a project counts for its path: seals the same decisions for another path, as that machine would have. */
function moveTrust(state: string, from: string, to: string): void {
  const secret = Buffer.from(readFileSync(join(state, "key"), "utf8").trim(), "hex");
  const key = Buffer.from(hkdfSync("sha256", secret, "", "waymark mac", 32));
  const [oldName, newName] = [from, to].map((path) => sha256(JSON.stringify(path)));
  const [oldApprovers, newApprovers] = [from, to].map(
    (path) => `approvers-${sha256(JSON.stringify(`${path}/.waymark`))}`,
  );
  for (const [was, is] of [
    [oldName, newName],
    [oldApprovers, newApprovers],
  ]) {
    const [header = "", ...lines] = readFileSync(join(state, `trusted/${was}`), "utf8").split("\n");
    const body = lines.join("\n").replaceAll(from, to);
    const mac = createHmac("sha256", key);
    for (const part of [`trusted/${is}`, body]) mac.update(`${Buffer.byteLength(part)} ${part}`);
    const [mark, id] = header.split(" ");
    const sealed = `${mark} ${id} ${Buffer.byteLength(body)} ${mac.digest("hex")}\n${body}`;
    writeFileSync(join(state, `trusted/${is}`), sealed);
  }
}

async function data(command: string, at: readonly string[], ...more: readonly string[]): Promise<unknown> {
  const { code, stdout, stderr } = await runCli([command, ...at, ...more, "--json"]);
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

type Verified = { whole: boolean; problems: unknown[]; desks: (Head & { heads?: unknown[] })[] };

async function verified(at: readonly string[], ...more: readonly string[]): Promise<Verified> {
  return (await data("verify", at, ...more)) as Verified;
}

const clean = { whole: true, problems: [] };

/** Every journal of a project, as text. */
function journals({ path }: Project): Map<string, string> {
  const folder = path(".waymark/journal");
  const files = filesIn(folder).filter((file) => file.endsWith(".jsonl"));
  return new Map(files.map((file) => [file, readFileSync(join(folder, file), "utf8")]));
}

/** No record was changed: new ones follow the old ones, and verify finds nothing. */
async function expectOnlyMore(before: Map<string, string>, { project, at }: Copy): Promise<void> {
  const now = journals(project);
  for (const [file, text] of before) expect(now.get(file)?.startsWith(text), file).toBe(true);
  expect(await verified(at)).toMatchObject(clean);
}

/** Compares what verify, status and log say with what they said when the fixture was made. */
async function expectAsRecorded(at: readonly string[], known: Expected): Promise<void> {
  const { desks: streams, ...rest } = await verified(at);
  expect(rest).toMatchObject(clean);
  expect(
    streams.map(({ desk: stream, kind, head, first, records }) => ({ desk: stream, kind, head, first, records })),
  ).toEqual(known.heads);
  const { focus, workflows, completed, sessions } = known.status;
  // How long something has been quiet depends on the day.
  const lasting = sessions.map(({ session_id, current_phase, completed_phases, workflow_complete, checkpoints }) => ({
    ...{ session_id, current_phase, completed_phases, workflow_complete, checkpoints },
  }));
  expect(await data("status", at)).toMatchObject({ focus, workflows, completed, sessions: lasting, warnings: [] });
  expect(await data("log", at)).toMatchObject(known.log);
}

/** Signs dana's approval of what waits at a session, with her key as the landing kept it. */
async function danaApproves({ root }: Project, session_id: string): Promise<void> {
  const kept = parseSealedKey(readFileSync(join(root, "../config/waymark/keys/dana.json"), "utf8"));
  const privateKey = kept && (await openKey(kept, "correct horse"));
  if (kept === undefined || privateKey === undefined) throw new Error("dana's key cannot be opened");
  const workplace = openWorkplace({ root });
  onTestFinished(() => workplace.close());
  const session = await workplace.sessions.find(session_id);
  const [found] = (await session?.submissions()) ?? [];
  if (found?.waits === undefined) throw new Error("nothing waits for dana");
  const { ref, waits } = found;
  const { digest, project, run } = waits;
  const stated = { ...ref, project, run, digest, decision: "approve", nonce: randomUUID() } as const;
  const signed = signStatement({ v: 1, ...stated, at: new Date().toISOString() }, kept.key, privateKey);
  await session?.answer({ id: "dana" }, { ref, digest, decision: "approve", signed });
}

describe("what the last landing wrote", () => {
  test.each(areas)("%s is whole, and says what it said", async (name) => {
    const { project, at, known } = copyOf(name);
    const before = journals(project);
    await expectAsRecorded(at, known);
    expect(journals(project)).toEqual(before);
  });

  test("holds no path but the one it was made in", () => {
    for (const file of filesIn(fixture).filter((one) => one !== "make.mjs"))
      expect(readFileSync(join(fixture, file), "latin1")).not.toMatch(/\/(home|Users|root|work|w)\//);
  });

  test("signed heads still hold", async () => {
    const { at } = copyOf("project");
    const { desks: streams } = await verified(at, "--key", join(fixture, "state/signer.pub"));
    for (const { heads } of streams) expect(heads).toMatchObject([{ verdict: "holds" }]);
  });

  test("the machine remembers it: a journal that lost its last record is noticed", async () => {
    const { project, at } = copyOf("project");
    const journal = ".waymark/journal/story_bot.jsonl";
    const lines = project.read(journal).trimEnd().split("\n");
    project.write(journal, `${lines.slice(0, -1).join("\n")}\n`);
    project.remove(".waymark/heads"); // the signed end would tell, too
    expect((await runCli(["verify", ...at])).code).toBe(1);
    rmSync(join(project.root, "../state/waymark/seen"), { recursive: true });
    expect((await runCli(["verify", ...at])).code).toBe(0);
  });

  test("a hook reads the open view", async () => {
    const { project } = copyOf("project");
    const soon = new Date(Date.now() + 60_000);
    for (const name of readdirSync(project.path(".waymark/open"))) {
      const file = `.waymark/open/${name}`;
      project.write(file, project.read(file).replace("decide_planning_criteria", "as_the_view_says"));
      utimesSync(project.path(file), soon, soon);
    }
    const session = claudeSession(project, "one");
    await session.tell("PostToolUse", { tool_name: "mcp__waymark__story_bot", tool_input: {}, tool_response: "{}" });
    const card = contextIn(await session.tell("SessionStart", { source: "compact" }));
    expect(card).toContain("story_bot.discovery.as_the_view_says");
  });
});

describe("a bot of the last landing goes on", () => {
  test("the open step completes with what was submitted, and the check of the next one runs as it was trusted", async () => {
    const copy = copyOf("project");
    const { project } = copy;
    const before = journals(project);
    const window = await openWindow(project.root);
    expect(await window.call("story_bot")).toMatchObject({
      ...{ status: "interrupted", behavior: "discovery", action: "decide_planning_criteria" },
      history: { count: 6 },
    });
    const resumed = await window.call("story_bot", { resume: "continue" });
    expect(resumed.instructions).toContain("docs/held.md");
    expect(resumed.instructions).toMatch(/"stories":\s*12/);
    const done = await window.call("complete_action", { confirmation: "yes" });
    expect(done).toMatchObject({ status: "completed", next: { action: "build_knowledge" }, warnings: [] });
    expect(project.read("docs/held.md")).toContain("nobody has approved it yet");
    expect(project.log().at(-1)).toMatchObject({ action_state: "completed", outputs: { stories: 12 } });

    expect(await window.call("shape_bot")).toMatchObject({ status: "started", action: "build_knowledge" });
    const proved = await window.call("complete_action", { behavior: "shape", evidence: { summary: "again" } });
    expect(proved).toMatchObject({ status: "completed", action: "build_knowledge" });
    await expectOnlyMore(before, copy);
  });

  test("the named run completes its open step", async () => {
    const copy = copyOf("project");
    const { project } = copy;
    const before = journals(project);
    const window = await openWindow(project.root);
    const run = "feature/login";
    const found = await window.call("story_bot", { run });
    expect(found).toMatchObject({ status: "interrupted", run, action: "decide_planning_criteria" });
    await window.call("story_bot", { run, resume: "continue" });
    expect(await window.call("complete_action", { run, confirmation: "yes" })).toMatchObject({
      ...{ status: "completed", run, next: { action: "build_knowledge" } },
    });
    await expectOnlyMore(before, copy);
  });

  test("every setting still counts", async () => {
    const copy = copyOf("team");
    const { project } = copy;
    const before = journals(project);
    project.write("workflow_state.json", { ...project.state(), current_action: "story_bot.shape.validate_rules" });
    const { person } = personWho(yes());
    const window = await openWindow(project.root, { person });
    const found = await window.call("story_bot");
    expect(found).toMatchObject({ status: "interrupted", action: "decide_planning_criteria" });
    expect(project.state().current_action).toBe("story_bot.shape.decide_planning_criteria");
    expect(await window.call("discovery_bot")).toMatchObject({ error: "action_sequence_violation" });
    await window.call("story_bot", { resume: "continue" });
    expect(await window.call("complete_action", { confirmation: "yes" })).toMatchObject({ status: "completed" });
    expect(project.read(".waymark/journal/story_bot.jsonl").split("\n").at(-2)).toContain("elicited");
    await expectOnlyMore(before, copy);
  });

  const checkpoint = ".waymark/journal/story_bot.checkpoint";
  test.each([
    ["as it was saved", () => undefined],
    ["missing", (project: Project) => project.remove(checkpoint)],
  ])("a long history is read the same with its checkpoint %s", async (_, change) => {
    const copy = copyOf("long");
    const { project } = copy;
    change(project);
    const before = journals(project);
    const window = await openWindow(project.root);
    expect(await window.call("story_bot")).toMatchObject({
      ...{ status: "interrupted", action: "decide_planning_criteria", warnings: [], history: { count: 1 } },
    });
    expect(await window.call("story_bot", { resume: "continue" })).toMatchObject({ status: "started", warnings: [] });
    const done = await window.call("complete_action", { confirmation: "yes" });
    expect(done).toMatchObject({ status: "completed", next: { action: "build_knowledge" }, warnings: [] });
    expect(project.state().completed_actions).toHaveLength(2);
    expect(project.log().map(({ action_state }) => action_state)).toEqual([
      "started",
      "completed",
      "started",
      "completed",
    ]);
    await expectOnlyMore(before, copy);
  });
});

/** Completes phase 2 of the open session by the gate it was pinned with; the files ask for another field by now. */
async function passPinned(window: Window, session_id: string): Promise<void> {
  const content = await callPhase(window, "get_phase_content", { session_id });
  expect(content).toMatchObject({ phase_number: 2, artifacts_from_previous: { 1: { tests_passed: 7 } } });
  expect(content.phase_content?.content).toContain("Do the work of look 2.");
  expect(content.phase_content?.content).not.toContain("twice as well");
  const asked = { session_id, phase: 2 };
  const other = await callPhase(window, "complete_phase", { ...asked, evidence: { count_other: 1 } });
  expect(other).toMatchObject({ error: "incomplete_checkpoint" });
  const passed = await callPhase(window, "complete_phase", {
    ...asked,
    evidence: { count_2: 3 },
    confirmation: "Lee agrees",
  });
  expect(passed).toMatchObject({ checkpoint_passed: true, next_phase: 3 });
}

describe("sessions of the last landing go on", () => {
  test("the open one by its pinned gate, and to its end with an approval that a kept key proves", async () => {
    const copy = copyOf("project");
    const { project, known } = copy;
    const before = journals(project);
    const window = await openWindow(project.root);
    const session_id = known.sessions.open ?? "";
    const again = await callPhase(window, "start_workflow", { workflow_type: "survey", target_file: "src/a.ts" });
    expect(again).toMatchObject({ session_id, resumed: true });
    await passPinned(window, session_id);
    const last = { session_id, phase: 3, evidence: { count_3: 1 } };
    expect(await callPhase(window, "complete_phase", last)).toMatchObject({ error: "approval_required" });
    await danaApproves(project, session_id);
    const passed = await callPhase(window, "complete_phase", last);
    expect(passed).toMatchObject({ checkpoint_passed: true, workflow_complete: true });
    await expectOnlyMore(before, copy);
  });

  test("each says what its file says; the completed one can be reviewed, the archived one is closed", async () => {
    const { project, known } = copyOf("project");
    const window = await openWindow(project.root);
    for (const session_id of Object.values(known.sessions)) {
      const { phase_artifacts: _, ...file } = project.json(`.waymark/sessions/${session_id}.json`);
      expect(await callPhase(window, "get_workflow_state", { session_id })).toMatchObject(file);
    }
    const completed = { session_id: known.sessions.completed, requested_phase: 2 };
    expect((await callPhase(window, "get_phase_content", completed)).phase_content?.content).toContain("look 2");
    const archived = { session_id: known.sessions.archived, phase: 2, evidence: { count_2: 1 } };
    expect(await callPhase(window, "complete_phase", archived)).toMatchObject({ isError: true });
  });
});

test("the exported histories are imported with every head they had", async () => {
  const { project, known } = copyOf("project");
  for (const folder of ["journal", "sessions", "runs", "open", "pinned", "heads", "held", "kept"])
    project.remove(`.waymark/${folder}`);
  for (const file of ["workflow_state.json", "activity_log.json"]) project.remove(file);
  rmSync(join(project.root, "../state/waymark/seen"), { recursive: true });
  const at = ["--root", project.root];
  expect(await data("import", at, join(fixture, "history.jsonl"))).toHaveLength(known.heads.length);
  const { desks: streams, ...rest } = await verified(at);
  expect(rest).toMatchObject(clean);
  expect(streams.map(({ head }) => head).sort()).toEqual(known.heads.map(({ head }) => head).sort());
  const window = await openWindow(project.root);
  expect(await window.call("story_bot")).toMatchObject({ behavior: "discovery", action: "decide_planning_criteria" });
  await passPinned(window, known.sessions.open ?? "");
});

test("a database of the last landing is opened, verified and continued", async () => {
  const url = await postgresUrl();
  const schema = `landing_${randomUUID().slice(0, 8)}`;
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  await sql.unsafe(readFileSync(join(fixture, "dump.sql"), "utf8").replaceAll(/\blanding_2\b/g, schema));
  const { project, known } = copyOf("database");
  const store = ["--store", `${url}?schema=${schema}`];
  const at = ["--root", project.root, ...store, "--project", "tea-shop"];
  await expectAsRecorded(at, known);
  const { desks: streams } = await verified(at, "--key", join(fixture, "state/signer.pub"));
  for (const { heads } of streams) expect(heads).toMatchObject([{ verdict: "holds" }]);
  expect(await data("token", ["list", "--root", project.root, ...store])).toMatchObject([
    { name: "lee", role: "agent" },
  ]);

  const window = await openWindow(project.root, { args: at.slice(2) });
  expect(await window.call("story_bot")).toMatchObject({ status: "interrupted", action: "decide_planning_criteria" });
  await window.call("story_bot", { resume: "continue" });
  const done = await window.call("complete_action", { confirmation: "yes" });
  expect(done).toMatchObject({ status: "completed", next: { action: "build_knowledge" }, warnings: [] });
  expect(project.read("docs/criteria.md")).toContain("nobody has approved it yet");
  const run = "feature/login"; // what is completed there is in its snapshot
  expect(await window.call("story_bot", { run })).toMatchObject({
    ...{ status: "interrupted", action: "decide_planning_criteria", history: { count: 1 } },
  });
  await passPinned(window, known.sessions.open ?? "");
  await window.close();
  expect(await verified(at)).toMatchObject(clean);
  await sql.unsafe(`drop schema ${schema} cascade`);
  await sql.end();
});
