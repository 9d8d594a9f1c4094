import { expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { sitDown } from "../people.ts";
import { callPhase, emptyProject } from "../phased.ts";
import { makeProject, type Project } from "../project.ts";
import { openWindow, type Window } from "../window.ts";

const base = ".waymark/base_actions";

/** A bot whose first action can end the pass, whose second is skipped by its author, and whose third is left out if small. */
function bot(): Project {
  const project = makeProject();
  project.write(
    ".waymark/bots/story_bot/behaviors/shape/behavior.json",
    JSON.stringify({
      actions: [
        "gather_context",
        { name: "decide_planning_criteria", skip: "not needed" },
        { name: "build_knowledge", when: "gather_context.size > 3" },
        "render_output",
      ],
    }),
  );
  project.write(
    `${base}/gather_context/gate-definition.yaml`,
    "evidence_schema:\n  size: { type: integer, required: true }\nthen:\n  - { when: size < 0, end: done }\n",
  );
  project.write(
    `${base}/build_knowledge/gate-definition.yaml`,
    "evidence_schema:\n  n: { type: integer, required: true }\n",
  );
  return project;
}

async function gathers(window: Window, size: number) {
  await window.call("shape_bot");
  return window.call("complete_action", { confirmation: "yes", evidence: { size } });
}

test("a pass that ended is finished: no later action of it can be opened, completed or read", async () => {
  const project = bot();
  const window = await openWindow(project.root);
  expect(await gathers(window, -1)).toMatchObject({ status: "workflow_complete" });
  for (const action of ["decide_planning_criteria", "build_knowledge", "render_output"]) {
    expect(await window.call("shape_bot", { action })).toMatchObject({ isError: true, status: "refused" });
    expect(await window.call("complete_action", { action, confirmation: "yes" })).toMatchObject({ isError: true });
  }
  expect(await window.call("shape_bot")).toMatchObject({ status: "workflow_complete" });
  expect(project.state()).toMatchObject({ workflow_complete: true, completed_actions: [{}] });
  expect((await runCli(["verify", "--require", "story_bot.shape", "--root", project.root])).code).toBe(0);
  expect(await window.call("shape_bot", { resume: "restart" })).toMatchObject({ action: "gather_context" });
  expect(await gathers(window, 5)).toMatchObject({ next: { action: "build_knowledge" } });
});

test("nobody goes back to an action that was passed over; going back before it decides again", async () => {
  const project = bot();
  const window = await openWindow(project.root);
  expect(await gathers(window, 1)).toMatchObject({ next: { action: "render_output" } });
  const back = (action: string) => runCli(["back", `story_bot.shape.${action}`, "--root", project.root]);
  const refused = await back("build_knowledge");
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("build_knowledge")]);
  expect((await back("gather_context")).code).toBe(0);
  expect(await gathers(window, 9)).toMatchObject({ next: { action: "build_knowledge" } });
});

test("an edit of the state file neither passes the gate of an action that was passed over nor hides a route", async () => {
  const project = bot();
  const window = await openWindow(project.root);
  await gathers(window, 1);
  project.write("workflow_state.json", {
    ...project.state(),
    current_action: "story_bot.shape.build_knowledge",
    action_state: "completed",
  });
  expect(await window.call("shape_bot")).toMatchObject({ action: "render_output" });
  await window.call("complete_action", { confirmation: "yes" });
  const { stdout } = await runCli(["verify", "--require", "story_bot.shape", "--root", project.root]);
  expect(stdout).toContain("build_knowledge: passed over");
});

const page = `---
outcomes: [done]
---
## Phase 1: Look

\`\`\`yaml gate
evidence_schema:
  size: { type: integer, required: true }
\`\`\`

## Phase 2: Design

\`\`\`yaml gate
when: look.size > 3
evidence_schema:
  plan: { type: string, required: true }
\`\`\`

## Phase 3: Review

\`\`\`yaml gate
evidence_schema:
  again: { type: boolean, required: true, validator: { one_of: [true, false] } }
then:
  - { when: again == true, back_to: look, at_most: 1 }
\`\`\`
`;

test("a completion whose reply was lost is answered again, even once its phase is passed over in a later round", async () => {
  const project = emptyProject();
  project.write(".waymark/workflows/look.md", page);
  const window = await openWindow(project.root);
  let reply = await callPhase(window, "start_workflow", { workflow_type: "look" });
  const { session_id } = reply;
  const complete = async (phase: number, evidence: object, attempt = reply.attempt) => {
    reply = await callPhase(window, "complete_phase", { session_id, phase, evidence, attempt });
    return reply;
  };
  expect(await complete(1, { size: 9 })).toMatchObject({ next_phase: 2 });
  const { attempt } = reply;
  expect(await complete(2, { plan: "p" })).toMatchObject({ phase_completed: 2 });
  expect(await complete(3, { again: true })).toMatchObject({ next_phase: 1 });
  expect(await complete(1, { size: 1 })).toMatchObject({ next_phase: 3 });
  expect(await complete(2, { plan: "p" }, attempt)).toMatchObject({ checkpoint_passed: true, phase_completed: 2 });
  expect(await complete(2, { plan: "other" }, attempt)).toMatchObject({ error: "conflict" });
  const records = project.read(`.waymark/journal/sessions/${session_id}.jsonl`);
  expect(records.match(/"type":"completed"/g)).toHaveLength(4);
});

