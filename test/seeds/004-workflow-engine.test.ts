import { describe, expect, test } from "vitest";
import { inDatabase } from "../doors.ts";
import { callPhase, emptyProject, evidenceFor, fieldOf, type PhaseResult, plantWorkflow, sentinel } from "../phased.ts";
import type { Project } from "../project.ts";
import { newer, openProcess, openWindow, type Window } from "../window.ts";

/** The phase of the seed's own tests, written the way the seed reads it. */
const seedPhase = `# Phase 1: Analysis

Read the file and count what is in it.

## Checkpoint

You must provide \`function_count\`: number of functions found, greater than 0.
You must provide \`method_count\`: number of methods, at least 1.
You must provide \`branch_count\`: count of branches, non-zero.
Evidence: \`ast_command_output\` text output of the command, non-empty.
Required: \`functions_list\` list of the function names, must contain at least one.

## Example

\`\`\`json
{ "function_count": 21, "functions_list": ["compile", "parse"] }
\`\`\`
`;

const seedEvidence = {
  function_count: 21,
  method_count: 15,
  branch_count: 36,
  ast_command_output: "def compile()...",
  functions_list: ["compile", "parse"],
};

function seedProject(): Project {
  const project = emptyProject();
  project.write(".waymark/workflows/test_generation_v3/metadata.json", { name: "Test generation", total_phases: 2 });
  project.write(".waymark/workflows/test_generation_v3/phases/1/phase.md", seedPhase);
  project.write(
    ".waymark/workflows/test_generation_v3/phases/2/phase.md",
    "# Phase 2: Logging\n\nMust provide `logger_call_count`: number of logger calls, at least 1.\n",
  );
  return project;
}

const start = (window: Window): Promise<PhaseResult> =>
  callPhase(window, "start_workflow", { workflow_type: "test_generation_v3", target_file: "test.py" });

describe.each(newer)("Phase gating mechanism (%s protocol)", (era) => {
  test("the current phase can be accessed, a completed one reviewed, a future one neither", async () => {
    const window = await openWindow(plantWorkflow().root, { era });
    const { session_id } = await callPhase(window, "start_workflow", { workflow_type: "survey" });
    const read = (requested_phase?: number): Promise<PhaseResult> =>
      callPhase(window, "get_phase_content", {
        session_id,
        ...(requested_phase === undefined ? {} : { requested_phase }),
      });
    expect((await read()).phase_number).toBe(1);
    expect((await read(1)).phase_content?.content).toContain(sentinel(1));
    for (const ahead of [2, 3, 8])
      expect(await read(ahead)).toMatchObject({ isError: true, error: "phase_sequence_violation" });
    await callPhase(window, "complete_phase", { session_id, phase: 1, evidence: evidenceFor(1) });
    const review = await read(1);
    expect(review).toMatchObject({ isError: false, phase_number: 1, artifacts_from_previous: {} });
    expect((await read(2)).artifacts_from_previous).toEqual({ 1: evidenceFor(1) });
  });

  test("allowed: the content, the artifacts of earlier phases and the checkpoint's criteria", async () => {
    const window = await openWindow(plantWorkflow().root, { era });
    const { session_id } = await callPhase(window, "start_workflow", { workflow_type: "survey" });
    const reply = await callPhase(window, "get_phase_content", { session_id });
    expect(reply.phase_content).toMatchObject({
      content: expect.stringContaining("Do the"),
      sources: [expect.stringContaining("phase.md")],
      total_tokens: expect.any(Number),
    });
    expect(reply.checkpoint_criteria?.required_evidence).toMatchObject({ [fieldOf(1)]: { type: "integer" } });
    const task = await callPhase(window, "get_phase_content", { session_id, task: 1 });
    expect(task.phase_content?.content).toContain(`Look at ${sentinel(1)}`);
  });

  test("denied: the exact words, the current phase's content, the artifacts, the progress", async () => {
    const window = await openWindow(plantWorkflow().root, { era });
    const { session_id } = await callPhase(window, "start_workflow", { workflow_type: "survey" });
    await callPhase(window, "complete_phase", { session_id, phase: 1, evidence: evidenceFor(1) });
    expect(await callPhase(window, "get_phase_content", { session_id, requested_phase: 5 })).toMatchObject({
      isError: true,
      error: "phase_sequence_violation",
      violation_type: "attempted_skip",
      message: "Cannot access Phase 5",
      reason: "Currently on Phase 2",
      required_action: "Complete Phase 2 checkpoint first",
      current_phase_content: { content: expect.stringContaining(sentinel(2)) },
      artifacts_available: { 1: evidenceFor(1) },
      progress: { completed: [1], current: 2, total: 8 },
    });
  });
});

