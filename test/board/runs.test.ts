import { expect, test } from "vitest";
import type { ReviewData } from "../../src/dashboard/api/board-data.ts";
import { startBoard } from "../board.ts";
import { runCli } from "../command-line.ts";
import { callPhase, evidenceFor, fieldOf, plantWorkflow, sentinel } from "../phased.ts";
import { makeProject } from "../project.ts";
import { gateFile, provingGate, provingProject, trustAll } from "../proving.ts";
import { openWindow } from "../window.ts";

test("the board tells of every run where it stands, with its map, its attempts, its records and whether they are whole", async () => {
  const project = makeProject();
  project.write(gateFile, "evidence_schema:\n  users: {type: string, required: true, description: who}\n");
  const window = await openWindow(project.root, { name: "claude-code" });
  await window.call("shape_bot");
  await window.call("complete_action", { confirmation: "yes" });
  await window.call("complete_action", { confirmation: "yes", evidence: { reason: "<b>none</b>" } });
  const board = await startBoard(project.root);

  const stuck = (await board.ask("/api/runs")).data;
  expect(stuck).toMatchObject({
    counts: { stuck: 1, working: 0 },
    runs: [
      {
        key: "bot:story_bot",
        stands: "stuck",
        now: {
          label: "shape · gather_context",
          refused: 2,
          missing: ["users"],
          sameGaps: true,
          client: "claude-code 1.0.0",
        },
        records: 3,
      },
    ],
  });
  expect(stuck.runs[0].map[0]).toEqual({ workflow: "shape", signs: "s...." });

  await window.call("complete_action", { confirmation: "fine so", evidence: { users: "clerks" } });
  const { data: run } = await board.ask("/api/runs/bot%3Astory_bot");
  expect(run.row.map[0].signs).toBe("rn...");
  expect(run.workflows[0].steps[0]).toMatchObject({ label: "gather_context", sign: "r", handIns: 3, refused: 2 });
  expect(run.attempts).toHaveLength(1);
  expect(run.attempts[0]).toMatchObject({
    state: "completed",
    client: "claude-code 1.0.0",
    word: { level: "relayed", text: "fine so" },
    handIns: [
      { number: 1, outcome: "refused", code: "incomplete_checkpoint", missing: ["users (required: who)"] },
      { number: 2, outcome: "refused", sameGaps: true, evidence: [{ field: "reason", value: "<b>none</b>" }] },
      { number: 3, outcome: "completed", evidence: [{ field: "users", value: "clerks", standing: "word" }] },
    ],
  });
  const named = "workflow=shape&step=gather_context&pass=1&attempt=1";
  const { data: attempt } = await board.ask(`/api/runs/bot%3Astory_bot/attempt?${named}`);
  expect(attempt).toEqual(run.attempts[0]);

  const { data: records } = await board.ask("/api/runs/bot%3Astory_bot/records?from=2&count=2");
  expect(records.total).toBe(4);
  expect(records.records.map(({ seq }: { seq: number }) => seq)).toEqual([2, 3]);
  expect(records.records[1].events[0]).toMatchObject({ type: "refused", tone: "bad", workflow: "shape" });
  expect(records.records[1].events[0].text).toMatch(/^refused · same as before · incomplete_checkpoint/);
  const { data: last } = await board.ask("/api/runs/bot%3Astory_bot/records?before=4&count=1");
  expect(last.records).toEqual([records.records[1]]);

  const { data: audit } = await board.ask("/api/audit?again=1");
  expect(audit).toMatchObject({ histories: [{ chain: { state: "whole", records: 4 } }], problems: [] });
  expect((await board.ask("/api/runs")).data.whole).toBe(true);
  const shown = JSON.parse((await runCli(["export", "--json", "--root", project.root])).stdout);
  expect((await board.ask("/api/export")).data).toEqual({ ...shown, exported_at: expect.any(String) });

  // What is changed in the middle of a history is seen without its end being another.
  project.write(
    ".waymark/journal/story_bot.jsonl",
    project.read(".waymark/journal/story_bot.jsonl").replace("none", "NONE"),
  );
  const { data: broken } = await board.ask("/api/audit?again=1");
  expect(broken.histories[0].chain).toMatchObject({ state: "broken", seq: 3 });
  expect((await board.ask("/api/runs")).data.whole).toBe(false);
});

