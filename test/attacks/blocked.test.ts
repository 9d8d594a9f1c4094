import { expect, test } from "vitest";
import type { Event } from "../../src/workflow/events.ts";
import { runCli, runProcess } from "../command-line.ts";
import { forge } from "../forge.ts";
import { enrolled, signer, streamOf } from "../people.ts";
import { callPhase, plantWorkflow } from "../phased.ts";
import { makeProject, type Project } from "../project.ts";
import { gateFile } from "../proving.ts";
import { openWindow } from "../window.ts";

const journal = ".waymark/journal/story_bot.jsonl";
const fields = `evidence_schema:
  reproduced: {type: boolean, required: true, description: the bug was seen}
  summary: {type: string, required: true, description: what was done}
`;

function guardedProject(approval: string): Project {
  const project = makeProject();
  project.write(gateFile, fields + approval);
  return project;
}

/** Adds a waiver behind every report, with every hash right. */
function forgesWaiver(project: Project, more: object): void {
  forge(project, journal, (event) => {
    if (event.type !== "blocked") return event;
    const { at, by, workflow, pass, step, attempt } = event;
    const ref = { at, by, workflow, pass, step, attempt };
    const waived = { type: "waived", ...ref, fields: ["reproduced"], reason: "trust me", level: "elicited", ...more };
    return [event, waived as Event];
  });
}

async function reportsBlocked(project: Project) {
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  await window.call("complete_action", { blocked: "No device." });
  return window;
}

// Attack (shell): Answer its own report that a step is blocked, or waive what a gate asks for: with its shell, over the local dashboard, or by a forged record
// -> Refused without a terminal, and on the dashboard without a passkey. `verify --require` names every waiver, and those below the level of the gate even with `--allow-waived`
test("an assistant cannot answer or waive from its shell, whatever is piped in", async () => {
  const project = guardedProject("");
  await reportsBlocked(project);
  for (const args of [
    ["answer", "story_bot.shape", "go on"],
    ["waive", "story_bot.shape", "reproduced", "--reason", "it works"],
  ])
    expect(await runProcess([...args, "--root", project.root])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/needs a terminal, and there is none here/),
    });
});

// Attack (tools): Waive a requirement or answer its own report that a step is blocked, through a tool
// -> Refused: no tool takes it
test("no tool takes a waiver, an answer or a reason that is not text", async () => {
  const project = guardedProject("");
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  for (const args of [{ waived: ["reproduced"] }, { answer: "go on" }, { blocked: true }, { blocked: { why: "x" } }])
    expect(await window.call("complete_action", args)).toMatchObject({ error: "invalid_input" });
});

test.each([
  ["without a key", {}],
  ["that claims to be proven", { level: "proven" }],
  ["in the name of an approver", { level: "proven", person: { name: "dana", key: "" } }],
])("a forged waiver %s does not count where the gate asks for a proven approval", async (_, more) => {
  const project = guardedProject("approval: {level: proven, by: [dana]}\n");
  const dana = signer("dana");
  await enrolled(project, dana);
  await (await reportsBlocked(project)).close();
  forgesWaiver(project, more);
  const window = await openWindow(project.root);
  await window.call("shape_bot", { resume: "continue" });
  const refused = await window.call("complete_action", { evidence: { summary: "done" } });
  expect(refused).toMatchObject({ error: "incomplete_checkpoint" });
  expect(refused.missing_evidence?.join()).toContain("reproduced");
  if (!("level" in more)) return;
  const verified = await runCli(["verify", "--root", project.root]);
  expect(verified.code).toBe(1);
  expect(verified.stdout).toContain("it claims to be proven, but nothing proves it");
});

test("a completion that counts something as waived is named by verify if no one waived it", async () => {
  const project = guardedProject("approval: required\n");
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  const evidence = { reproduced: true, summary: "done" };
  await window.call("complete_action", { evidence, confirmation: "yes" });
  await window.close();
  const waived = [{ field: "reproduced", reason: "trust me", by: "dana" }];
  forge(project, journal, (event) => (event.type === "completed" ? { ...event, waived } : event));
  const verified = await runCli(["verify", "--root", project.root]);
  expect(verified.code).toBe(1);
  expect(verified.stdout).toContain("reproduced counts as waived, but no recorded waiver proves that");
});

test("a waiver below the level that the gate asks for is named by verify --require, even where waivers are allowed", async () => {
  const project = guardedProject("approval: {level: proven, by: [dana]}\n");
  const dana = signer("dana");
  await enrolled(project, dana);
  const window = await reportsBlocked(project);
  await window.call("complete_action", { evidence: { reproduced: true, summary: "done" } });
  await window.close();
  const { answers, waiting } = await streamOf(project);
  expect(await answers(dana.signs({ ...(await waiting()).about, decision: "approve" }))).toBe("completed");
  forgesWaiver(project, {});
  const waived = [{ field: "reproduced", reason: "trust me", by: "a person at a terminal" }];
  forge(project, journal, (event) => (event.type === "completed" ? { ...event, waived } : event));
  const required = await runCli(["verify", "--require", "shape", "--allow-waived", "--root", project.root]);
  expect(required.code).toBe(1);
  expect(required.stdout).toContain("reproduced was waived by a person at a terminal without the approval");
});

// Attack (shell): Archive a session to be rid of its own report that a step is blocked
// -> Refused without a terminal: a person decides
test("a blocked session is archived by a person only", async () => {
  const project = plantWorkflow();
  const window = await openWindow(project.root);
  const { session_id = "" } = await callPhase(window, "start_workflow", {
    workflow_type: "survey",
    target_file: "a.md",
  });
  await callPhase(window, "complete_phase", { session_id, phase: 1, blocked: "It cannot be measured." });
  await window.close();
  const { code, stderr } = await runCli(["archive", session_id, "--root", project.root]);
  expect(code).toBe(1);
  expect(stderr).toContain("is blocked, so a person decides");
});