describe("Checkpoint system", () => {
  test("requirements are read from the document: name, type and rule of every line", async () => {
    const window = await openWindow(seedProject().root);
    const { checkpoint_criteria } = await start(window);
    expect(checkpoint_criteria?.required_evidence).toMatchObject({
      function_count: { type: "integer", rule: expect.stringContaining("0") },
      method_count: { type: "integer", rule: expect.stringContaining("at least 1") },
      branch_count: { type: "integer" },
      ast_command_output: { type: "string" },
      functions_list: { type: "list" },
    });
    expect(Object.keys(checkpoint_criteria?.required_evidence ?? {})).toHaveLength(5);
  });

  test("validation passes when the evidence is complete", async () => {
    const window = await openWindow(seedProject().root);
    const { session_id } = await start(window);
    expect(await callPhase(window, "complete_phase", { session_id, phase: 1, evidence: seedEvidence })).toMatchObject({
      isError: false,
      checkpoint_passed: true,
      phase_completed: 1,
      next_phase: 2,
      next_phase_content: { content: expect.stringContaining("Logging") },
      artifacts_available: { 1: { function_count: 21 } },
    });
  });

  test("one of five fields given: exactly four are missing, with what is required, its format and examples", async () => {
    const window = await openWindow(seedProject().root);
    const { session_id } = await start(window);
    const reply = await callPhase(window, "complete_phase", { session_id, phase: 1, evidence: { function_count: 21 } });
    expect(reply).toMatchObject({
      isError: false,
      checkpoint_passed: false,
      error: "incomplete_checkpoint",
      message: "Complete checkpoint requirements to proceed",
      current_phase: 1,
      current_phase_content: { content: expect.stringContaining("Analysis") },
    });
    expect(reply.missing_evidence).toHaveLength(4);
    for (const gap of reply.missing_evidence ?? []) expect(gap).toMatch(/^\w+ \(required: .+\)$/);
    expect(Object.keys(reply.required_format ?? {})).toEqual(Object.keys(seedEvidence));
    expect(reply.examples).toMatchObject({ function_count: 21, functions_list: ["compile", "parse"] });
  });

  test("a wrong type, a broken rule and a missing field are told apart, all at once", async () => {
    const window = await openWindow(seedProject().root);
    const { session_id } = await start(window);
    const evidence = { ...seedEvidence, function_count: "21", method_count: 0, branch_count: null };
    const { missing_evidence } = await callPhase(window, "complete_phase", { session_id, phase: 1, evidence });
    expect(missing_evidence).toEqual([
      "function_count (wrong type: expected integer, got string)",
      expect.stringMatching(/^method_count \(validation failed: .+\)$/),
      expect.stringMatching(/^branch_count \(required: .+\)$/),
    ]);
  });

  test("empty evidence does not pass", async () => {
    const window = await openWindow(seedProject().root);
    const { session_id } = await start(window);
    const reply = await callPhase(window, "complete_phase", { session_id, phase: 1, evidence: {} });
    expect([reply.checkpoint_passed, reply.missing_evidence?.length]).toEqual([false, 5]);
  });

  test("a failed checkpoint leaves the state as it is, but for the attempt on record", async () => {
    const project = seedProject();
    const window = await openWindow(project.root);
    const { session_id } = await start(window);
    const file = `.waymark/sessions/${session_id}.json`;
    const before = project.json(file);
    await callPhase(window, "complete_phase", { session_id, phase: 1, evidence: {} });
    expect(project.json(file)).toEqual({ ...before, checkpoints: { 1: "failed" }, updated_at: expect.any(String) });
  });
});

