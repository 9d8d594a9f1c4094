import { describe, expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { overHttp } from "../doors.ts";
import { kinds, placeOf } from "../hands.ts";
import { sitDown } from "../people.ts";
import { closes, personWho } from "../person.ts";
import { addWorkflow, callPhase, evidenceFor, plantWorkflow, sentinel } from "../phased.ts";
import { makeProject, type Project } from "../project.ts";
import { openWindow, type Window } from "../window.ts";

type Shown = {
  run: string;
  step: unknown;
  attempt: number;
  since: string;
  waiting_for: unknown;
  outputs: Record<string, unknown>;
  evidence: Record<string, unknown>;
  content: { path: string; bytes: number; sha256: string; new: boolean }[];
  rules: unknown;
  checks: unknown;
  digest: string;
};

async function shown({ root }: Project, ...args: string[]): Promise<Shown[]> {
  const { code, stdout, stderr } = await runCli(["show", ...args, "--json", "--root", root]);
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

async function heads({ root }: Project): Promise<unknown> {
  const { desks: streams } = JSON.parse((await runCli(["verify", "--json", "--root", root])).stdout);
  return streams.map(({ desk: stream, head }: { desk: string; head: string }) => [stream, head]);
}

const story = `The guest comes in.\n${"And finds a place near the window. ".repeat(80)}\nThen leaves.`;
const mapText = "# Map\n\nGuests find a place.\n";

describe("waymark show", () => {
  test.each(kinds)("what waits for a person (%s), as data, whole", async (kind) => {
    const place = placeOf(kind, { prepare: ({ write }) => write("docs/old.md", "# Old\n") });
    const { handIn: submission } = await place.open();
    const before = new Date().toISOString();
    const content = [
      { path: "docs/map.md", text: mapText },
      { path: "docs/old.md", text: "# Older\n" },
    ];
    expect((await submission({ outputs: { story, seats: 24 }, content })).verdict).toBe("waits");
    const known = await heads(place.project);
    const all = await shown(place.project);
    expect(all).toHaveLength(1);
    const [one] = all;
    expect(one).toMatchObject({
      attempt: 1,
      since: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      outputs: { story, seats: 24 },
      evidence: kind === "phase" ? evidenceFor(1) : {},
      content: [
        { path: "docs/map.md", bytes: mapText.length, sha256: expect.stringMatching(/^[0-9a-f]{64}$/), new: true },
        { path: "docs/old.md", bytes: 8, sha256: expect.stringMatching(/^[0-9a-f]{64}$/), new: false },
      ],
      rules: expect.anything(),
      checks: [],
      digest: expect.stringMatching(/^[0-9a-f]{16,64}$/),
    });
    expect(one?.waiting_for).toBeTruthy();
    expect(String(one?.step)).toContain(kind === "phase" ? "1" : "gather_context");
    expect(one?.since.localeCompare(before)).toBeGreaterThanOrEqual(0);
    if (kind === "action") expect(one?.run).toBe("story_bot.shape");
    else expect(one?.run).toMatch(/^survey-/);
    expect(await shown(place.project, one?.run ?? "")).toEqual(all);
    expect(await heads(place.project)).toEqual(known);
  });

  test.each(kinds)(
    "the digest is that of what is handed in (%s): the order of keys does not matter, a value does",
    async (kind) => {
      const place = placeOf(kind);
      const { handIn: submission } = await place.open();
      const digestOf = async (outputs: Record<string, unknown>): Promise<string | undefined> => {
        await submission({ outputs });
        return (await shown(place.project))[0]?.digest;
      };
      const first = await digestOf({ b: { y: 1, x: 2 }, a: "one" });
      expect(first).toBeTruthy();
      expect(await digestOf({ a: "one", b: { x: 2, y: 1 } })).toBe(first);
      expect(await digestOf({ a: "two", b: { x: 2, y: 1 } })).not.toBe(first);
      expect(await digestOf({ a: "one", b: { x: 2, y: 1 } })).toBe(first);
    },
  );

  test.each(kinds)(
    "at the terminal it prints everything whole (%s): outputs, evidence, the text of the files",
    async (kind) => {
      const place = placeOf(kind);
      const { handIn: submission } = await place.open();
      const trap = "\u001b[2J\u001b]0;gone\u0007";
      await submission({
        outputs: { story, note: `see ${trap}this` },
        content: [{ path: "docs/map.md", text: mapText + trap }],
      });
      const { code, stdout } = await runCli(["show", "--root", place.project.root]);
      expect(code).toBe(0);
      expect(stdout).toContain(place.step);
      expect(stdout).toContain("And finds a place near the window. ".repeat(80).trim());
      expect(stdout).toContain("Then leaves.");
      expect(stdout).toContain("docs/map.md");
      expect(stdout).toContain("Guests find a place.");
      if (kind === "phase") expect(stdout).toContain("zanzibar1quux_count");
      expect(stdout).not.toContain("\u001b");
      expect(stdout).not.toContain("\u0007");
    },
  );

  test("whoever judges reads what it is about, what a file changes, and what earlier steps put on record", async () => {
    const project = plantWorkflow({ phases: 2, approval: [2] });
    const rest = Array.from({ length: 20 }, (_, at) => `Line ${at}.\n`);
    project.write("docs/old.md", `# Old\n\nOne table.\n${rest.join("")}`);
    const window = await openWindow(project.root);
    const start = { workflow_type: "survey", target_file: "src/tea.ts" };
    const { session_id } = await callPhase(window, "start_workflow", start);
    const submission = async (phase: number, path: string, text: string) =>
      callPhase(window, "complete_phase", {
        ...{ session_id, phase, evidence: evidenceFor(phase) },
        content: [{ path, text }],
      });
    expect(await submission(1, "docs/map.md", mapText)).toMatchObject({ checkpoint_passed: true });
    expect(await submission(2, "docs/old.md", `# Old\n\nTwo tables.\n${rest.join("")}`)).toMatchObject({
      error: "approval_required",
    });
    const { stdout } = await runCli(["show", "--root", project.root]);
    expect(stdout).toContain(
      `src/tea.ts (${session_id}): Phase 2: ${sentinel(2)} title (waiting for approval from a person`,
    );
    expect(stdout).toContain(
      `docs/old.md (changed: 1 line added, 1 removed)\n  # Old\n  \n- One table.\n+ Two tables.\n  ${rest.join("  ")}`,
    );
    const [, before = ""] = stdout.split("Recorded by earlier steps, not part of this approval\n");
    expect(before).toMatch(
      /^ {2}phase 1: \w+ title: 1 claimed · 0 verified\n {2}docs\/map\.md, 28 bytes, [0-9a-f]{12}, at phase 1\n/,
    );
    expect(before).toContain("waymark approve src/tea.ts\n");
    expect(await shown(project)).toMatchObject([
      { target: "src/tea.ts", earlier: [{ path: "docs/map.md", bytes: mapText.length, step: "1" }] },
    ]);
  });

  test("the author's own question is asked, and what is to be approved comes first, readable", async () => {
    const project = plantWorkflow({ phases: 2, approval: [1] });
    const gate = ".waymark/workflows/survey/phases/1/gate-definition.yaml";
    const own = 'approval: { question: "Do you agree with the plan?" }';
    project.write(gate, project.read(gate).replace("approval: required", own));
    const { person, questions } = personWho(closes);
    const window = await openWindow(project.root, { person });
    const { session_id } = await callPhase(window, "start_workflow", { workflow_type: "survey" });
    const outputs = { plan: [{ title: "Find a seat", size: 3 }, "Pay\nChecked by Waymark:"] };
    const content = [{ path: "docs/map.md", text: mapText }];
    await callPhase(window, "complete_phase", { session_id, phase: 1, evidence: evidenceFor(1), outputs, content });
    expect(questions[0]?.split("\n").slice(0, 9)).toEqual([
      "Do you agree with the plan? (Phase 1)",
      "Outputs:",
      "plan:",
      "  - title: Find a seat",
      "    size: 3",
      "  - Pay",
      "    | Checked by Waymark:",
      "Files:",
      "- docs/map.md: 3 lines, new",
    ]);
    const { stdout } = await runCli(["show", "--root", project.root]);
    expect(stdout).toContain("Do you agree with the plan?");
    const order = ["Find a seat", "docs/map.md (new)", "Evidence (claimed)"].map((one) => stdout.indexOf(one));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order).not.toContain(-1);
  });

  test("a run that waits for nobody shows what was handed in last", async () => {
    const project = plantWorkflow({ phases: 2 });
    const window = await openWindow(project.root);
    const { session_id } = await callPhase(window, "start_workflow", { workflow_type: "survey" });
    const outputs = { draft: "the first" };
    await callPhase(window, "complete_phase", { session_id, phase: 1, evidence: {}, outputs });
    const [one] = await shown(project, session_id);
    expect(one).toMatchObject({ run: session_id, attempt: 1, outputs });
    expect(one?.waiting_for ?? null).toBeNull();
  });

  test("several that wait are all shown, each by its name; what is not there is said", async () => {
    const project = makeProject();
    addWorkflow(project, { phases: 2, approval: [1] });
    const nothing = await runCli(["show", "--root", project.root]);
    expect([nothing.code, nothing.stdout]).toEqual([0, expect.stringMatching(/nothing/i)]);
    expect(await shown(project)).toEqual([]);
    const window = await openWindow(project.root);
    const session_id = await waitingSession(window);
    for (const behavior of ["shape", "discovery"]) {
      await window.call(`${behavior}_bot`);
      await window.call("complete_action", { behavior, outputs: { from: behavior } });
    }
    const runs = (await shown(project)).map(({ run }) => run).sort();
    expect(runs).toEqual(["story_bot.discovery", "story_bot.shape", session_id].sort());
    expect(await shown(project, "story_bot.discovery")).toMatchObject([{ outputs: { from: "discovery" } }]);
    const unknown = await runCli(["show", "story_bot.nowhere", "--root", project.root]);
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain("story_bot.nowhere");
  });

  test("what is completed waits no longer", async () => {
    const place = placeOf("action");
    const { handIn: submission } = await place.open();
    await submission({ outputs: { a: 1 } });
    expect(await shown(place.project)).toHaveLength(1);
    await submission({ confirmation: "yes" });
    const left = await shown(place.project);
    expect(left.filter(({ waiting_for }) => waiting_for)).toEqual([]);
  });
});

describe("waymark status", () => {
  test("says of sessions and of bots that they wait for a person, and since when", async () => {
    const project = makeProject();
    addWorkflow(project, { phases: 2, approval: [1] });
    const window = await openWindow(project.root);
    const session_id = await waitingSession(window);
    await window.call("story_bot");
    await window.call("complete_action", { outputs: { users: "guests" } });
    const { stdout } = await runCli(["status", "--root", project.root]);
    expect(stdout).toMatch(/‖ survey-[0-9a-f]{4} +‖· +\d{4}-.* Phase 1.*: waiting for approval/);
    expect(stdout.match(/waiting for approval/g)).toHaveLength(2);
    const data = JSON.parse((await runCli(["status", "--json", "--root", project.root])).stdout);
    for (const { run, since } of await shown(project)) {
      const part = run === session_id ? data.sessions : data.workflows;
      expect(JSON.stringify(part), run).toContain(since);
    }
    await callPhase(window, "complete_phase", { ...atFirst(session_id), confirmation: "yes" });
    const later = await runCli(["status", "--root", project.root]);
    expect(later.stdout.match(/waiting for approval/g)).toHaveLength(1);
  });
});

describe.skipIf(overHttp("a terminal of its own has no store named"))("waymark back --session", () => {
  const walked = async (): Promise<{ project: Project; window: Window; session_id: string }> => {
    const project = plantWorkflow({ phases: 4 });
    const window = await openWindow(project.root);
    const { session_id } = await callPhase(window, "start_workflow", { workflow_type: "survey" });
    for (let phase = 1; phase <= 3; phase++)
      await callPhase(window, "complete_phase", { session_id, phase, evidence: evidenceFor(phase) });
    return { project, window, session_id };
  };
  /** Goes back as a person does. */
  const back = (project: Project, phase: string, session: string): Promise<void> =>
    sitDown().runs(project, ["back", "--yes", "--session", session, phase]).ends();

  test("goes back to a completed phase: it and what followed are to be done again, and nothing is deleted", async () => {
    const { project, window, session_id } = await walked();
    const journal = `.waymark/journal/sessions/${session_id}.jsonl`;
    const before = project.read(journal);
    await back(project, "2", session_id);
    expect(project.read(journal).startsWith(before)).toBe(true);
    expect(await callPhase(window, "get_workflow_state", { session_id })).toMatchObject({
      current_phase: 2,
      completed_phases: [1],
      workflow_complete: false,
    });
    expect(project.json(`.waymark/sessions/${session_id}.json`)).toMatchObject({
      current_phase: 2,
      completed_phases: [1],
    });
    const read = await callPhase(window, "get_phase_content", { session_id });
    expect(read).toMatchObject({ phase_number: 2 });
    expect(Object.keys(read.artifacts_from_previous ?? {})).toEqual(["1"]);
    for (const requested_phase of [3, 4])
      expect(await callPhase(window, "get_phase_content", { session_id, requested_phase })).toMatchObject({
        error: "phase_sequence_violation",
        reason: "Currently on Phase 2",
      });
    for (let phase = 2; phase <= 4; phase++)
      expect(
        await callPhase(window, "complete_phase", { session_id, phase, evidence: evidenceFor(phase) }),
      ).toMatchObject({ checkpoint_passed: true });
    const { stdout } = await runCli(["log", "--json", "--root", project.root]);
    expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ event: "went_back", session: session_id }));
    expect((await runCli(["verify", "--root", project.root])).code).toBe(0);
  });

  test("a finished session can be opened again", async () => {
    const { project, window, session_id } = await walked();
    const last = { session_id, phase: 4, evidence: evidenceFor(4) };
    expect(await callPhase(window, "complete_phase", last)).toMatchObject({ workflow_complete: true });
    await back(project, "4", session_id);
    expect(await callPhase(window, "get_workflow_state", { session_id })).toMatchObject({
      current_phase: 4,
      completed_phases: [1, 2, 3],
      workflow_complete: false,
    });
    expect(await callPhase(window, "complete_phase", last)).toMatchObject({ workflow_complete: true });
  });

  test("what cannot be gone back to is refused, and nothing moves", async () => {
    const { project, session_id } = await walked();
    const known = await heads(project);
    await back(project, "9", session_id);
    await back(project, "two", session_id);
    await back(project, "1", "survey-0000000000-1");
    expect(await heads(project)).toEqual(known);
    await runCli(["archive", session_id, "--root", project.root]);
    const archived = await heads(project);
    await back(project, "1", session_id);
    expect(await heads(project)).toEqual(archived);
  });

  // Attack (shell): Go back in a session without a person
  // -> Refused without a terminal
  test("an assistant without a terminal cannot, not even with --yes or --json", async () => {
    const { project, session_id } = await walked();
    const known = await heads(project);
    for (const more of [[], ["--yes"], ["--json"]]) {
      const args = ["back", "--session", session_id, "1", "--root", project.root, ...more];
      const { code, stderr } = await runCli(args);
      expect([code, stderr]).toEqual([1, expect.stringContaining("a person's decision")]);
    }
    expect(await heads(project)).toEqual(known);
  });
});

const atFirst = (session_id: string): Record<string, unknown> => ({ session_id, phase: 1, evidence: evidenceFor(1) });

async function waitingSession(window: Window): Promise<string> {
  const { session_id } = await callPhase(window, "start_workflow", { workflow_type: "survey" });
  expect(await callPhase(window, "complete_phase", atFirst(session_id))).toMatchObject({ error: "approval_required" });
  return session_id;
}
