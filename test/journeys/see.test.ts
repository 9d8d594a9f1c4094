import { describe, expect, test } from "vitest";
import { wrap } from "../../src/cli/terminal/wrap.ts";
import type { ShownSession } from "../../src/cli/work/status-data.ts";
import { statusMap } from "../../src/cli/work/status-map.ts";
import { statusText } from "../../src/cli/work/status-text.ts";
import type { RunRow } from "../../src/dashboard/overview/run-row-data.ts";
import type { StreamOverview } from "../../src/engine/run-status.ts";
import { runCli } from "../command-line.ts";
import { callPhase, evidenceFor, plantWorkflow, sentinel } from "../phased.ts";
import { makeProject, type Project } from "../project.ts";
import { openWindow } from "../window.ts";

async function said({ root }: Project, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCli([...args, "--root", root]);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
}

const data = async (project: Project, ...args: string[]) => JSON.parse(await said(project, ...args, "--json"));

/** A session whose first phase was turned down twice, for the same reason. */
async function stuckSession(): Promise<{ project: Project; session_id: string }> {
  const project = plantWorkflow({ phases: 3 });
  const window = await openWindow(project.root, { name: "claude-code" });
  const { session_id } = await callPhase(window, "start_workflow", { workflow_type: "survey" });
  for (const note of ["once", "twice"])
    await callPhase(window, "complete_phase", { session_id, phase: 1, evidence: { note } });
  return { project, session_id };
}

describe("a step that its gate turned down twice", () => {
  test("is stuck, with what is missing, that it is the same again, and which program stands there", async () => {
    const { project, session_id } = await stuckSession();
    const { sessions, counts } = await data(project, "status");
    expect(sessions).toMatchObject([
      { session_id, stands: "stuck", stuck: true, refused: 2, same_gaps: true, client: "claude-code 1.0.0" },
    ]);
    expect(sessions[0].missing.length).toBeGreaterThan(0);
    expect(counts).toMatchObject({ stuck: 1, waits: 0 });
    expect(await said(project, "status")).toMatch(/: refused twice, last for .*, same as before/);
  });

  test("names the phase that is open, and none that is to come", async () => {
    const { project } = await stuckSession();
    const [session] = (await data(project, "status")).sessions;
    expect(session.phase_name).toContain(sentinel(1));
    for (const command of [["status"], ["status", "--all"], ["status", "--insights"], ["log", "--all"], ["show"]])
      for (const more of [[], ["--json"]])
        expect(await said(project, ...command, ...more), String(command)).not.toContain(sentinel(2));
  });

  test("keeps both hand-ins, and show says what the second has otherwise", async () => {
    const { project, session_id } = await stuckSession();
    const [shown] = await data(project, "show", session_id);
    expect(shown).toMatchObject({ pass: 1, attempt: 1 });
    expect(shown.hand_ins).toMatchObject([
      { number: 1, outcome: "refused", evidence: { note: "once" }, client: "claude-code 1.0.0" },
      { number: 2, outcome: "refused", evidence: { note: "twice" }, same_gaps: true },
    ]);
    expect(shown.hand_ins[0].missing[0]).toMatchObject({ field: expect.any(String), kind: "required" });
    expect(await said(project, "show", session_id)).toMatch(/note: "once" → "twice"/);
  });

  test("is told in the log, each event with the number and hash of its record", async () => {
    const { project } = await stuckSession();
    const rows = await data(project, "log");
    const refused = rows.filter(({ event }: { event?: string }) => event === "refused");
    expect(refused).toMatchObject([
      { pass: 1, attempt: 1 },
      { same_gaps: true, evidence: { note: "twice" } },
    ]);
    expect(refused[0]).not.toHaveProperty("same_gaps");
    const { desks: streams } = await data(project, "verify");
    expect(rows.at(-1)).toMatchObject({ number: streams[0].records, hash: streams[0].head });
  });

  test("is stuck no more once its gate has let it through", async () => {
    const { project, session_id } = await stuckSession();
    const window = await openWindow(project.root);
    await callPhase(window, "complete_phase", { session_id, phase: 1, evidence: evidenceFor(1) });
    const [session] = (await data(project, "status")).sessions;
    expect(session).toMatchObject({ current_phase: 2, stands: "working" });
    expect(session).not.toHaveProperty("stuck");
    const { workflows } = await data(project, "status", "--insights");
    expect(workflows).toMatchObject([
      { walks: 1, steps: [{ step: "1", firstPass: { passed: 0, of: 1 } }, { step: "2" }] },
    ]);
  });
});

describe("waymark status", () => {
  test("fits a screen of 100 by 30 for six behaviors, also while a person is waited for", async () => {
    const project = makeProject();
    const window = await openWindow(project.root, { name: "claude-code" });
    await window.pass("shape_bot");
    await window.call("shape_bot");
    await window.call("complete_action", { outputs: { choice: "forms" } });
    const text = await said(project, "status");
    expect(text.split("\n").length).toBeLessThanOrEqual(24);
    expect(text).toMatch(
      /shape \(current\) +✓ ‖ · · ·\n[\s\S]*decide_planning_criteria has been waiting for approval from a person for \d+ s; 1 of 30/,
    );
    expect((await said(project, "status", "--all")).split("\n").length).toBeGreaterThan(30);
  });

  test("breaks lines at words, and counts what it leaves out", () => {
    expect(wrap("one two three four", 9, 2)).toEqual(["one two", "  three", "  four"]);
    expect(wrap("https://example.org/a-long-path", 10, 2).every((line) => line.length <= 10)).toBe(true);
    const overview = {
      id: { kind: "session", name: "planted-1" },
      workflows: [] as const,
    } as unknown as StreamOverview;
    const none = { found: 0, agrees: 0, differs: 0, word: 0 };
    const row: RunRow = {
      ...{ key: "session:planted-1", kind: "session", title: "a b", workflow: "planted", stands: "finished" },
      ...{ map: [{ workflow: "planted", signs: "dd" }], refusals: 0, evidence: none, completed: 2, steps: 2 },
      ...{ changed: "2026-01-31T10:00:00.000Z", records: 5, head: "" },
    };
    const session = {
      row,
      overview,
      title: "a b",
      name: "planted-1",
      waitingItems: [],
      stale: [],
      shown: {} as ShownSession,
    };
    const sessions = Array.from({ length: 40 }, () => ({ ...session }));
    const lines = statusText({ bots: [], runs: [], sessions, sessionWarnings: [] }, { all: false, width: 100 });
    expect(lines).toHaveLength(9);
    expect(lines[0]).toBe("40 finished");
    expect(lines.at(-1)).toContain("35 finished (show with --all)");
    expect(lines.every((line) => line.length <= 100)).toBe(true);
  });

  test("says how a step stands without going beyond the width", () => {
    const step = {
      step: "a_step_with_a_rather_long_name_that_goes_on",
      state: "started",
      client: "x".repeat(200),
    } as const;
    const workflow = { workflow: "shape", pass: 1, finished: false, steps: [step] };
    const status = {
      bot: "b",
      stands: "working",
      focus: null,
      completed: 0,
      workflows: [workflow],
      warnings: [],
    } as const;
    expect(statusMap(status, 60).every((line) => line.length <= 60)).toBe(true);
  });
});
