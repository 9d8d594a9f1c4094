import { expect, test } from "vitest";
import { startBoard } from "../board.ts";
import { callPhase, evidenceFor, plantWorkflow, sentinel } from "../phased.ts";
import { openWindow } from "../window.ts";

const text = "# Map\n\nGuests find a place.\n";

test("a file of an earlier step is opened by its path and hash; the names of phases are shown once a session has finished", async () => {
  const project = plantWorkflow({ phases: 2, approval: [2] });
  const window = await openWindow(project.root);
  const { session_id } = await callPhase(window, "start_workflow", { workflow_type: "survey" });
  const content = [{ path: "docs/map.md", text }];
  await callPhase(window, "complete_phase", { session_id, phase: 1, evidence: evidenceFor(1), content });
  const submission = { session_id, phase: 2, evidence: evidenceFor(2) };
  await callPhase(window, "complete_phase", submission);

  const board = await startBoard(project.root);
  const key = encodeURIComponent(`session:${session_id}`);
  const { data: review } = await board.ask(`/api/runs/${key}/judging?workflow=survey&step=2`);
  const [{ path, sha256 }] = review.earlier;
  const file = (asked: Record<string, string>) => board.ask(`/api/runs/${key}/file?${new URLSearchParams(asked)}`);
  expect((await file({ path, sha256 })).data).toEqual({ path, text });
  expect((await file({ path, sha256: "0".repeat(64) })).data).toEqual({
    path,
    problem: "a later step has recorded another version",
  });
  for (const other of ["docs/nothing.md", "../secret.txt", ".waymark/config.json"])
    expect((await file({ path: other, sha256 })).status).toBe(404);

  const labels = async () =>
    (await board.ask("/api/process")).data.workflows[0].steps.map(({ label }: { label: string }) => label);
  expect(await labels()).toEqual(["Phase 1", "Phase 2"]);
  await callPhase(window, "complete_phase", { ...submission, confirmation: "yes" });
  await expect.poll(labels).toEqual([`Phase 1: ${sentinel(1)} title`, `Phase 2: ${sentinel(2)} title`]);
});