describe("State management", () => {
  test.skipIf(inDatabase("a state file is shown to nobody, and read from nobody"))(
    "the session file has what the seed saves, and is there as soon as the call is answered",
    async () => {
      const project = seedProject();
      const window = await openWindow(project.root);
      const { session_id } = await start(window);
      await callPhase(window, "complete_phase", { session_id, phase: 1, evidence: seedEvidence });
      expect(project.json(`.waymark/sessions/${session_id}.json`)).toEqual({
        session_id,
        workflow_type: "test_generation_v3",
        target_file: "test.py",
        current_phase: 2,
        completed_phases: [1],
        total_phases: 2,
        phase_artifacts: {
          1: {
            phase_number: 1,
            evidence: seedEvidence,
            outputs: { function_count: 21, method_count: 15, branch_count: 36, functions_list: ["compile", "parse"] },
            commands_executed: [{ ast_command_output: "def compile()..." }],
            files: [],
            timestamp: expect.any(String),
          },
        },
        checkpoints: { 1: "passed" },
        created_at: expect.any(String),
        updated_at: expect.any(String),
      });
    },
  );

  test("state persists across restarts: a killed server resumes at the same phase", async () => {
    const project = seedProject();
    const window = await openProcess(project.root);
    const { session_id } = await start(window);
    await callPhase(window, "complete_phase", { session_id, phase: 1, evidence: seedEvidence });
    await window.kill();
    const next = await openProcess(project.root);
    expect(await start(next)).toMatchObject({ session_id, resumed: true, current_phase: 2 });
    expect(await callPhase(next, "get_workflow_state", { session_id })).toMatchObject({
      completed_phases: [1],
      workflow_complete: false,
    });
  });

  test("a session that is not there is not found", async () => {
    const window = await openWindow(seedProject().root);
    for (const [tool, more] of [
      ["get_phase_content", {}],
      ["complete_phase", { phase: 1, evidence: {} }],
      ["get_workflow_state", {}],
    ] as const) {
      expect(await callPhase(window, tool, { session_id: "nobody", ...more })).toMatchObject({
        isError: true,
        error: "session_not_found",
        message: expect.any(String),
        required_action: expect.any(String),
      });
    }
  });

  test("after the last phase the workflow is complete, and the current phase stays on it", async () => {
    const window = await openWindow(seedProject().root);
    const { session_id } = await start(window);
    await callPhase(window, "complete_phase", { session_id, phase: 1, evidence: seedEvidence });
    const last = await callPhase(window, "complete_phase", {
      session_id,
      phase: 2,
      evidence: { logger_call_count: 3 },
    });
    expect(last).toMatchObject({ checkpoint_passed: true, phase_completed: 2, workflow_complete: true });
    expect(last.next_phase).toBeUndefined();
    expect(await callPhase(window, "get_workflow_state", { session_id })).toMatchObject({
      current_phase: 2,
      workflow_complete: true,
      completed_phases: [1, 2],
    });
  });
});

describe("Success metrics", () => {
  test("phase N+1 cannot be accessed before phase N: every skip of an eight-phase workflow is refused", async () => {
    const window = await openWindow(plantWorkflow().root);
    const { session_id } = await callPhase(window, "start_workflow", { workflow_type: "survey" });
    for (let current = 1; current <= 8; current++) {
      for (let ahead = current + 1; ahead <= 8; ahead++) {
        for (const [tool, args] of [
          ["get_phase_content", { requested_phase: ahead }],
          ["complete_phase", { phase: ahead, evidence: evidenceFor(ahead) }],
        ] as const) {
          const reply = await callPhase(window, tool, { session_id, ...args });
          expect(reply).toMatchObject({ isError: true, error: "phase_sequence_violation", current_phase: current });
          expect(JSON.stringify(reply)).not.toContain(sentinel(ahead));
        }
      }
      await callPhase(window, "complete_phase", { session_id, phase: current, evidence: evidenceFor(current) });
    }
    expect((await callPhase(window, "get_workflow_state", { session_id })).workflow_complete).toBe(true);
  });

  test("no correction is needed: following next_step from the start walks every phase", async () => {
    const window = await openWindow(plantWorkflow({ first: 0, phases: 4 }).root);
    let reply = await callPhase(window, "start_workflow", { workflow_type: "survey" });
    const { session_id } = reply;
    const walked: number[] = [];
    for (let phase = reply.current_phase; reply.workflow_complete !== true; phase = reply.next_phase ?? -1) {
      walked.push(phase);
      reply = await callPhase(window, "complete_phase", { session_id, phase, evidence: evidenceFor(phase) });
      expect(reply.checkpoint_passed).toBe(true);
    }
    expect(walked).toEqual([0, 1, 2, 3]);
  });
});
