import { describe, expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { keyed, reply, sitDown } from "../people.ts";
import { addWorkflow, callPhase, evidenceFor, fieldOf } from "../phased.ts";
import { makeProject, type Project } from "../project.ts";
import { gateFile, honest, provingProject, trustAll } from "../proving.ts";
import { openWindow } from "../window.ts";

const twoFields = `evidence_schema:
  reproduced: {type: boolean, required: true, description: the bug was seen}
  summary: {type: string, required: true, description: what was done}
`;

function bugfix(approval = ""): Project {
  const project = makeProject();
  project.write(gateFile, twoFields + approval);
  return project;
}

/** Runs a command and returns what it prints as data. */
async function dataOf(project: Project, ...args: string[]): Promise<Record<string, unknown>[]> {
  return JSON.parse((await runCli([...args, "--json", "--root", project.root])).stdout);
}

describe("an action that cannot be done as asked", () => {
  test("is blocked with its reason; a person's answer comes first, and the work goes on", async () => {
    const project = bugfix();
    const window = await openWindow(project.root);
    await window.call("shape_bot");
    const reason = "The bug needs a device that is not here.";
    const reported = await window.call("complete_action", { blocked: reason, outputs: { tried: "3 times" } });
    expect(reported).toMatchObject({ status: "awaiting_human", isError: false, action: "gather_context" });
    expect(reported.kept?.outputs).toEqual(["tried"]);
    expect(reported.instructions).toContain('waymark answer story_bot.shape "TEXT"');

    const [shown] = await dataOf(project, "show");
    expect(shown).toMatchObject({ waiting_for: "blocked", reason, step: "gather_context", digest: null });
    const status = (await runCli(["status", "--root", project.root])).stdout;
    expect(status.split("\n")[2]).toContain(`story_bot.shape.gather_context has been blocked since`);
    expect(status).toContain("waymark answer story_bot.shape");
    expect((await runCli(["log", "--root", project.root])).stdout).toMatch(/blocked .*needs a device/);
    const reread = await window.call("shape_bot");
    expect(reread.message).toContain(reason);

    const person = sitDown();
    const answering = person.runs(project, ["answer", "story_bot.shape", "Use the emulator."]);
    await answering.sees("is open again");
    await answering.ends();
    const told = await window.call("shape_bot");
    expect(told.message).toMatch(/^A person at a terminal answered about gather_context .*: "Use the emulator\."/);
    expect(told.message).not.toContain("blocked");
    expect(await dataOf(project, "show")).toEqual([]);
    const done = await window.call("complete_action", {
      evidence: { reproduced: true, summary: "seen in the emulator" },
      confirmation: "yes",
    });
    expect(done).toMatchObject({ status: "completed" });
  });

  test("is refused with an empty or a very long reason, and nothing is recorded", async () => {
    const project = bugfix();
    const window = await openWindow(project.root);
    await window.call("shape_bot");
    for (const blocked of [" ", "x".repeat(2001)])
      expect(await window.call("complete_action", { blocked })).toMatchObject({
        error: "invalid_input",
        isError: true,
      });
    expect(await dataOf(project, "show")).toEqual([]);
  });

  test("goes on without what a person waived: recorded with who and why, named by verify --require", async () => {
    const project = bugfix();
    const window = await openWindow(project.root);
    await window.call("shape_bot");
    await window.call("complete_action", { blocked: "No device." });
    const person = sitDown();
    const approving = person.runs(project, ["approve"]);
    await approving.sees("is blocked, so there is nothing to approve yet");
    await approving.ends();
    const first = person.runs(project, ["waive", "story_bot.shape", "reproduced", "--reason", "No device is left."]);
    await reply(first, "[y/N]", "y");
    await first.ends();
    const waiving = person.runs(project, ["waive", "story_bot.shape", "reproduced", "--reason", "The vendor saw it."]);
    await reply(waiving, "Waive reproduced of shape · gather_context of story_bot? [y/N]", "y");
    await waiving.sees("The assistant reads your reason first.");
    await waiving.ends();
    const told = await window.call("shape_bot");
    expect(told.message).toContain("A person at a terminal waived reproduced: The vendor saw it.");
    expect(told.instructions).not.toContain("reproduced (");
    const evidence = { summary: "fixed by the vendor's report" };
    const waiting = await window.call("complete_action", { evidence });
    expect(waiting).toMatchObject({ status: "awaiting_human" });
    const [shown] = await dataOf(project, "show");
    expect(shown?.waived).toEqual([
      { field: "reproduced", reason: "No device is left.", by: "a person at a terminal" },
      { field: "reproduced", reason: "The vendor saw it.", by: "a person at a terminal" },
    ]);
    expect(await window.call("complete_action", { evidence, confirmation: "yes" })).toMatchObject({
      status: "completed",
    });
    expect((await runCli(["verify", "--root", project.root])).code).toBe(0);
    const required = await runCli(["verify", "--require", "shape", "--root", project.root]);
    expect(required.code).toBe(1);
    expect(required.stdout).toContain(
      'gather_context: reproduced was waived by a person at a terminal: "No device is left."',
    );
    expect(required.stdout).toContain('gather_context: reproduced was waived by a person at a terminal: "The vendor');
    const allowed = await runCli(["verify", "--require", "shape", "--allow-waived", "--json", "--root", project.root]);
    const [walk] = JSON.parse(allowed.stdout).required.walks;
    expect(walk.problems.join(" ")).not.toContain("waived");
    expect(walk.notes.join(" ")).toContain("reproduced was waived");
    expect(walk.steps[0].waived).toHaveLength(2);
  });
});

test("a check is waived by its name, not by the fields it gives, and its failure stays on record", async () => {
  const project = provingProject({ passed: 2, failed: 1 });
  await trustAll(project);
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  expect(await window.call("complete_action", honest)).toMatchObject({ error: "check_failed" });
  const person = sitDown();
  const byField = person.runs(project, ["waive", "story_bot.shape", "tests_passed", "--reason", "flaky"]);
  await byField.sees("waive tests instead");
  await byField.ends();
  const byName = person.runs(project, ["waive", "story_bot.shape", "tests", "--reason", "flaky"]);
  await reply(byName, "[y/N]", "y");
  await byName.sees("Waived in");
  await byName.ends();
  expect(await window.call("complete_action", honest)).toMatchObject({ status: "completed" });
  const log = (await runCli(["log", "--json", "--root", project.root])).stdout;
  expect(JSON.parse(log).filter((row: { event?: string }) => row.event === "checked")).toMatchObject([
    { check: "tests", status: "failed" },
  ]);
  expect((await runCli(["verify", "--root", project.root])).code).toBe(0);
});

test("where the step needs a proven approval, a waiver takes the person's key and verifies offline", async () => {
  const project = bugfix("approval: {level: proven, by: [dana]}\n");
  const dana = await keyed(project, "dana");
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  await window.call("complete_action", { blocked: "No device." });
  const keyless = sitDown().runs(project, ["waive", "story_bot.shape", "reproduced", "--reason", "no"]);
  await keyless.sees("signed with their own key");
  await keyless.ends();
  const waiving = dana.runs(project, ["waive", "story_bot.shape", "reproduced", "--reason", "The vendor saw it."]);
  await reply(waiving, /Passphrase for dana, to waive reproduced/, "correct horse");
  await waiving.sees("Waived in");
  await waiving.ends();
  expect((await window.call("shape_bot")).message).toContain("Dana waived reproduced: The vendor saw it.");
  const evidence = { summary: "fixed" };
  expect(await window.call("complete_action", { evidence })).toMatchObject({ status: "awaiting_human" });
  const approving = dana.runs(project, ["approve"]);
  await approving.sees("Dana waived reproduced");
  await reply(approving, /Passphrase for dana, to approve/, "correct horse");
  await approving.sees("is completed");
  await approving.ends();
  const verified = await runCli(["verify", "--root", project.root]);
  expect(verified.code, verified.stdout + verified.stderr).toBe(0);
  expect(verified.stdout).toContain("waived by dana");
});

test("a phase that cannot be done as asked is blocked without evidence, answered and completed", async () => {
  const project = makeProject();
  addWorkflow(project, { phases: 2 });
  const window = await openWindow(project.root);
  const { session_id } = await callPhase(window, "start_workflow", { workflow_type: "survey", target_file: "a.py" });
  const reported = await callPhase(window, "complete_phase", { session_id, phase: 1, blocked: "a.py is empty" });
  expect(reported).toMatchObject({ checkpoint_passed: false, status: "blocked", current_phase: 1 });
  expect(JSON.stringify(reported)).toContain(`waymark answer ${session_id}`);
  expect(reported.error).toBeUndefined();
  const status = (await runCli(["status", "--root", project.root])).stdout;
  expect(status).toContain("has been blocked since");
  const answering = sitDown().runs(project, ["answer", "a.py", "Take b.py as well."]);
  await answering.sees("is open again");
  await answering.ends();
  const read = await callPhase(window, "get_phase_content", { session_id });
  expect(read.message).toContain("Take b.py as well.");
  expect(JSON.stringify(await callPhase(window, "get_workflow_state", { session_id }))).toContain("Take b.py");
  const lacking = await callPhase(window, "complete_phase", { session_id, phase: 1, evidence: {} });
  expect(lacking).toMatchObject({ error: "incomplete_checkpoint" });
  const waiving = sitDown().runs(project, ["waive", session_id, fieldOf(1), "--reason", "nothing to count"]);
  await reply(waiving, "[y/N]", "y");
  await waiving.sees("Waived in");
  await waiving.ends();
  const opened = await callPhase(window, "get_phase_content", { session_id });
  expect(JSON.stringify(opened.checkpoint_criteria)).not.toContain(fieldOf(1));
  expect(await callPhase(window, "complete_phase", { session_id, phase: 1, evidence: {} })).toMatchObject({
    checkpoint_passed: true,
    next_phase: 2,
  });
  const done = await callPhase(window, "complete_phase", { session_id, phase: 2, evidence: evidenceFor(2) });
  expect(done).toMatchObject({ workflow_complete: true });
});

test("without a terminal no one answers or waives", async () => {
  const project = bugfix();
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  await window.call("complete_action", { blocked: "No device." });
  for (const args of [
    ["answer", "story_bot.shape", "go on"],
    ["waive", "story_bot.shape", "reproduced", "--reason", "it works"],
  ]) {
    const refused = await runCli([...args, "--root", project.root]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("needs a terminal");
  }
  const [shown] = await dataOf(project, "show");
  expect(shown).toMatchObject({ waiting_for: "blocked", waived: [] });
});
