import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { sitDown } from "../people.ts";
import { callPhase, emptyProject, type PhaseResult } from "../phased.ts";
import type { Project } from "../project.ts";
import { openWindow, type Window } from "../window.ts";

/** A bug fix as people do it: skip the design where it is small, review, and go back when the review rejects. */
const page = `---
title: Bug fix
inputs:
  ticket: { type: string, required: true }
  design: { type: string, default: "yes", one_of: ["yes", "no"] }
outcomes: [done, no-go]
---
# Bug fix

## Phase 1: Reproduce
Reproduce {{inputs.ticket}} (not {{inputs.other}}).

\`\`\`yaml gate
evidence_schema:
  verdict: { type: string, required: true, validator: { one_of: [bug, no-bug] } }
then:
  - { when: 'verdict == "no-bug"', end: no-go }
\`\`\`

## Phase 2: Design
Think about {{inputs.ticket}}.

\`\`\`yaml gate
when: inputs.design != "no"
evidence_schema:
  plan: { type: string, required: true }
\`\`\`

## Phase 3: Fix
Fix what was found ({{reproduce.verdict}}).

\`\`\`yaml gate
role: implementer
evidence_schema:
  summary: { type: string, required: true }
\`\`\`

## Phase 4: Review
\`\`\`yaml gate
evidence_schema:
  findings: { type: integer, required: true }
then:
  - { when: findings > 0, back_to: fix, at_most: 2 }
\`\`\`
`;

function bugFix(): Project {
  const project = emptyProject();
  project.write(".waymark/workflows/bug-fix.md", page);
  return project;
}

async function start(window: Window, inputs: Record<string, unknown> = { ticket: "W-7" }): Promise<Routed> {
  return (await callPhase(window, "start_workflow", { workflow_type: "bug-fix", inputs })) as Routed;
}

type Routed = PhaseResult & {
  round?: number;
  role?: string;
  outcome?: string;
  status?: string;
  came_back_from?: { phase: number; artifacts: Record<string, unknown> };
  inputs?: Record<string, unknown>;
};

function complete(window: Window, session: string): (phase: number, evidence: object) => Promise<Routed> {
  return async (phase, evidence) =>
    (await callPhase(window, "complete_phase", { session_id: session, phase, evidence })) as Routed;
}

test("inputs are checked, filled into texts as text, and part of a session's identity", async () => {
  const window = await openWindow(bugFix().root);
  expect(await start(window, {})).toMatchObject({
    error: "invalid_input",
    message: expect.stringContaining("the input ticket is missing"),
  });
  expect(await start(window, { ticket: " " })).toMatchObject({ message: expect.stringContaining("ticket is missing") });
  expect(await start(window, { ticket: "W-7", speed: 3 })).toMatchObject({ error: "invalid_input" });
  expect(await start(window, { ticket: "W-7", design: "maybe" })).toMatchObject({
    message: expect.stringContaining("must be one of yes, no"),
  });
  const first = await start(window, { ticket: "{{inputs.design}} $&" });
  expect(first.phase_content?.content).toContain("Reproduce {{inputs.design}} $& (not {{inputs.other}}).");
  expect(first).toMatchObject({ round: 1, inputs: { ticket: "{{inputs.design}} $&", design: "yes" } });
  const long = await start(window, { ticket: "x".repeat(20_000) });
  expect(long.phase_content?.content).toContain("x".repeat(20_000));
  expect(JSON.stringify(long.inputs).length).toBeLessThan(1000);
  const second = await start(window, { ticket: "W-8" });
  expect(second.session_id).not.toBe(first.session_id);
  expect(await start(window, { design: "yes", ticket: "W-8" })).toMatchObject({
    session_id: second.session_id,
    resumed: true,
  });
});

test("a step whose condition is false is passed over, and nobody sees it", async () => {
  const window = await openWindow(bugFix().root);
  const { session_id: session } = await start(window, { ticket: "W-7", design: "no" });
  const next = await complete(window, session)(1, { verdict: "bug" });
  expect(next).toMatchObject({ phase_completed: 1, next_phase: 3, round: 1, role: "implementer" });
  expect(next.next_phase_content?.content).toContain("Fix what was found (bug).");
  for (const hidden of ["Design", "at_most", "back_to", "evidence_schema", "inputs.design"])
    expect(JSON.stringify(next)).not.toContain(hidden);
  const passed = await callPhase(window, "get_phase_content", { session_id: session, requested_phase: 2 });
  expect(passed).toMatchObject({ isError: true, error: "phase_sequence_violation" });
  expect(JSON.stringify(passed)).not.toContain("Think about");
});

test("a route ends the session with its outcome, and the next start is a new session", async () => {
  const window = await openWindow(bugFix().root);
  const { session_id: session } = await start(window);
  const ended = await complete(window, session)(1, { verdict: "no-bug" });
  expect(ended).toMatchObject({ checkpoint_passed: true, workflow_complete: true, outcome: "no-go", current_phase: 1 });
  expect(await complete(window, session)(2, { plan: "x" })).toMatchObject({ isError: true });
  expect((await start(window)).session_id).not.toBe(session);
});

