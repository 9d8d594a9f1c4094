import { join } from "node:path";
import { expect, test } from "vitest";
import { callPhase, emptyProject } from "../phased.ts";
import { makeProject } from "../project.ts";
import { openWindow } from "../window.ts";

const gate = "```yaml gate\nevidence_schema:\n  n: { type: integer, required: true }\n```";
const phases = [1, 2].map(
  (phase) => `## Phase ${phase}: Part ${phase}\n\nSee {{mustache}} and {{user.name}}.\n\n${gate}`,
);

/** The keys that only replies of workflows with inputs or routes have. */
const routed = /"(round|role|outcome|came_back_from|inputs|status)":|\b(round|role|outcome|came back from|inputs):/;

/** Replies as lines, without what differs each time; `unrouted.jsonl` holds those of the last version that had no routes. */
const lines = (replies: readonly object[]): string =>
  replies
    .map((reply) => `${JSON.stringify(reply)}\n`)
    .join("")
    .replace(/plain-[0-9a-f]{24}-\d+/g, "plain-ID")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replace(/\ba\d{6}\b/g, "ATTEMPT");

test("a workflow without inputs and routes is answered as before them: no key, no sentence, no changed text", async () => {
  const project = emptyProject();
  project.write(".waymark/workflows/plain.md", `# Plain\n\n${phases.join("\n\n")}\n`);
  const window = await openWindow(project.root);
  const started = await callPhase(window, "start_workflow", { workflow_type: "plain", target_file: "a.ts" });
  const { session_id } = started;
  const call = (name: string, args: object) => callPhase(window, name, { session_id, ...args });
  const replies = [
    started,
    await call("get_phase_content", {}),
    await call("complete_phase", { phase: 1, evidence: {} }),
    await call("complete_phase", { phase: 2, evidence: { n: 1 } }),
    await call("complete_phase", { phase: 1, evidence: { n: 1 } }),
    await call("get_phase_content", { requested_phase: 1 }),
    await call("get_workflow_state", {}),
    await call("complete_phase", { phase: 2, evidence: { n: 2 } }),
    await call("get_workflow_state", {}),
  ];
  for (const reply of replies) {
    expect(JSON.stringify(reply)).not.toMatch(routed);
    expect(reply.text).not.toMatch(routed);
  }
  await expect(lines(replies)).toMatchFileSnapshot(join(import.meta.dirname, "unrouted.jsonl"));
  expect(started.phase_content?.content).toBe(`# Plain\n\n${phases[0]}`);
  expect(replies[4]?.next_phase_content?.content).toBe(phases[1]);
  expect(Object.keys(replies[7] ?? {})).toEqual([
    ...["checkpoint_passed", "session_id", "phase_completed", "warnings", "workflow_complete"],
    ...["current_phase", "total_phases", "message", "isError", "text"],
  ]);
});

test("the same for a bot whose actions have neither", async () => {
  const window = await openWindow(makeProject().root);
  for (let step = 0; step < 5; step++)
    for (const reply of [await window.call("shape_bot"), await window.call("complete_action", { confirmation: "yes" })])
      for (const key of ["round", "came_back_from", "outcome"]) expect(reply).not.toHaveProperty(key);
});
