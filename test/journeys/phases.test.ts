import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { inDatabase, overHttp } from "../doors.ts";
import { declines, personWho, yes } from "../person.ts";
import {
  addWorkflow,
  callPhase,
  emptyProject,
  evidenceFor,
  fieldOf,
  type PhaseResult,
  plantWorkflow,
  sentinel,
} from "../phased.ts";
import { makeProject } from "../project.ts";
import { newer, openProcess, openWindow, openWire, type Window } from "../window.ts";

const begin = (window: Window, more: Record<string, unknown> = {}): Promise<PhaseResult> =>
  callPhase(window, "start_workflow", { workflow_type: "survey", target_file: "src/a.ts", ...more });

describe("two windows on one session", () => {
  test.skipIf(overHttp("replicas: test/team/replicas.test.ts"))(
    "two processes completing the same phase at once: exactly one wins, at every phase",
    async () => {
      const project = plantWorkflow({ phases: 6 });
      const windows = await Promise.all([openProcess(project.root), openProcess(project.root)]);
      const started = await Promise.all(windows.map((window) => begin(window)));
      const [session_id, other] = started.map((one) => one.session_id);
      expect(other).toBe(session_id);
      expect(started.filter(({ resumed }) => resumed === true)).toHaveLength(1);
      for (let phase = 1; phase <= 6; phase++) {
        const replies = await Promise.all(
          windows.map((window) =>
            callPhase(window, "complete_phase", { session_id, phase, evidence: evidenceFor(phase) }),
          ),
        );
        expect(replies.filter(({ checkpoint_passed }) => checkpoint_passed === true)).toHaveLength(1);
        expect(replies.find(({ error }) => error !== undefined)).toMatchObject({ error: "conflict", isError: true });
      }
      const log = JSON.parse((await runCli(["log", "--json", "--root", project.root])).stdout);
      const completed = log.filter((row: { action_state?: string }) => row.action_state === "completed");
      expect(completed.map(({ action }: { action: string }) => action.split(".").at(-1))).toEqual([
        "1",
        "2",
        "3",
        "4",
        "5",
        "6",
      ]);
    },
  );

  test("kill -9 between calls: the next window goes on at the same phase", async () => {
    const project = plantWorkflow({ phases: 5 });
    let session_id = "";
    for (let phase = 1; phase <= 5; phase++) {
      const window = await openProcess(project.root);
      const started = await begin(window);
      session_id ||= started.session_id;
      expect([started.session_id, started.current_phase]).toEqual([session_id, phase]);
      const reply = await callPhase(window, "complete_phase", { session_id, phase, evidence: evidenceFor(phase) });
      expect(reply.checkpoint_passed).toBe(true);
      await window.kill();
    }
    expect(project.json(`.waymark/sessions/${session_id}.json`)).toMatchObject({ completed_phases: [1, 2, 3, 4, 5] });
  });
});

test("a session that begins where the last one for the same is finished says so: which, when and by whom", async () => {
  const window = await openWindow(plantWorkflow({ phases: 2 }).root, { name: "pilot" });
  const first = await begin(window);
  expect(first.warnings).toEqual([]);
  for (let phase = 1; phase <= 2; phase++)
    await callPhase(window, "complete_phase", { session_id: first.session_id, phase, evidence: evidenceFor(phase) });
  const { session_id, current_phase, warnings } = await begin(window);
  expect(current_phase).toBe(1);
  expect(session_id).not.toBe(first.session_id);
  expect(warnings).toEqual([
    expect.stringMatching(
      new RegExp(
        `^An earlier session, ${first.session_id}, is finished \\(pilot .* completed Phase 2 at \\d{4}-.*\\): this is a new`,
      ),
    ),
  ]);
  const again = await begin(window);
  expect(again).toMatchObject({ session_id, resumed: true, warnings: [] });
});