test("what waits for a person is in the inbox, with how far it was looked at; and of phases to come only the number leaves", async () => {
  const project = plantWorkflow({ phases: 4, approval: [1] });
  const window = await openWindow(project.root);
  const { session_id } = await callPhase(window, "start_workflow", {
    workflow_type: "survey",
    target_file: "src/tea.ts",
  });
  const submission = { session_id, phase: 1, evidence: evidenceFor(1) };
  await callPhase(window, "complete_phase", { ...submission, evidence: {} });
  await callPhase(window, "complete_phase", submission);
  const board = await startBoard(project.root);
  const { data } = await board.ask("/api/inbox");
  const key = `session:${session_id}`;
  expect(data.items).toEqual([
    {
      key,
      title: "src/tea.ts",
      workflow: "survey",
      step: "1",
      label: `Phase 1: ${sentinel(1)} title`,
      since: expect.any(String),
      handIn: 2,
      looked: { found: 0, agrees: 0, differs: 0, word: 1 },
      needs: "approval from one person",
      summary: `${fieldOf(1).replace("_", " ")} 1`,
    },
  ]);
  const at = encodeURIComponent(key);
  const judging: ReviewData = (await board.ask(`/api/runs/${at}/judging?workflow=survey&step=1`)).data;
  expect(judging).toMatchObject({
    kind: "judging",
    run: `src/tea.ts (${session_id})`,
    step: `Phase 1: ${sentinel(1)} title`,
    standing: "waits",
    evidence: [{ field: fieldOf(1), value: 1 }],
  });
  const paths = [
    "runs",
    `runs/${at}`,
    `runs/${at}/records`,
    "inbox",
    "audit",
    "process",
    "export",
    "search?query=title",
  ];
  const all = await Promise.all(paths.map((path) => board.ask(`/api/${path}`)));
  expect(all.map(({ status }) => status)).toEqual(paths.map(() => 200));
  const said = all
    .map(({ text }) => text)
    .join("")
    .toLowerCase();
  expect(said).toContain(sentinel(1).toLowerCase());
  for (const later of [2, 3, 4]) expect(said).not.toContain(sentinel(later).toLowerCase());
  const { data: run } = await board.ask(`/api/runs/${at}`);
  expect(run.workflows[0].steps.map(({ label }: { label: string }) => label).slice(1)).toEqual([
    "Phase 2",
    "Phase 3",
    "Phase 4",
  ]);
  expect(run.sentence).toMatch(
    /^Phase 1: .* has been waiting for approval from a person for \d+ s; 0 of 4 steps done\.$/,
  );
});

test("the process is shown with its figures, what its author should mend, and claims beside what was found", async () => {
  const project = provingProject({ passed: 12 }, `approval: required\n${provingGate}`);
  await trustAll(project);
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  await window.call("complete_action", { evidence: { summary: "done", tests_passed: 11 } });
  await window.call("complete_action", { evidence: { summary: "done" } });
  const board = await startBoard(project.root);
  const { data: inbox } = await board.ask("/api/inbox");
  expect(inbox.items).toMatchObject([{ looked: { found: 1, word: 1 }, summary: "summary done · 1 check passed" }]);
  const { data: process } = await board.ask("/api/process");
  const shape = process.workflows.find(({ workflow }: { workflow: string }) => workflow === "story_bot.shape");
  expect(shape).toMatchObject({ kind: "bot", walks: 1, refusals: [{ times: 1 }] });
  expect(shape.steps[0]).toMatchObject({ step: "gather_context", firstPass: { passed: 0, of: 1 } });
  expect(process.workflows.map(({ workflow }: { workflow: string }) => workflow)).toContain("story_bot.tests");
  expect(process.findings).toBeInstanceOf(Array);
  const { data: run } = await board.ask("/api/runs/bot%3Astory_bot");
  expect(run.attempts[0].handIns[0].evidence).toContainEqual(
    expect.objectContaining({ field: "tests_passed", value: 11, standing: "differs", found: 12 }),
  );
  await window.call("complete_action", { confirmation: "yes", evidence: { summary: "done" } });
  const { data: later } = await board.ask("/api/runs/bot%3Astory_bot");
  expect(later.attempts[0].handIns[1]).toMatchObject({
    outcome: "completed",
    evidence: [
      { field: "summary", standing: "word" },
      { field: "tests_passed", value: 12, standing: "found" },
    ],
  });
});