test("fields of a superseded round and of a phase that was passed over are unknown to conditions", async () => {
  const project = emptyProject();
  const gate = "evidence_schema:\n  x: { type: integer, required: true }";
  const last = `\n## Phase 4: Check\n\n\`\`\`yaml gate\nwhen: design.plan != "none"\n${gate}\n\`\`\`\n`;
  project.write(
    ".waymark/workflows/look.md",
    page.replace(
      "plan: { type: string, required: true }",
      "plan: { type: string, required: true, validator: { one_of: [none, some] } }",
    ) + last,
  );
  const window = await openWindow(project.root);
  const { session_id } = await callPhase(window, "start_workflow", { workflow_type: "look" });
  const complete = (phase: number, evidence: object) =>
    callPhase(window, "complete_phase", { session_id, phase, evidence });
  await complete(1, { size: 9 });
  await complete(2, { plan: "none" });
  await complete(3, { again: true });
  await complete(1, { size: 1 });
  // in this round there was no design: unknown is not false, so the check is not passed over
  expect(await complete(3, { again: false })).toMatchObject({ next_phase: 4 });
});

test("at its bound no call of an assistant starts over; a person's --continue at the last action ends the pass", async () => {
  const project = makeProject();
  project.write(".waymark/bots/story_bot/behaviors/shape/behavior.json", {
    actions: ["gather_context", "render_output"],
  });
  project.write(
    `${base}/render_output/gate-definition.yaml`,
    "evidence_schema:\n  size: { type: integer, required: true }\nthen:\n  - { when: size > 0, back_to: render_output, at_most: 1 }\n",
  );
  const window = await openWindow(project.root);
  await window.pass("shape_bot");
  for (const size of [1, 2]) {
    await window.call("shape_bot");
    await window.call("complete_action", { confirmation: "yes", evidence: { size } });
  }
  for (const args of [
    { resume: "retry" },
    { resume: "restart" },
    { resume: "continue" },
    { action: "gather_context", resume: "retry" },
    { action: "gather_context", resume: "restart" },
  ])
    expect(await window.call("shape_bot", args)).toMatchObject({ status: "awaiting_human" });
  expect(await window.call("shape_bot", { action: "gather_context" })).toMatchObject({ status: "review" });
  const person = sitDown().runs(project, ["answer", "story_bot.shape", "Fine.", "--continue"]);
  await person.sees("the work goes on");
  await person.ends();
  expect(project.state()).toMatchObject({ workflow_complete: true });
  expect(await window.call("shape_bot")).toMatchObject({ status: "workflow_complete" });
  const verify = ["verify", "--require", "story_bot.shape", "--allow-waived", "--root", project.root];
  expect((await runCli(verify)).code).toBe(0);
  const { stdout } = await runCli(["export", "--attestation", "--json", "--root", project.root]);
  expect(stdout).toContain('"finished": true');
  expect(stdout).toContain('"field": "its bound"');
});

// Attack (file tools): Leave the bound of a route by an edit of `workflow_state.json`
// -> Exposed by `verify --require` (exit 1)
test("an edit of the state file that leaves the bound is named: only a person's answer counts", async () => {
  const project = makeProject();
  project.write(".waymark/bots/story_bot/behaviors/shape/behavior.json", {
    actions: ["gather_context", "render_output"],
  });
  project.write(
    `${base}/render_output/gate-definition.yaml`,
    "evidence_schema:\n  size: { type: integer, required: true }\nthen:\n  - { when: size > 0, back_to: gather_context, at_most: 1 }\n",
  );
  const window = await openWindow(project.root);
  const round = async (size: number): Promise<string | undefined> => {
    await window.pass("shape_bot");
    await window.call("shape_bot");
    return (await window.call("complete_action", { confirmation: "yes", evidence: { size } })).status;
  };
  await round(1);
  expect(await round(1)).toBe("awaiting_human");
  project.write("workflow_state.json", {
    ...project.state(),
    current_action: "story_bot.shape.gather_context",
    action_state: "started",
  });
  expect(await round(0)).toBe("workflow_complete");
  const { code, stdout } = await runCli(["verify", "--require", "story_bot.shape", "--root", project.root]);
  expect([code, stdout]).toEqual([1, expect.stringContaining("render_output left its bound by an edit")]);
});