describe("evidence that lies", () => {
  test.each([
    ["a text for a number", { [fieldOf(1)]: "1" }, "wrong type: expected integer, got string"],
    ["true for a number", { [fieldOf(1)]: true }, "wrong type: expected integer, got boolean"],
    ["a list for a number", { [fieldOf(1)]: [1] }, "wrong type: expected integer, got list"],
    ["null", { [fieldOf(1)]: null }, "required: "],
    ["a number that breaks the rule", { [fieldOf(1)]: 0 }, "validation failed: "],
  ])("%s does not pass", async (_, evidence, complaint) => {
    const window = await openWindow(plantWorkflow().root);
    const { session_id } = await begin(window);
    const reply = await callPhase(window, "complete_phase", { session_id, phase: 1, evidence });
    expect(reply).toMatchObject({ checkpoint_passed: false, missing_evidence: [expect.stringContaining(complaint)] });
  });

  test("a name that misses by a word gets a hint", async () => {
    const window = await openWindow(plantWorkflow().root);
    const { session_id } = await begin(window);
    const near = fieldOf(1).replace("_count", "_counts");
    const { missing_evidence } = await callPhase(window, "complete_phase", {
      session_id,
      phase: 1,
      evidence: { [near]: 1 },
    });
    expect(missing_evidence?.[0]).toContain(near);
  });

  test.skipIf(overHttp("its own limits: test/team/security.test.ts"))(
    "5 MB, 10,000 levels, __proto__ and what is no object: a clear answer, the server alive, the state unharmed",
    async () => {
      const project = plantWorkflow();
      const window = await openWindow(project.root);
      const { session_id } = await begin(window);
      const before = project.read(`.waymark/sessions/${session_id}.json`);
      const wire = openWire(project.root);
      await wire.request("initialize", {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "wire", version: "1" },
      });
      const send = async (evidence: string): Promise<unknown> => {
        const args = `{"session_id":${JSON.stringify(session_id)},"phase":1,"evidence":${evidence}}`;
        return (await wire.send("tools/call", `{"name":"complete_phase","arguments":${args}}`)).structuredContent;
      };
      const deep = `${`{"a":`.repeat(10_000)}1${"}".repeat(10_000)}`;
      expect(await send(`{"a":"${"x".repeat(5_000_000)}"}`)).toMatchObject({ error: "invalid_input" });
      expect(await send(deep)).toMatchObject({ error: "invalid_input" });
      for (const wrong of ["[]", '"text"', "5", "true"])
        expect(await send(wrong)).toMatchObject({ error: "invalid_input" });
      expect(project.read(`.waymark/sessions/${session_id}.json`)).toBe(before);
      const polluting = await send(`{"__proto__":{"${fieldOf(1)}":1},"constructor":{"prototype":{"${fieldOf(1)}":1}}}`);
      expect(polluting).toMatchObject({ error: "incomplete_checkpoint", missing_evidence: [expect.any(String)] });
      expect(await send(JSON.stringify(evidenceFor(1)))).toMatchObject({ checkpoint_passed: true });
    },
  );
});

