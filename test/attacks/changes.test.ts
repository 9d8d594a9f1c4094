import { describe, expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { addWorkflow, callPhase, evidenceFor } from "../phased.ts";
import { makeProject, type Project } from "../project.ts";
import { openWindow } from "../window.ts";

type Row = { action_state?: string; event?: string; action?: string; changes?: string[] };

async function changed(project: Project): Promise<Row[]> {
  const rows: Row[] = JSON.parse((await runCli(["log", "--json", "--root", project.root])).stdout);
  const { stdout } = await runCli(["log", "--root", project.root]);
  const found = rows.filter(({ changes }) => changes !== undefined);
  for (const { changes = [] } of found) for (const change of changes) expect(stdout).toContain(change);
  return found;
}

describe("an assistant with file tools changes what work is judged by while it is under way", () => {
  // Attack (file tools): Flip `external_edits`, `behaviors` or another setting, and back
  // -> Exposed by `log`
  test("external_edits and behaviors flipped, and back: each flip is on record with the next call's", async () => {
    const project = makeProject();
    project.write(".waymark/config.json", { external_edits: "refuse", behaviors: "ordered" });
    const window = await openWindow(project.root);
    await window.pass("shape_bot");
    project.write(".waymark/config.json", {});
    await window.pass("shape_bot");
    project.write(".waymark/config.json", { external_edits: "refuse", behaviors: "ordered" });
    await window.call("shape_bot");
    await window.close();
    const [strict, loose] = ["external_edits refuse, behaviors ordered", "external_edits obey, behaviors any"];
    expect((await changed(project)).map(({ changes }) => changes)).toEqual([
      [`the settings changed: ${strict} → ${loose}`],
      [`the settings changed: ${loose} → ${strict}`],
    ]);
  });

  test("every other setting flipped, and back: each flip is on record with the next call's", async () => {
    const project = makeProject();
    const window = await openWindow(project.root);
    const settings = [
      { history: "committed" },
      { strict: true },
      { checks: { wait: "5s" } },
      { approvals: { level: "elicited" } },
      { search: { budget: 300 } },
    ];
    await window.pass("shape_bot");
    for (const one of settings) {
      project.write(".waymark/config.json", one);
      await window.call("shape_bot", { resume: "retry" });
      project.remove(".waymark/config.json");
      await window.call("shape_bot", { resume: "retry" });
    }
    await window.close();
    const usual = "external_edits obey, behaviors any";
    const named = [
      "history committed",
      "strict",
      "checks wait 5s",
      "approvals elicited",
      expect.stringMatching(/^search \w{12}$/),
    ];
    const found = (await changed(project)).flatMap(({ changes = [] }) => changes);
    expect(found.map((change) => change.replace("the settings changed: ", "").split(" → "))).toEqual(
      named.flatMap((name) => {
        const other = typeof name === "string" ? `${usual}, ${name}` : expect.stringMatching(/, search \w{12}$/);
        return [
          [usual, other],
          [other, usual],
        ];
      }),
    );
  });

  test("a setting flipped during a session, and back: on record with the next phase", async () => {
    const project = makeProject();
    addWorkflow(project);
    const window = await openWindow(project.root);
    const { session_id } = await callPhase(window, "start_workflow", { workflow_type: "survey", target_file: "a.ts" });
    project.write(".waymark/config.json", { history: "committed" });
    await callPhase(window, "complete_phase", { session_id, phase: 1, evidence: evidenceFor(1) });
    project.remove(".waymark/config.json");
    await callPhase(window, "complete_phase", { session_id, phase: 2, evidence: evidenceFor(2) });
    await window.close();
    const found = (await changed(project)).flatMap(({ changes = [] }) => changes);
    expect(found).toEqual([
      "the settings changed: approvals relayed → approvals relayed, history committed",
      "the settings changed: approvals relayed, history committed → approvals relayed",
    ]);
  });

  test("external_edits flipped for one edit of the state file alone: the edit that was obeyed says so", async () => {
    const project = makeProject();
    project.write(".waymark/config.json", { external_edits: "refuse" });
    const window = await openWindow(project.root);
    await window.pass("shape_bot");
    await window.call("shape_bot");
    project.write(".waymark/config.json", {});
    const current_action = "story_bot.shape.render_output";
    project.write("workflow_state.json", { ...project.state(), current_action, action_state: "started" });
    await window.call("complete_action", { action: "validate_rules" });
    project.write(".waymark/config.json", { external_edits: "refuse" });
    await window.close();
    expect(await changed(project)).toMatchObject([
      { event: "state_edited", changes: ["obeyed, though the settings refused edits before: they were changed"] },
    ]);
  });

  // Attack (file tools): Weaken a gate, the schema of a check or the sequence while work is under way, and put it back
  test("the gate of the open action weakened, the sequence shortened: on record with the completion", async () => {
    const project = makeProject();
    const gate = ".waymark/base_actions/gather_context/gate-definition.yaml";
    project.write(gate, "evidence_schema:\n  sources: {type: integer, validator: {min: 3}}\n");
    const window = await openWindow(project.root);
    await window.call("shape_bot");
    project.write(gate, "evidence_schema:\n  sources: {type: integer}\n");
    const evidence = { sources: 0 };
    expect(await window.call("complete_action", { evidence, confirmation: "yes" })).toMatchObject({
      status: "completed",
    });
    project.write(".waymark/bots/story_bot/behaviors/shape/behavior_config.json", {
      name: "shape",
      actions: ["gather_context", "validate_rules"],
    });
    await window.pass("shape_bot");
    await window.close();
    expect(await changed(project)).toMatchObject([
      {
        action: "story_bot.shape.gather_context",
        action_state: "completed",
        changes: ["its gate has changed since it was opened"],
      },
      { action: "story_bot.shape.validate_rules", changes: ["the sequence has changed since the step before"] },
    ]);
  });

  // Attack (file tools): Under `behaviors: ordered`, list the behaviors otherwise or edit past an earlier one, and put it back
  test("the behaviors that come in order listed otherwise: on record with the next call's", async () => {
    const project = makeProject();
    project.write(".waymark/config.json", { behaviors: "ordered" });
    const file = ".waymark/bots/story_bot/bot_config.json";
    const bot = project.json(file);
    project.write(file, { ...bot, behaviors: ["prioritization"] });
    const window = await openWindow(project.root);
    await window.pass("prioritization_bot");
    project.write(file, bot);
    await window.call("prioritization_bot");
    await window.close();
    expect(await changed(project)).toMatchObject([{ changes: ["the behaviors that come in order have changed"] }]);
  });

  test("the schema of a check weakened while its action is open: on record with the completion", async () => {
    const project = makeProject();
    const schema = ".waymark/schemas/plan.json";
    project.write(schema, { type: "object", required: ["a"] });
    project.write(
      ".waymark/base_actions/gather_context/gate-definition.yaml",
      "checks:\n  - {name: plan, file: docs/plan.json, schema: schemas/plan.json}\n",
    );
    project.write("docs/plan.json", "{}\n");
    const window = await openWindow(project.root);
    await window.call("shape_bot");
    expect(await window.call("complete_action", { confirmation: "yes" })).toMatchObject({ error: "check_failed" });
    project.write(schema, {});
    expect(await window.call("complete_action", { confirmation: "yes" })).toMatchObject({ status: "completed" });
    await window.close();
    expect(await changed(project)).toMatchObject([
      { action_state: "completed", changes: ["a schema of its checks has changed since it was opened"] },
    ]);
  });

  // Attack (file tools): Weaken a rule or its schema for a walk, and put it back
  test("rules loosened once they have refused: on record with the completion", async () => {
    const project = makeProject();
    project.write(".waymark/base_actions/gather_context/gate-definition.yaml", "checks: [rules]\n");
    const rule = ".waymark/bots/story_bot/behaviors/shape/rules/plain.json";
    project.write(rule, { description: "Plain words", must_not_match: "TODO" });
    const window = await openWindow(project.root);
    await window.call("shape_bot");
    const submitted = { confirmation: "yes", content: [{ path: "story.md", text: "TODO\n" }] };
    await window.call("complete_action", submitted);
    project.write(rule, { description: "Plain words", must_not_match: "NEVER" });
    expect(await window.call("complete_action", submitted)).toMatchObject({ status: "completed" });
    await window.close();
    expect(await changed(project)).toMatchObject([
      { action_state: "completed", changes: ["the rules have changed since they were run before"] },
    ]);
  });
});
