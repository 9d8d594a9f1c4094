import { describe, expect, test } from "vitest";
import { inDatabase } from "../doors.ts";
import { actions, makeProject, type Project } from "../project.ts";
import { older, openWindow, type Window } from "../window.ts";

const proceed = /proceed to/i;

/** Puts the work at an action, as a team that comes back to it finds it. */
function stand(project: Project, action: string, behavior = "shape"): void {
  project.write("workflow_state.json", {
    current_behavior: `story_bot.${behavior}`,
    current_action: `story_bot.${behavior}.${action}`,
    action_state: "started",
    timestamp: "2025-12-03T10:00:00.000Z",
    completed_actions: actions.slice(0, (actions as readonly string[]).indexOf(action)).map((name) => ({
      action_state: `story_bot.${behavior}.${name}`,
      timestamp: "2025-12-03T09:00:00.000Z",
      duration: 1,
    })),
  });
}

const complete = (window: Window) => window.call("complete_action", { confirmation: "yes, it is done" });

describe.each(older)("Inject Next Behavior-Action to Instructions (%s protocol)", (era) => {
  test("a workflow action injects next action instructions on completion", async () => {
    const project = makeProject();
    const window = await openWindow(project.root, { era });
    await window.call("story_bot");
    const answer = await complete(window);
    expect(answer).toMatchObject({
      status: "completed",
      behavior: "shape",
      action: "gather_context",
      next: { action: "decide_planning_criteria", tool: "shape_bot", auto: false },
    });
    expect(answer.instructions).toContain("When done, proceed to decide_planning_criteria");
    expect(answer.text).toContain("When done, proceed to decide_planning_criteria");
  });

  test.skipIf(inDatabase("a state file is shown to nobody, and read from nobody"))(
    "the terminal action indicates workflow completion, names the next behavior and starts nothing",
    async () => {
      const project = makeProject();
      stand(project, "validate_rules");
      const window = await openWindow(project.root, { era });
      await window.call("story_bot", { resume: "continue" });
      const answer = await complete(window);
      expect(answer).toMatchObject({ status: "workflow_complete", action: "validate_rules", next: null });
      expect(answer.instructions).toContain("Workflow is complete. No further actions required.");
      expect(answer.instructions).toContain("prioritization_bot");
      expect(answer.instructions).not.toMatch(proceed);
      expect(project.state()).toMatchObject({
        current_action: "story_bot.shape.validate_rules",
        action_state: "completed",
        workflow_complete: true,
      });
    },
  );

  test("an independent action does NOT inject next action instructions", async () => {
    const project = makeProject();
    const window = await openWindow(project.root, { era });
    await window.call("story_bot");
    const before = project.state();
    const opened = await window.call("story_bot", { action: "correct_bot" });
    const done = await window.call("complete_action", { action: "correct_bot", outputs: { noted: "yes" } });
    expect(done).toMatchObject({ status: "completed", action: "correct_bot", next: null });
    for (const answer of [opened, done]) expect(answer.instructions).not.toMatch(proceed);
    expect(project.state()).toEqual(before);
    expect(project.log().map(({ action, action_state }) => `${action} ${action_state}`)).toEqual([
      "story_bot.shape.gather_context started",
      "story_bot.shape.correct_bot started",
      "story_bot.shape.correct_bot completed",
    ]);
  });

  test("a missing action configuration: a warning, no injection, completed all the same, and the sequence as last known goes on", async () => {
    const project = makeProject();
    const window = await openWindow(project.root, { era });
    await window.call("story_bot");
    project.remove(".waymark/base_actions/gather_context/action_config.json");
    const answer = await complete(window);
    expect(answer).toMatchObject({ status: "completed", action: "gather_context", next: null });
    expect(answer.warnings.join()).toContain("gather_context/action_config.json");
    expect(answer.instructions).not.toMatch(proceed);
    expect(project.state().completed_actions.map((entry) => entry.action_state)).toEqual([
      "story_bot.shape.gather_context",
    ]);
    expect(await window.call("story_bot")).toMatchObject({ status: "started", action: "decide_planning_criteria" });
  });

  test("a vanished action folder does not stop the work either", async () => {
    const project = makeProject();
    const window = await openWindow(project.root, { era });
    await window.call("story_bot");
    project.remove(".waymark/base_actions/gather_context");
    expect(await complete(window)).toMatchObject({ status: "completed", action: "gather_context", next: null });
    expect(await window.call("story_bot")).toMatchObject({ status: "started", action: "decide_planning_criteria" });
  });

  test.skipIf(inDatabase("a state file is shown to nobody, and read from nobody"))(
    "a malformed action configuration: a warning, no injection, completed all the same",
    async () => {
      const project = makeProject();
      stand(project, "decide_planning_criteria");
      project.write(".waymark/base_actions/decide_planning_criteria/action_config.json", "{ not json");
      const window = await openWindow(project.root, { era });
      await window.call("story_bot", { resume: "continue" });
      const answer = await complete(window);
      expect(answer).toMatchObject({ status: "completed", action: "decide_planning_criteria", next: null });
      expect(answer.warnings.join()).toContain("decide_planning_criteria/action_config.json");
      expect(answer.instructions).not.toMatch(proceed);
      expect(await window.call("story_bot")).toMatchObject({ status: "started", action: "build_knowledge" });
    },
  );

  test.skipIf(inDatabase("a state file is shown to nobody, and read from nobody"))(
    "a mid-workflow action injects its successor",
    async () => {
      const project = makeProject();
      stand(project, "render_output");
      const window = await openWindow(project.root, { era });
      await window.call("story_bot", { resume: "continue" });
      expect((await complete(window)).instructions).toContain("When done, proceed to validate_rules");
    },
  );

  test.skipIf(inDatabase("a state file is shown to nobody, and read from nobody"))(
    "auto_progress injects an immediate transition and needs no one's word",
    async () => {
      const project = makeProject();
      stand(project, "build_knowledge");
      const window = await openWindow(project.root, { era });
      await window.call("story_bot", { resume: "continue" });
      const answer = await window.call("complete_action");
      expect(answer).toMatchObject({ status: "completed", next: { action: "render_output", auto: true } });
      expect(answer.instructions).toContain(
        "Automatically proceed to render_output now (no human confirmation needed)",
      );
    },
  );

  test("a dangling next_action closes what follows: completed with a warning, then invalid_definition with the file to mend", async () => {
    const project = makeProject();
    project.write(".waymark/base_actions/gather_context/action_config.json", {
      name: "gather_context",
      workflow: true,
      order: 1,
      next_action: "no_such_action",
    });
    const window = await openWindow(project.root, { era });
    await window.call("story_bot");
    const answer = await complete(window);
    expect(answer).toMatchObject({ status: "completed", next: null });
    expect(answer.warnings.join()).toContain("no_such_action");
    expect(answer.instructions).not.toMatch(proceed);
    const closed = await window.call("story_bot");
    expect(closed).toMatchObject({ status: "refused", isError: true, error: "invalid_definition" });
    expect(closed.required_action).toContain("gather_context/action_config.json");
  });

  test("a missing next_action key means the next by order", async () => {
    const project = makeProject();
    project.write(".waymark/base_actions/gather_context/action_config.json", {
      name: "gather_context",
      workflow: true,
      order: 1,
    });
    const window = await openWindow(project.root, { era });
    await window.call("story_bot");
    expect((await complete(window)).next).toMatchObject({ action: "decide_planning_criteria" });
  });
});