describe("definitions", () => {
  test("a whole workflow in one file, counted from 0, with tasks in its phases", async () => {
    const project = emptyProject();
    project.write(
      ".waymark/workflows/release.md",
      "# Release\n\n## Phase 0: Prepare\n\nGet ready.\n\n### Task 0: Look\n\nLook around.\n\n### Checkpoint\n\nMust provide `notes_text`: text, non-empty.\n\n## Phase 1: Ship\n\nShip it.\n\n### Checkpoint\n\nMust provide `version_text`: text, non-empty.\n",
    );
    const window = await openWindow(project.root);
    const started = await callPhase(window, "start_workflow", { workflow_type: "release" });
    expect(started).toMatchObject({ current_phase: 0, total_phases: 2 });
    expect(started.phase_content?.content).toContain("Get ready");
    expect(started.phase_content?.content).not.toContain("Ship");
    const { session_id } = started;
    const task = await callPhase(window, "get_phase_content", { session_id, task: 0 });
    expect(task.phase_content?.content).toContain("Look around");
    const passed = await callPhase(window, "complete_phase", { session_id, phase: 0, evidence: { notes_text: "x" } });
    expect(passed).toMatchObject({
      next_phase: 1,
      next_phase_content: { content: expect.stringContaining("Ship it") },
    });
  });

  test("a dynamic workflow has as many phases as the task list that the options name", async () => {
    const project = emptyProject();
    project.write(".waymark/workflows/build/metadata.json", { name: "Build", dynamic: true });
    project.write(
      "specs/tasks.md",
      "# Tasks\n\n## Phase 1: Setup\n\n- [ ] **Task 1.1**: Make the folder\n  - **Acceptance Criteria**:\n    - [ ] `folder_made` the folder is there\n\n## Phase 2: Code\n\n- [ ] **Task 2.1**: Write it\n  - **Acceptance Criteria**:\n    - [ ] `code_written` the code is written\n\n## Phase 3: Ship\n\n- [ ] **Task 3.1**: Ship\n  - **Acceptance Criteria**:\n    - [ ] `shipped_it` it is shipped\n",
    );
    const window = await openWindow(project.root);
    const start = (options: Record<string, unknown>): Promise<PhaseResult> =>
      callPhase(window, "start_workflow", { workflow_type: "build", options });
    const started = await start({ tasks: "specs/tasks.md" });
    expect(started).toMatchObject({ current_phase: 1, total_phases: 3 });
    expect(JSON.stringify(started)).not.toContain("code_written");
    for (const tasks of ["../outside.md", "/etc/passwd", "specs/nothing.md", ".waymark/config.json"]) {
      expect(await start({ tasks })).toMatchObject({ isError: true, error: expect.stringMatching(/invalid_/) });
    }
    expect(await start({})).toMatchObject({ isError: true });
  });

  // Attack (tools): Get through a gate that cannot be read, a rule that is not understood, or a phase that asks for nothing
  // -> Refused: it stays closed
  test.each([
    ["a broken gate file", (write: Write) => write("phases/2/gate-definition.yaml", "evidence_schema: [")],
    [
      "an unknown validator",
      (write: Write) =>
        write(
          "phases/2/gate-definition.yaml",
          "evidence_schema:\n  a:\n    type: integer\n    validator: frobnicate\n",
        ),
    ],
    [
      "an unknown key",
      (write: Write) =>
        write("phases/2/gate-definition.yaml", "evidence_schema:\n  a:\n    type: integer\nopens_by_itself: true\n"),
    ],
    [
      "code as a validator",
      (write: Write) =>
        write(
          "phases/2/gate-definition.yaml",
          "evidence_schema:\n  a:\n    type: integer\n    validator: __import__('os').system('true')\n",
        ),
    ],
    ["metadata that is no JSON", (write: Write) => write("metadata.json", "{")],
    ["a gap in the phases", (write: Write) => write("phases/2", null)],
  ])("%s: the workflow does not start, and the answer names the file and nothing of a phase", async (_, spoil) => {
    const project = plantWorkflow({ phases: 3 });
    const write: Write = (file, text) => {
      const path = `.waymark/workflows/survey/${file}`;
      if (text === null) project.remove(path);
      else project.write(path, text);
    };
    spoil(write);
    const window = await openWindow(project.root);
    const reply = await begin(window);
    expect(reply).toMatchObject({ isError: true, error: "invalid_definition" });
    expect(`${reply.message} ${reply.required_action}`).toMatch(/workflows\/survey.*waymark check/s);
    expect(JSON.stringify(reply)).not.toMatch(/Zanzibar/i);
    expect((await callPhase(window, "get_workflow_state")).sessions).toEqual([]);
    const checked = await runCli(["check", "--root", project.root]);
    expect(checked.code).toBe(1);
  });

  test("a session keeps the definition it began with; a changed one counts for new sessions without a restart", async () => {
    const project = plantWorkflow({ phases: 2 });
    const window = await openWindow(project.root);
    const { session_id } = await begin(window);
    project.write(".waymark/workflows/survey/phases/1/phase.md", "# Phase 1: New\n\nNew text.\n");
    project.write(
      ".waymark/workflows/survey/phases/1/gate-definition.yaml",
      "evidence_schema:\n  fresh_field:\n    type: boolean\n",
    );
    const read = await callPhase(window, "get_phase_content", { session_id });
    expect(read.phase_content?.content).toContain(sentinel(1));
    expect(read.warnings.join()).toContain("has changed since this session started");
    const fresh = await begin(window, { target_file: "src/b.ts" });
    expect(fresh.phase_content?.content).toContain("New text");
    rmSync(project.path(".waymark/workflows/survey"), { recursive: true });
    const passed = await callPhase(window, "complete_phase", { session_id, phase: 1, evidence: evidenceFor(1) });
    expect(passed).toMatchObject({ checkpoint_passed: true, next_phase: 2 });
    expect(await begin(window, { target_file: "src/c.ts" })).toMatchObject({ error: "unknown_workflow" });
  });

  test.skipIf(inDatabase("no journal stands in a file"))(
    "a copy of the definition that somebody weakened is not believed",
    async () => {
      const project = plantWorkflow({ phases: 2 });
      const window = await openWindow(project.root);
      const { session_id } = await begin(window);
      await window.close();
      const definition = JSON.parse(
        project.read(`.waymark/journal/sessions/${session_id}.jsonl`).split("\n")[0] ?? "{}",
      ).events[0].definition;
      const pin = `.waymark/pinned/${definition}.json`;
      project.write(pin, project.read(pin).replace('"required":true', '"required":false'));
      const next = await openWindow(project.root);
      const reply = await callPhase(next, "complete_phase", { session_id, phase: 1, evidence: {} });
      expect(reply).toMatchObject({ checkpoint_passed: false, error: "incomplete_checkpoint" });
    },
  );
});

