import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { inDatabase } from "../doors.ts";
import { makeProject } from "../project.ts";
import { openWindow } from "../window.ts";

describe("the state file and the history", () => {
  test.skipIf(inDatabase("a state file is shown to nobody, and read from nobody"))(
    "a person's edit is obeyed with a warning, on record, and dropped entries stay in the log",
    async () => {
      const project = makeProject();
      const window = await openWindow(project.root);
      await window.pass("story_bot");
      await window.pass("story_bot");
      const state = project.state();
      project.write("workflow_state.json", {
        ...state,
        current_action: "story_bot.shape.gather_context",
        completed_actions: state.completed_actions.slice(0, 1),
      });
      const answer = await window.call("story_bot");
      expect(answer).toMatchObject({ status: "started", action: "decide_planning_criteria", history: { count: 1 } });
      expect(answer.warnings.join()).toContain("edited outside");
      expect(project.log().filter(({ action_state }) => action_state === "completed")).toHaveLength(2);
      const { stdout } = await runCli(["log", "--root", project.root]);
      expect(stdout).toContain("edited outside");
      expect((await window.call("story_bot")).warnings).toEqual([]);
    },
  );

  // Attack (file tools): Edit `workflow_state.json`
  // -> Obeyed as a move, on record, and shown by `log`. No gate is passed by it, and `verify --require` names it
  test("an edit moves the position but never satisfies a gate", async () => {
    const project = makeProject();
    project.write(
      ".waymark/base_actions/decide_planning_criteria/gate-definition.yaml",
      "evidence_schema:\n  agreed: {type: boolean, description: they agree}\n",
    );
    const window = await openWindow(project.root);
    await window.pass("story_bot");
    project.write("workflow_state.json", {
      ...project.state(),
      current_action: "story_bot.shape.render_output",
      action_state: "started",
    });
    expect(await window.call("story_bot")).toMatchObject({ action: "decide_planning_criteria" });
    expect(await window.call("story_bot", { action: "render_output" })).toMatchObject({
      error: "action_sequence_violation",
    });
  });

  test.skipIf(inDatabase("a state file is shown to nobody, and read from nobody"))(
    "a deleted state file is a new beginning at the first action, on record; the log stays",
    async () => {
      const project = makeProject();
      const window = await openWindow(project.root);
      await window.pass("story_bot");
      project.remove("workflow_state.json");
      const answer = await window.call("story_bot");
      expect(answer).toMatchObject({ status: "started", action: "gather_context", history: { count: 0 } });
      expect(project.state().completed_actions).toEqual([]);
      expect(project.log()).toHaveLength(3);
      expect((await runCli(["log", "--root", project.root])).stdout).toContain("was deleted");
    },
  );

  test("an older file of ours is brought up to date, never obeyed", async () => {
    const project = makeProject();
    const window = await openWindow(project.root);
    await window.call("story_bot");
    const older = project.read("workflow_state.json");
    await window.call("complete_action", { confirmation: "yes" });
    project.write("workflow_state.json", older);
    const answer = await window.call("story_bot");
    expect(answer).toMatchObject({ status: "started", action: "decide_planning_criteria", warnings: [] });
  });

  test("key order and white space are no edit", async () => {
    const project = makeProject();
    const window = await openWindow(project.root);
    await window.pass("story_bot");
    const entries = Object.entries(project.state()).reverse();
    project.write("workflow_state.json", JSON.stringify(Object.fromEntries(entries)));
    expect(await window.call("story_bot")).toMatchObject({ action: "decide_planning_criteria", warnings: [] });
  });

  test.skipIf(inDatabase("a state file is shown to nobody, and read from nobody"))(
    "a malformed file is restored from the history and kept aside",
    async () => {
      const project = makeProject();
      const window = await openWindow(project.root);
      await window.pass("story_bot");
      project.write("workflow_state.json", "{ half a fi");
      const answer = await window.call("story_bot");
      expect(answer).toMatchObject({ status: "started", action: "decide_planning_criteria" });
      expect(answer.warnings.join()).toContain("malformed");
      const [name] = readdirSync(project.path(".waymark/kept"));
      expect(project.read(`.waymark/kept/${name}`)).toBe("{ half a fi");
      expect(project.state().completed_actions).toHaveLength(1);
    },
  );

  test.skipIf(inDatabase("a state file is shown to nobody, and read from nobody"))(
    "external_edits refuse restores instead of obeying",
    async () => {
      const project = makeProject();
      project.write(".waymark/config.json", { external_edits: "refuse" });
      const window = await openWindow(project.root);
      await window.pass("story_bot");
      const before = project.state();
      project.write("workflow_state.json", { ...before, current_action: "story_bot.shape.render_output" });
      const answer = await window.call("story_bot");
      expect(answer).toMatchObject({ action: "decide_planning_criteria" });
      expect(answer.warnings.join()).toContain("restored");
      expect(project.state().completed_actions).toEqual(before.completed_actions);
    },
  );

  test.skipIf(inDatabase("a state file is shown to nobody, and read from nobody"))(
    "a log that stood there before the first run is kept in front of ours",
    async () => {
      const project = makeProject();
      const entry = {
        timestamp: "2024-01-01T00:00:00Z",
        behavior: "old",
        action: "old.action",
        action_state: "completed",
        inputs: {},
        outputs: {},
        duration: 1,
      };
      project.write("activity_log.json", [entry]);
      const window = await openWindow(project.root);
      await window.call("story_bot");
      expect(project.log()).toHaveLength(2);
      expect(project.log()[0]).toEqual(entry);
    },
  );

  test.skipIf(inDatabase("a state file is shown to nobody, and read from nobody"))(
    "a log that cannot be read is kept aside, not overwritten",
    async () => {
      const project = makeProject();
      project.write("activity_log.json", "not json at all");
      const window = await openWindow(project.root);
      await window.call("story_bot");
      expect(project.log()).toHaveLength(1);
      const [name] = readdirSync(project.path(".waymark/kept"));
      expect(project.read(`.waymark/kept/${name}`)).toBe("not json at all");
    },
  );

  test("back goes to a completed step; the next call opens it without a question, and what followed must be done again", async () => {
    const project = makeProject();
    const window = await openWindow(project.root);
    await window.pass("story_bot");
    await window.pass("story_bot");
    const refused = await runCli(["back", "render_output", "--root", project.root]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("render_output");
    const { code, stdout } = await runCli(["back", "gather_context", "--root", project.root]);
    expect(code).toBe(0);
    expect(stdout).toContain("shape.gather_context");
    expect(await window.call("story_bot")).toMatchObject({ status: "started", action: "gather_context" });
    expect(project.state().completed_actions).toHaveLength(2);
    expect(await window.call("complete_action", { confirmation: "yes" })).toMatchObject({
      next: { action: "decide_planning_criteria" },
    });
  });
});