test("a session whose every step is passed over is complete from the start", async () => {
  const project = emptyProject();
  project.write(
    ".waymark/workflows/maybe.md",
    "---\ninputs:\n  due: { type: boolean, default: false }\n---\n## Phase 1: Act\n\n```yaml gate\nwhen: inputs.due == true\nevidence_schema:\n  n: { type: integer, required: true }\n```\n",
  );
  const window = await openWindow(project.root);
  const started = await callPhase(window, "start_workflow", { workflow_type: "maybe" });
  expect(started).toMatchObject({ workflow_complete: true, next_step: expect.stringContaining("complete") });
  expect(started).not.toHaveProperty("phase_content");
});

test("no part of a gate with routes reaches the assistant: not in a task, a list or a quotation", async () => {
  const gate = ["when: inputs.due == true", "evidence_schema:", "  n: { type: integer, required: true }"];
  for (const prefix of ["", "   ", "> "]) {
    const project = emptyProject();
    const lead = { "": "### Task 1: Act\n\nAct.\n\n", "   ": "1. Act\n", "> ": "### Task 1: Act\n\n" }[prefix];
    const block = ["```yaml gate", ...gate, "```"].map((line) => `${prefix}${line}`).join("\n");
    project.write(
      ".waymark/workflows/acts.md",
      `---\ninputs:\n  due: { type: boolean, default: true }\n---\n## Phase 1: Act\n\n${lead}${block}\n`,
    );
    const window = await openWindow(project.root);
    const started = await callPhase(window, "start_workflow", { workflow_type: "acts" });
    const task = await callPhase(window, "get_phase_content", { session_id: started.session_id, task: 1 });
    for (const text of [JSON.stringify(started), JSON.stringify(task)]) expect(text).not.toContain("when:");
    expect(started.checkpoint_criteria?.required_evidence).toHaveProperty("n");
  }
});

test("a review that rejects goes back; at its bound only a person can continue", async () => {
  const project = bugFix();
  const window = await openWindow(project.root);
  const { session_id: session } = await start(window, { ticket: "W-7", design: "no" });
  const done = complete(window, session);
  await done(1, { verdict: "bug" });
  await done(3, { summary: "first" });
  const back = await done(4, { findings: 2 });
  expect(back).toMatchObject({
    checkpoint_passed: true,
    phase_completed: 4,
    next_phase: 3,
    round: 2,
    came_back_from: { phase: 4, artifacts: { findings: 2 } },
  });
  await done(3, { summary: "second" });
  expect(await done(4, { findings: 1 })).toMatchObject({ next_phase: 3, round: 3 });
  await done(3, { summary: "third" });
  const bound = await done(4, { findings: 1 });
  expect(bound).toMatchObject({ checkpoint_passed: true, status: "blocked", phase_completed: 4, current_phase: 4 });
  expect(await done(4, { findings: 1 })).toMatchObject({ status: "blocked" });
  expect(await done(4, { findings: 0 })).not.toHaveProperty("workflow_complete");
  const { stdout: status } = await runCli(["status", "--root", project.root]);
  expect(status).toMatch(/waymark answer bug-fix-[0-9a-f]{4} "TEXT" --again/);
  expect(status).not.toContain("waymark waive");
  const { stdout: shown } = await runCli(["show", "--root", project.root]);
  expect(shown).toMatch(/waymark answer bug-fix-[0-9a-f]{4} "TEXT" --continue/);
  expect(shown).toMatch(/waymark end bug-fix-[0-9a-f]{4} no-go/);
  const ending = sitDown().runs(project, ["end", session, "nonsense"]);
  await ending.sees("nonsense is not an outcome that a person can choose here. Choose one of: no-go");
  await ending.ends();
  expect(shown).not.toContain("waive");
  const state = await callPhase(window, "get_workflow_state", { session_id: session });
  expect(state).toMatchObject({ status: "blocked", next_step: expect.stringContaining("--again") });

  const again = sitDown().runs(project, ["answer", session, "Once more, please.", "--again"]);
  await again.sees("leads back once more");
  await again.ends();
  const read = (await callPhase(window, "get_phase_content", { session_id: session })) as Routed;
  expect(read).toMatchObject({ phase_number: 3, round: 4, message: expect.stringContaining("Once more, please.") });
  await done(3, { summary: "fourth" });
  expect(await done(4, { findings: 1 })).toMatchObject({ status: "blocked" });
  const goOn = sitDown().runs(project, ["answer", session, "Good enough.", "--continue"]);
  await goOn.sees("the work goes on");
  await goOn.ends();
  expect(await callPhase(window, "get_workflow_state", { session_id: session })).toMatchObject({
    workflow_complete: true,
  });
});

test("the page that docs/routes.md shows can be started, and reads as it says", async () => {
  const text = readFileSync(join(import.meta.dirname, "../../docs/routes.md"), "utf8");
  const project = emptyProject();
  project.write(".waymark/workflows/bug-fix.md", /^````text\n([\s\S]*?)^````$/m.exec(text)?.[1] ?? "");
  const { code, stdout } = await runCli(["check", "--root", project.root]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("No problems found")]);
  const explained = JSON.parse(
    (await runCli(["check", "--explain", "bug-fix", "--json", "--root", project.root])).stdout,
  );
  const [reproduce, design, fix, review] = explained.phases.map(({ route }: { route: object }) =>
    JSON.stringify(route),
  );
  expect(reproduce).toContain("end as no-go when verdict ==");
  expect(design).toContain("inputs.design !=");
  expect(fix).toBe("null");
  expect(review).toContain("back to fix when findings > 0, at most 3 times");
});