type Write = (file: string, text: string | null) => void;

describe("a phase whose completion cannot be recorded", () => {
  test.skipIf(inDatabase("no journal stands in a file"))(
    "is not completed: the warning, the same phase, and it goes on once writing works",
    async () => {
      const project = plantWorkflow({ phases: 2 });
      const window = await openWindow(project.root);
      const { session_id } = await begin(window);
      await window.close();
      const journal = project.path(`.waymark/journal/sessions/${session_id}.jsonl`);
      const kept = project.read(`.waymark/journal/sessions/${session_id}.jsonl`);
      const full = await openWindow(project.root);
      await callPhase(full, "get_phase_content", { session_id });
      rmSync(journal);
      mkdirSync(journal);
      const reply = await callPhase(full, "complete_phase", { session_id, phase: 1, evidence: evidenceFor(1) });
      expect(reply.checkpoint_passed).not.toBe(true);
      expect(reply.isError).toBe(true);
      rmSync(journal, { recursive: true });
      writeFileSync(journal, kept);
      const again = await callPhase(full, "complete_phase", { session_id, phase: 1, evidence: evidenceFor(1) });
      expect(again).toMatchObject({ checkpoint_passed: true, next_phase: 2 });
    },
  );

  test.skipIf(inDatabase("a state file is shown to nobody, and read from nobody"))(
    "an edit of the session file moves nothing: it is undone and reported",
    async () => {
      const project = plantWorkflow({ phases: 3 });
      const window = await openWindow(project.root);
      const { session_id } = await begin(window);
      const file = `.waymark/sessions/${session_id}.json`;
      project.write(file, { ...project.json(file), current_phase: 3, completed_phases: [1, 2] });
      const reply = await callPhase(window, "get_phase_content", { session_id, requested_phase: 3 });
      expect(reply).toMatchObject({ error: "phase_sequence_violation", reason: "Currently on Phase 1" });
      expect(reply.warnings.join()).toContain("edited outside Waymark");
      expect(project.json(file)).toMatchObject({ current_phase: 1, completed_phases: [] });
      appendFileSync(project.path(file), "garbage");
      expect((await callPhase(window, "get_workflow_state", { session_id })).current_phase).toBe(1);
      expect(project.json(file)).toMatchObject({ current_phase: 1 });
    },
  );
});

