import { expect, test } from "vitest";
import { callPhase, evidenceFor, plantWorkflow, sentinel } from "../phased.ts";
import { openProcess } from "../window.ts";

const folder = ".waymark/workflows/survey";

test("a document that a phase names comes with that phase, not before, and stays as it was at the start", async () => {
  const project = plantWorkflow({ phases: 3 });
  const link = (phase: number, to: string): void =>
    project.write(
      `${folder}/phases/${phase}/phase.md`,
      `${project.read(`${folder}/phases/${phase}/phase.md`)}\nSee [this](${to}).\n`,
    );
  project.write(`${folder}/core/naming.md`, "# Naming\n\nThe naming of Quagga.\n");
  project.write(`${folder}/core/later.md`, "# Later\n\nThe lore of Okapi.\n");
  link(1, "../../core/naming.md#the-first");
  link(1, "../3/phase.md");
  link(2, "../../core/later.md");
  link(2, "../../core/naming.md");
  const { root } = project;
  const window = await openProcess(root);
  const lists = [window.client.listTools(), window.client.listPrompts(), window.client.listResources()];
  expect(JSON.stringify(await Promise.all(lists))).not.toMatch(/Quagga|Okapi|core\//);

  const started = await callPhase(window, "start_workflow", { workflow_type: "survey", target_file: "a.ts" });
  expect(started.phase_content?.content).toContain("# core/naming.md\n\n# Naming\n\nThe naming of Quagga.");
  expect(started.phase_content?.sources).toContain("workflows/survey/core/naming.md");
  const { session_id } = started;
  const early = await callPhase(window, "get_phase_content", { session_id, requested_phase: 2 });
  const state = await callPhase(window, "get_workflow_state", { session_id });
  for (const reply of [started, early, state])
    expect(JSON.stringify(reply)).not.toMatch(new RegExp(`Okapi|later\\.md|${sentinel(2)}|${sentinel(3)}`));

  project.write(`${folder}/core/later.md`, "# Later\n\nThe lore of Gnu.\n");
  const next = await callPhase(window, "complete_phase", { session_id, phase: 1, evidence: evidenceFor(1) });
  expect(next.next_phase_content?.content).toContain("The lore of Okapi.");
  expect(next.next_phase_content?.content).toContain("The naming of Quagga.");
  expect(JSON.stringify(next)).not.toContain("Gnu");
});
