import { mkdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { inDatabase } from "../doors.ts";
import { actions, makeProject } from "../project.ts";
import { older, openProcess, openWindow } from "../window.ts";

const done = (behavior: string, names: readonly string[], from = "2025-12-03T10:00:00Z") =>
  names.map((name) => ({ action_state: `story_bot.${behavior}.${name}`, timestamp: from, duration: 60 }));

describe.each(older)("Saves Behavior State (%s protocol)", (era) => {
  test("state is persisted when an action starts, before its content leaves", async () => {
    const project = makeProject();
    const window = await openProcess(project.root, { era });
    const before = Date.now();
    await window.call("discovery_bot");
    const state = project.state();
    expect(state).toMatchObject({
      current_behavior: "story_bot.discovery",
      current_action: "story_bot.discovery.gather_context",
      action_state: "started",
    });
    expect(Date.parse(state.timestamp)).toBeGreaterThanOrEqual(before - 1);
    await window.kill();
    expect(project.state()).toEqual(state);
  });

  test("state is updated when an action completes: appended to completed_actions, current_action stays on it", async () => {
    const project = makeProject();
    const window = await openWindow(project.root, { era });
    await window.pass("discovery_bot");
    const state = project.state();
    expect(state).toMatchObject({ current_action: "story_bot.discovery.gather_context", action_state: "completed" });
    expect(state.completed_actions).toEqual([
      { action_state: "story_bot.discovery.gather_context", timestamp: state.timestamp, duration: expect.any(Number) },
    ]);
  });

  test.skipIf(inDatabase("a state file is shown to nobody, and read from nobody"))(
    "completed_actions maintains the full audit trail in chronological order",
    async () => {
      const project = makeProject();
      const completed_actions = done("exploration", ["gather_context", "decide_planning_criteria"]);
      project.write("workflow_state.json", {
        current_behavior: "story_bot.exploration",
        current_action: "story_bot.exploration.build_knowledge",
        action_state: "started",
        timestamp: "2025-12-03T10:20:00Z",
        completed_actions,
      });
      const window = await openWindow(project.root, { era });
      await window.call("story_bot", { resume: "continue" });
      await window.call("complete_action");
      const state = project.state();
      expect(state.completed_actions).toHaveLength(3);
      expect(state.completed_actions.slice(0, 2)).toEqual(completed_actions);
      expect(state.completed_actions[2]?.action_state).toBe("story_bot.exploration.build_knowledge");
    },
  );

  test.skipIf(inDatabase("a state file is shown to nobody, and read from nobody"))(
    "an interrupted action: the question; retry starts from the beginning, with a new start time",
    async () => {
      const project = makeProject();
      const timestamp = "2025-12-03T10:00:00Z";
      project.write("workflow_state.json", {
        current_behavior: "story_bot.shape",
        current_action: "story_bot.shape.decide_planning_criteria",
        timestamp,
        completed_actions: done("shape", ["gather_context"]),
      });
      const window = await openWindow(project.root, { era });
      const question = await window.call("story_bot");
      expect(question.instructions).toContain(
        "decide_planning_criteria was started but not completed. Retry or continue?",
      );
      expect(question.instructions).toContain("Base instructions of decide_planning_criteria.");
      expect(project.state().timestamp).toBe(timestamp);
      expect(await window.call("story_bot", { resume: "retry" })).toMatchObject({ status: "started" });
      expect(Date.parse(project.state().timestamp)).toBeGreaterThan(Date.parse(timestamp));
      const answer = await window.call("complete_action", { confirmation: "yes" });
      expect(answer.status).toBe("completed");
      expect(project.state().completed_actions.at(-1)?.duration).toBeLessThan(60);
    },
  );

  test("an interrupted action: continue keeps the start time and returns what was handed in so far", async () => {
    const project = makeProject();
    const first = await openProcess(project.root, { era });
    await first.call("story_bot", { inputs: { source: "interview notes" } });
    const started = project.state().timestamp;
    const waiting = await first.call("complete_action", {
      outputs: { users: "guests" },
      content: [{ path: "docs/notes.md", text: "# Notes\n" }],
    });
    expect(waiting.status).toBe("awaiting_human");
    await first.kill();
    const second = await openProcess(project.root, { era });
    expect((await second.call("story_bot")).status).toBe("interrupted");
    const answer = await second.call("story_bot", { resume: "continue" });
    expect(answer.status).toBe("started");
    for (const submitted of ["interview notes", "guests", "docs/notes.md"])
      expect(answer.instructions).toContain(submitted);
    expect(project.state().timestamp).toBe(started);
    expect((await second.call("complete_action", { confirmation: "yes" })).status).toBe("completed");
    expect(project.read("docs/notes.md")).toBe("# Notes\n");
  });

  test.skipIf(inDatabase("a state file is shown to nobody, and read from nobody"))(
    "state persists across chat sessions: the next action follows from the action configuration",
    async () => {
      const project = makeProject();
      project.write("workflow_state.json", {
        current_behavior: "story_bot.discovery",
        current_action: "story_bot.discovery.build_knowledge",
        action_state: "completed",
        timestamp: "2025-12-03T09:00:00Z",
        completed_actions: done("discovery", ["gather_context", "decide_planning_criteria", "build_knowledge"]),
      });
      const window = await openWindow(project.root, { era });
      expect(await window.call("story_bot")).toMatchObject({
        status: "started",
        behavior: "discovery",
        action: "render_output",
      });
    },
  );

  test("a workflow restart initializes fresh state at the first action", async () => {
    const project = makeProject();
    const window = await openWindow(project.root, { era });
    await window.call("story_bot");
    expect(project.state()).toEqual({
      current_behavior: "story_bot.shape",
      current_action: "story_bot.shape.gather_context",
      action_state: "started",
      timestamp: expect.any(String),
      completed_actions: [],
    });
  });

  test("restart on a finished behavior begins a new pass; the history stays", async () => {
    const project = makeProject();
    const window = await openWindow(project.root, { era });
    for (const _ of actions) await window.pass("shape_bot");
    expect(await window.call("shape_bot")).toMatchObject({ status: "workflow_complete", next: null });
    expect(await window.call("shape_bot", { resume: "restart" })).toMatchObject({
      status: "started",
      action: "gather_context",
    });
    const state = project.state();
    expect(state).toMatchObject({ current_action: "story_bot.shape.gather_context", action_state: "started" });
    expect(state).not.toHaveProperty("workflow_complete");
    expect(state.completed_actions).toHaveLength(5);
    expect(await window.call("shape_bot", { action: "render_output" })).toMatchObject({
      error: "action_sequence_violation",
    });
  });

  test.skipIf(inDatabase("a state file is shown to nobody, and read from nobody"))(
    "state tracks multiple completed actions with their original timestamps",
    async () => {
      const project = makeProject();
      const completed_actions = done("exploration", ["gather_context", "decide_planning_criteria", "build_knowledge"]);
      project.write("workflow_state.json", {
        current_behavior: "story_bot.exploration",
        current_action: "story_bot.exploration.build_knowledge",
        action_state: "completed",
        timestamp: "2025-12-03T10:30:00Z",
        completed_actions,
      });
      const window = await openWindow(project.root, { era });
      await window.call("story_bot");
      expect(project.state()).toMatchObject({
        current_action: "story_bot.exploration.render_output",
        action_state: "started",
      });
      expect(project.state().completed_actions).toEqual(completed_actions);
    },
  );

  test.skipIf(inDatabase("no journal stands in a file"))(
    "a write failure: the warning, the work goes on, and what was not written is written as soon as it can be",
    async () => {
      const project = makeProject();
      const window = await openWindow(project.root, { era });
      await window.call("story_bot");
      project.remove("workflow_state.json");
      project.remove("activity_log.json");
      mkdirSync(project.path("workflow_state.json"));
      mkdirSync(project.path("activity_log.json"));
      const answer = await window.call("complete_action", { confirmation: "yes" });
      expect(answer).toMatchObject({ status: "completed", next: { action: "decide_planning_criteria" } });
      expect(answer.warnings).toContain("Unable to save workflow state. Progress may not be preserved.");
      expect(answer.warnings).toContain("Unable to log activity. Audit trail may be incomplete.");
      project.remove("workflow_state.json");
      project.remove("activity_log.json");
      expect(await window.call("story_bot")).toMatchObject({ status: "started", action: "decide_planning_criteria" });
      expect(project.state().completed_actions).toHaveLength(1);
      expect(project.log()).toHaveLength(3);
    },
  );

  test.skipIf(inDatabase("a state file is shown to nobody, and read from nobody"))(
    "state includes the duration of completed actions in seconds",
    async () => {
      const project = makeProject();
      const started = new Date(Date.now() - 330_000).toISOString();
      project.write("workflow_state.json", {
        current_behavior: "story_bot.shape",
        current_action: "story_bot.shape.gather_context",
        action_state: "started",
        timestamp: started,
        completed_actions: [],
      });
      const window = await openWindow(project.root, { era });
      await window.call("story_bot", { resume: "continue" });
      await window.call("complete_action", { confirmation: "yes" });
      const duration = project.state().completed_actions[0]?.duration ?? 0;
      expect(duration).toBeGreaterThanOrEqual(330);
      expect(duration).toBeLessThanOrEqual((Date.now() - Date.parse(started)) / 1000);
    },
  );
});