describe.each(newer)("a gate that asks for approval (%s protocol)", (era) => {
  const waiting = async (
    person?: Parameters<typeof openWindow>[1],
  ): Promise<{ window: Window; session_id: string }> => {
    const project = plantWorkflow({ phases: 2, approval: [1] });
    const window = await openWindow(project.root, { era, ...person });
    return { window, session_id: (await begin(window)).session_id };
  };

  test("without the word nothing is advanced; passed on by the assistant it counts, and is on record as relayed", async () => {
    const { window, session_id } = await waiting();
    const evidence = evidenceFor(1);
    expect(await callPhase(window, "complete_phase", { session_id, phase: 1, evidence })).toMatchObject({
      checkpoint_passed: false,
      error: "approval_required",
      current_phase: 1,
    });
    expect(
      await callPhase(window, "complete_phase", { session_id, phase: 1, evidence, confirmation: "ok" }),
    ).toMatchObject({
      checkpoint_passed: true,
      next_phase: 2,
    });
  });

  test("a person who is asked accepts or declines", async () => {
    const { person, questions } = personWho(yes("good"));
    const asked = await waiting({ person });
    const args = (session_id: string) => ({ session_id, phase: 1, evidence: evidenceFor(1) });
    expect(await callPhase(asked.window, "complete_phase", args(asked.session_id))).toMatchObject({
      checkpoint_passed: true,
    });
    expect(questions).toEqual([expect.stringContaining("Phase 1")]);
    const refusing = await waiting({ person: personWho(declines).person });
    expect(await callPhase(refusing.window, "complete_phase", args(refusing.session_id))).toMatchObject({
      isError: true,
      error: "approval_rejected",
    });
    expect(await callPhase(refusing.window, "get_workflow_state", { session_id: refusing.session_id })).toMatchObject({
      current_phase: 1,
    });
  });
});

describe("beside a bot", () => {
  test("status, log and archive know the sessions; an archived one begins anew", async () => {
    const project = makeProject();
    addWorkflow(project, { phases: 2 });
    const window = await openWindow(project.root);
    await window.call("story_bot");
    const { session_id } = await begin(window);
    await callPhase(window, "complete_phase", { session_id, phase: 1, evidence: {} });
    const status = await runCli(["status", "--root", project.root]);
    // A session is named by its target; --all shows its id as well.
    expect(status.stdout).toContain("src/a.ts");
    expect((await runCli(["status", "--all", "--root", project.root])).stdout).toContain(session_id);
    expect(status.stdout).toMatch(/▶· .* Phase 1: [^·]*: refused once, last for /);
    const data = JSON.parse((await runCli(["status", "--json", "--root", project.root])).stdout);
    expect(data).toMatchObject({ bot: "story_bot", sessions: [{ session_id, current_phase: 1 }] });
    const log = await runCli(["log", "--json", "--root", project.root]);
    expect(JSON.parse(log.stdout)).toContainEqual(
      expect.objectContaining({ event: "refused", code: "incomplete_checkpoint", gaps: [expect.any(String)] }),
    );
    const archived = await runCli(["archive", session_id, "--reason", "abandoned", "--root", project.root]);
    expect([archived.code, archived.stdout]).toEqual([0, expect.stringContaining("is archived")]);
    const again = await begin(window);
    expect(again.session_id).not.toBe(session_id);
    expect((await runCli(["archive", "nobody", "--root", project.root])).code).toBe(1);
  });

  test("artifacts cost some 800 tokens in a reply, and the whole stands in a resource too", async () => {
    const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
    const project = plantWorkflow({ phases: 8 });
    const window = await openWindow(project.root);
    const { session_id } = await begin(window);
    const big = {
      notes: "Ünïcode words and 12345 numbers ".repeat(400),
      list: Array.from({ length: 500 }, (_, at) => `item-${at}-${at * 7}`),
    };
    let reply: PhaseResult | undefined;
    for (let phase = 1; phase <= 6; phase++) {
      reply = await callPhase(window, "complete_phase", {
        session_id,
        phase,
        evidence: evidenceFor(phase),
        outputs: big,
      });
      expect(countTokens(JSON.stringify(reply.artifacts_available))).toBeLessThanOrEqual(850);
    }
    const uri = reply?.artifacts_resource ?? "";
    const { contents } = await window.client.readResource({ uri });
    const [first] = contents;
    const whole = JSON.parse(first !== undefined && "text" in first ? String(first.text) : "{}");
    expect(whole["3"].outputs.list).toHaveLength(500);
  });
});
