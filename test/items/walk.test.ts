import { expect, test } from "vitest";
import { callPhase, emptyProject, type PhaseResult } from "../phased.ts";
import type { Project } from "../project.ts";
import { openWindow, type Window } from "../window.ts";

type ItemResult = PhaseResult & {
  items?: { total: number; open: string[]; ready: string[]; problem?: string };
  parent?: { session_id: string; items?: { total: number; open: string[]; ready: string[] } };
  next_step?: string;
};

const call = (window: Window, tool: string, args: Record<string, unknown>) =>
  callPhase(window, tool, args) as Promise<ItemResult>;

const one = `---
inputs:
  task: { type: string, required: true }
outcomes: [done, no-go]
---
# One task

## Phase 1: Do

Do {{inputs.task}} ({{item.id}}).

\`\`\`yaml gate
evidence_schema:
  findings: { type: integer, required: true }
  verdict: { type: string, required: true, validator: { one_of: [good, bad] } }
then:
  - { when: 'verdict == "bad"', end: no-go }
\`\`\`
`;

const each = (source: string, more = ""): string => `---
inputs:
  tasks: { type: string }
---
# Each

## Phase 1: Plan

\`\`\`yaml gate
evidence_schema:
  parts: { type: list, required: true }
\`\`\`

## Phase 2: Build

Build each part.

\`\`\`yaml gate
for_each: ${source}
workflow: one
with: { task: "{{item.title}}" }
${more}
\`\`\`

## Phase 3: Review

\`\`\`yaml gate
evidence_schema:
  summary: { type: string, required: true }
\`\`\`
`;

function project(source: string, more = ""): Project {
  const made = emptyProject();
  made.write(".waymark/workflows/one.md", one);
  made.write(".waymark/workflows/each.md", each(source, more));
  return made;
}

const good = { findings: 0, verdict: "good" };

test("each item is a session of its own, and the step completes once the last is settled", async () => {
  const window = await openWindow(project("{ in: plan.parts, parallel: 2 }").root);
  const { session_id: session } = await call(window, "start_workflow", { workflow_type: "each" });
  const opened = await call(window, "complete_phase", {
    session_id: session,
    phase: 1,
    evidence: { parts: ["a", "b", "c"] },
  });
  expect(opened).toMatchObject({ next_phase: 2, items: { total: 3, open: [], ready: ["a", "b", "c"] } });
  const early = await call(window, "complete_phase", { session_id: session, phase: 2, evidence: {} });
  expect(early).toMatchObject({
    error: "incomplete_checkpoint",
    missing_evidence: ["items (required: 3 of 3 are not settled: a, b, c)"],
  });
  const a = await call(window, "start_workflow", { session_id: session, item: "a" });
  expect(a).toMatchObject({ session_id: `${session}/2.1/a`, workflow_type: "one", current_phase: 1 });
  expect(a.phase_content?.content).toContain("Do a (a).");
  const b = await call(window, "start_workflow", { session_id: session, item: "b" });
  const c = await call(window, "start_workflow", { session_id: session, item: "c" });
  expect(c).toMatchObject({ isError: true, error: "item_not_ready" });
  expect(c.message).toContain("a, b");
  const doneA = await call(window, "complete_phase", { session_id: a.session_id, phase: 1, evidence: good });
  expect(doneA).toMatchObject({
    workflow_complete: true,
    parent: { session_id: session, items: { total: 3, open: ["b"], ready: ["c"] } },
  });
  await call(window, "complete_phase", { session_id: b.session_id, phase: 1, evidence: good });
  const c2 = await call(window, "start_workflow", { session_id: session, item: "c" });
  const last = await call(window, "complete_phase", { session_id: c2.session_id, phase: 1, evidence: good });
  expect(last.next_step).toContain("Continue with");
  const state = await call(window, "get_workflow_state", { session_id: session });
  expect(state).toMatchObject({ current_phase: 3, completed_phases: [1, 2] });
  const listed = await call(window, "get_workflow_state", {});
  expect(listed.sessions?.map(({ session_id }) => session_id)).toEqual([session]);
});
