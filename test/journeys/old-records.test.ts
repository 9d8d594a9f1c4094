import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { runCli } from "../command-line.ts";
import { callPhase, type PhaseResult } from "../phased.ts";
import { type Project, projectAt } from "../project.ts";
import { type Answer, openWindow, type Window } from "../window.ts";

const fixtures = join(import.meta.dirname, "../fixtures/records-0.1");
const home = join(import.meta.dirname, "../..");

type Head = { desk: string; kind: string; head: string; first: string; records: number };
type Expected = {
  sessions: Record<string, string>;
  heads: Head[];
  status: Record<string, unknown>;
  log: Record<string, unknown>[];
};
const expected: Record<string, Expected> = JSON.parse(readFileSync(join(fixtures, "expected.json"), "utf8"));
const areas = Object.keys(expected);

/** A copy of an old project area, and the options of a command that speaks of it. */
function copyOf(name: string): { project: Project; at: string[]; known: Expected } {
  const root = mkdtempSync(join(tmpdir(), "waymark-old-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  cpSync(join(fixtures, name), root, { recursive: true });
  const known = expected[name];
  if (known === undefined) throw new Error(`no area ${name}`);
  if (name !== "outside") return { project: projectAt(root), at: ["--root", root], known };
  const definitions = ["--definitions", join(root, "definitions")];
  return { project: projectAt(join(root, "area")), at: ["--root", join(root, "area"), ...definitions], known };
}

async function data(command: string, at: readonly string[]): Promise<unknown> {
  const { code, stdout, stderr } = await runCli([command, "--json", ...at]);
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

const headsOf = async (at: readonly string[]): Promise<Head[]> =>
  ((await data("verify", at)) as { desks: Head[] }).desks;

/** Every journal of a project area, as it stands. */
function journals({ path }: Project): Map<string, string> {
  const folder = path(".waymark/journal");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".jsonl"));
  return new Map(files.map((file) => [file, readFileSync(join(folder, file), "utf8")]));
}

/** Nothing that was on record is changed: what came since stands behind it, and the chain is whole. */
async function expectOnlyMore(before: Map<string, string>, project: Project, at: readonly string[]): Promise<void> {
  const now = journals(project);
  for (const [file, text] of before) expect(now.get(file)?.startsWith(text), file).toBe(true);
  expect(await data("verify", at)).toMatchObject({ whole: true, problems: [] });
}

async function windowOn(project: Project, at: readonly string[]): Promise<Window> {
  return openWindow(project.root, { args: at.slice(2) });
}

describe.each(areas)("a record of 0.1 (%s)", (name) => {
  test("is whole, with the heads and ids it had, and says what it said", async () => {
    const { project, at, known } = copyOf(name);
    const before = journals(project);
    const heads = await headsOf(at);
    expect(
      heads.map(({ desk: stream, kind, head, first, records }) => ({ desk: stream, kind, head, first, records })),
    ).toEqual(known.heads);
    expect(await data("status", at)).toMatchObject(known.status);
    expect(await data("log", at)).toMatchObject(known.log);
    expect(journals(project)).toEqual(before);
  });

  test("holds no path of the machine that wrote it", () => {
    const files = readdirSync(join(fixtures, name), { recursive: true, withFileTypes: true });
    const texts = files
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
    expect(texts.length).toBeGreaterThan(10);
    for (const text of texts) {
      expect(text).not.toContain(home);
      expect(text).not.toMatch(/\/(home|Users|root|work)\//);
    }
  });
});

describe("a bot of 0.1 goes on", () => {
  test("half way: interrupted where it stood, what was handed in comes back, and completes on a word alone", async () => {
    const { project, at } = copyOf("half-way");
    const before = journals(project);
    const window = await windowOn(project, at);
    const found = await window.call("story_bot");
    expect(found).toMatchObject({
      status: "interrupted",
      behavior: "discovery",
      action: "render_output",
    });
    expect(found.history.count).toBe(project.state().completed_actions.length);
    const resumed = await window.call("story_bot", { resume: "continue" });
    expect(resumed).toMatchObject({ status: "started", action: "render_output" });
    expect(resumed.instructions).toContain("docs/held.md");
    expect(resumed.instructions).toMatch(/"stories":\s*12/);
    const done = await window.call("complete_action", { confirmation: "yes, at last" });
    expect(done).toMatchObject({ status: "completed", action: "render_output", next: { action: "validate_rules" } });
    expect(project.read("docs/held.md")).toContain("nobody has agreed yet");
    expect(project.log().at(-1)).toMatchObject({ action_state: "completed", outputs: { stories: 12 } });
    await expectOnlyMore(before, project, at);
  });

  test("half way: the other behaviors stand where they stood", async () => {
    const { project, at } = copyOf("half-way");
    const window = await windowOn(project, at);
    const places: [string, Partial<Answer>][] = [
      ["shape_bot", { status: "interrupted", action: "decide_planning_criteria" }],
      ["prioritization_bot", { status: "started", action: "render_output" }],
      ["exploration_bot", { status: "started", action: "gather_context" }],
    ];
    for (const [tool, place] of places) expect(await window.call(tool)).toMatchObject(place);
    const review = await window.call("shape_bot", { action: "gather_context" });
    expect(review).toMatchObject({ status: "review" });
    expect(review.instructions).toContain("Guests and staff");
    const { code } = await runCli(["back", ...at, "--behavior", "shape", "gather_context"]);
    expect(code).toBe(0);
    expect(await window.call("shape_bot")).toMatchObject({ action: "gather_context" });
  });

  test("finished: says so, begins a second pass, and its signed head is still of this history", async () => {
    const { project, at } = copyOf("finished");
    const before = journals(project);
    const key = join(fixtures, "signer.pub");
    const signed = JSON.parse((await runCli(["verify", "--json", ...at, "--key", key])).stdout);
    expect(signed.desks[0].heads).toMatchObject([{ verdict: "holds" }]);
    const window = await windowOn(project, at);
    expect(await window.call("story_bot")).toMatchObject({ status: "workflow_complete" });
    expect(await window.call("shape_bot", { resume: "restart" })).toMatchObject({ status: "started" });
    expect(await window.call("complete_action", { confirmation: "yes" })).toMatchObject({ status: "completed" });
    await expectOnlyMore(before, project, at);
  });

  test.each(["taken-over", "begun-anew"])("%s: interrupted, continued, completed", async (name) => {
    const { project, at } = copyOf(name);
    const before = journals(project);
    const stood = project.state();
    const window = await windowOn(project, at);
    const action = stood.current_action.split(".").at(-1);
    expect(await window.call("story_bot")).toMatchObject({ status: "interrupted", action });
    expect(await window.call("story_bot", { resume: "continue" })).toMatchObject({ status: "started", action });
    expect(await window.call("complete_action", { confirmation: "yes" })).toMatchObject({
      status: "completed",
      action,
    });
    expect(project.state().completed_actions).toMatchObject([
      ...stood.completed_actions,
      { action_state: stood.current_action },
    ]);
    await expectOnlyMore(before, project, at);
  });

  const checkpoint = ".waymark/journal/story_bot.checkpoint";
  test.each([
    ["as it stands", () => undefined],
    ["gone", (project: Project) => project.remove(checkpoint)],
    ["damaged", (project: Project) => writeFileSync(project.path(checkpoint), "nothing of the kind")],
  ])("a long history, with the checkpoint %s", async (_, change) => {
    const { project, at } = copyOf("long");
    change(project);
    const before = journals(project);
    const window = await windowOn(project, at);
    const found = await window.call("story_bot");
    expect(found).toMatchObject({ status: "interrupted", behavior: "discovery", action: "gather_context" });
    expect(found.history.count).toBe(15);
    await window.call("story_bot", { resume: "continue" });
    expect(await window.call("complete_action", { confirmation: "yes" })).toMatchObject({ status: "completed" });
    expect(project.state().completed_actions).toHaveLength(16);
    await expectOnlyMore(before, project, at);
  });
});

describe("sessions of 0.1 go on", () => {
  const evidenceOf = (phase: number): Record<string, unknown> => ({ [`count_${phase}`]: phase });

  test("each says what its file says, under the id it had", async () => {
    const { project, at, known } = copyOf("sessions");
    const window = await windowOn(project, at);
    for (const session_id of Object.values(known.sessions)) {
      const { phase_artifacts, ...file } = project.json(`.waymark/sessions/${session_id}.json`);
      const state = await callPhase(window, "get_workflow_state", { session_id });
      expect(state).toMatchObject(file);
      expect(Object.keys(state.phase_artifacts ?? {})).toEqual(Object.keys(phase_artifacts ?? {}));
    }
    const { sessions = [] } = await callPhase(window, "get_workflow_state");
    expect(sessions.map(({ session_id }) => session_id).sort()).toEqual(Object.values(known.sessions).sort());
  });

  test("a start with the same type, target and options resumes the same session, whatever the order of the options", async () => {
    const { project, at, known } = copyOf("sessions");
    const window = await windowOn(project, at);
    const starts: [string, Record<string, unknown>][] = [
      ["open", { workflow_type: "survey", target_file: "src/a.ts" }],
      ["begun_anew", { workflow_type: "survey", target_file: "src/c.ts" }],
      ["options", { workflow_type: "build", options: { depth: 2, tasks: "specs/tasks.md" } }],
      [
        "options_and_target",
        { workflow_type: "survey", target_file: "src/a.ts", options: { names: ["x", "y"], strictness: "high" } },
      ],
      ["relayed", { workflow_type: "audit", target_file: "src/a.ts" }],
      ["elicited", { workflow_type: "audit", target_file: "src/b.ts" }],
    ];
    for (const [name, args] of starts) {
      expect(await callPhase(window, "start_workflow", args), name).toMatchObject({
        session_id: known.sessions[name],
        resumed: true,
      });
    }
  });

  test("the open one goes on from phase 3 by its pinned definition, and says that the files have changed", async () => {
    const { project, at, known } = copyOf("sessions");
    const before = journals(project);
    const window = await windowOn(project, at);
    const session_id = known.sessions.open;
    const content: PhaseResult = await callPhase(window, "get_phase_content", { session_id });
    expect(content.phase_number).toBe(3);
    expect(content.phase_content?.content).toContain("Do the work of look 3.");
    expect(content.phase_content?.content).not.toContain("twice as well");
    expect(content.warnings.join()).toMatch(/changed/);
    expect(content.artifacts_from_previous).toMatchObject({ 1: { count_1: 10 }, 2: { count_2: 20, done: true } });
    for (let phase = 3; phase <= 5; phase++) {
      const passed = await callPhase(window, "complete_phase", { session_id, phase, evidence: evidenceOf(phase) });
      expect(passed.checkpoint_passed).toBe(true);
      if (phase === 5) expect(passed.workflow_complete).toBe(true);
    }
    await expectOnlyMore(before, project, at);
  });

  test("the one that takes its phases from a task list goes on by the phases it was pinned with, to its end", async () => {
    const { project, at, known } = copyOf("sessions");
    const before = journals(project);
    project.write("specs/tasks.md", "# Tasks\n\n## Phase 1: Other\n\n- [ ] T001 One\n");
    const window = await windowOn(project, at);
    const session_id = known.sessions.options;
    const content = await callPhase(window, "get_phase_content", { session_id });
    expect(content).toMatchObject({ phase_number: 2, artifacts_from_previous: { 1: { setup_done: true } } });
    expect(content.phase_content?.content).toContain("Write it");
    expect(content).not.toHaveProperty("items");
    const complete = (evidence: object) => callPhase(window, "complete_phase", { session_id, phase: 2, evidence });
    expect(await complete({ t001_one: true })).toMatchObject({ error: "incomplete_checkpoint" });
    expect(await complete({ code_written: true })).toMatchObject({ checkpoint_passed: true, workflow_complete: true });
    await expectOnlyMore(before, project, at);
  });

  test("those that wait for a person complete on a word", async () => {
    const { project, at, known } = copyOf("sessions");
    const before = journals(project);
    const window = await windowOn(project, at);
    for (const [name, phase] of [
      ["relayed", 2],
      ["elicited", 3],
    ] as const) {
      const submitted = { session_id: known.sessions[name], phase, evidence: evidenceOf(phase) };
      expect(await callPhase(window, "complete_phase", submitted)).toMatchObject({ error: "approval_required" });
      const passed = await callPhase(window, "complete_phase", { ...submitted, confirmation: "Dana agrees" });
      expect(passed.checkpoint_passed, name).toBe(true);
    }
    await expectOnlyMore(before, project, at);
  });

  test("the completed one can be reviewed and the archived one stays away", async () => {
    const { project, at, known } = copyOf("sessions");
    const window = await windowOn(project, at);
    const session_id = known.sessions.completed;
    const review = await callPhase(window, "get_phase_content", { session_id, requested_phase: 2 });
    expect(review.phase_content?.content).toContain("look 2");
    const state = await callPhase(window, "get_workflow_state", { session_id });
    expect(state).toMatchObject({ workflow_complete: true, current_phase: 5, completed_phases: [1, 2, 3, 4, 5] });
    const archived = { session_id: known.sessions.archived, phase: 2, evidence: evidenceOf(2) };
    expect(await callPhase(window, "complete_phase", archived)).toMatchObject({ isError: true });
  });

  test("pins are found beside definitions that stand outside the workspace", async () => {
    const { project, at, known } = copyOf("outside");
    const before = journals(project);
    const window = await windowOn(project, at);
    const session_id = known.sessions.open;
    expect((await callPhase(window, "get_phase_content", { session_id })).phase_content?.content).toContain("look 2");
    const passed = await callPhase(window, "complete_phase", { session_id, phase: 2, evidence: evidenceOf(2) });
    expect(passed).toMatchObject({ checkpoint_passed: true, next_phase: 3 });
    await expectOnlyMore(before, project, at);
  });
});
