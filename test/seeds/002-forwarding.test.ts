import { existsSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { inDatabase } from "../doors.ts";
import { actions, makeProject, type Project } from "../project.ts";
import { newer, openWindow } from "../window.ts";

const at = (behavior: string, action: string) => ({
  current_behavior: `story_bot.${behavior}`,
  current_action: `story_bot.${behavior}.${action}`,
  timestamp: "2025-12-03T10:30:00Z",
  completed_actions: [],
});
const kept = (project: Project): string[] =>
  existsSync(project.path(".waymark/kept")) ? readdirSync(project.path(".waymark/kept")) : [];

describe.each(newer)("Forward To Behavior and Current Action (%s protocol)", (era) => {
  test.skipIf(inDatabase("a state file is shown to nobody, and read from nobody"))(
    "the router forwards to the current action within the behavior, not to the first",
    async () => {
      const project = makeProject();
      project.write("workflow_state.json", at("discovery", "build_knowledge"));
      const window = await openWindow(project.root, { era });
      const answer = await window.call("discovery_bot");
      expect(answer).toMatchObject({ status: "interrupted", behavior: "discovery", action: "build_knowledge" });
      expect(answer.instructions).toContain("Base instructions of build_knowledge.");
      expect(answer.instructions).not.toContain("gather_context.");
    },
  );

  test("without a state file the router defaults to the first behavior and its first action, and writes the initial state", async () => {
    const project = makeProject();
    const window = await openWindow(project.root, { era });
    const answer = await window.call("story_bot");
    expect(answer).toMatchObject({ status: "started", bot: "story_bot", behavior: "shape", action: "gather_context" });
    expect(answer.instructions).toContain("Base instructions of gather_context.");
    expect(project.state()).toMatchObject({
      current_behavior: "story_bot.shape",
      current_action: "story_bot.shape.gather_context",
      action_state: "started",
      completed_actions: [],
    });
  });

  test.skipIf(inDatabase("a state file is shown to nobody, and read from nobody"))(
    "the router resumes mid-workflow and asks whether to retry or continue",
    async () => {
      const project = makeProject();
      project.write("workflow_state.json", at("exploration", "decide_planning_criteria"));
      const window = await openWindow(project.root, { era });
      const answer = await window.call("exploration_bot");
      expect(answer).toMatchObject({ status: "interrupted", action: "decide_planning_criteria" });
      expect(answer.instructions).toContain(
        "decide_planning_criteria was started but not completed. Retry or continue?",
      );
    },
  );

  test.skipIf(inDatabase("a state file is shown to nobody, and read from nobody"))(
    "a missing current_action: a warning, and the first action of that behavior",
    async () => {
      const project = makeProject();
      project.write("workflow_state.json", { current_behavior: "story_bot.discovery" });
      const window = await openWindow(project.root, { era });
      const answer = await window.call("story_bot");
      expect(answer).toMatchObject({ status: "started", behavior: "discovery", action: "gather_context" });
      expect(answer.warnings.join()).toContain("no current_action");
    },
  );

  test.skipIf(inDatabase("a state file is shown to nobody, and read from nobody"))(
    "an unknown current_action: a warning, and the first action of that behavior",
    async () => {
      const project = makeProject();
      project.write("workflow_state.json", at("shape", "invalid_action_name"));
      const window = await openWindow(project.root, { era });
      const answer = await window.call("story_bot");
      expect(answer).toMatchObject({ status: "started", behavior: "shape", action: "gather_context" });
      expect(answer.warnings.join()).toContain("invalid_action_name");
    },
  );

  test.skipIf(inDatabase("a state file is shown to nobody, and read from nobody"))(
    "the router forwards to the terminal action and says that it is the last one",
    async () => {
      const project = makeProject();
      project.write("workflow_state.json", at("scenarios", "validate_rules"));
      const window = await openWindow(project.root, { era });
      const answer = await window.call("story_bot");
      expect(answer).toMatchObject({
        status: "interrupted",
        behavior: "scenarios",
        action: "validate_rules",
        next: null,
      });
      expect(answer.instructions).toContain("This is the last action of scenarios.");
      const again = await window.call("story_bot", { resume: "retry" });
      expect(again).toMatchObject({ status: "started" });
      expect(again.instructions).toContain("This is the last action of scenarios.");
    },
  );

  test.skipIf(inDatabase("a state file is shown to nobody, and read from nobody"))(
    "the router preserves the audit trail when resuming, and shows it",
    async () => {
      const project = makeProject();
      const completed = [
        { action_state: "story_bot.discovery.gather_context", timestamp: "2025-12-03T10:00:00Z" },
        { action_state: "story_bot.discovery.decide_planning_criteria", timestamp: "2025-12-03T10:15:00Z" },
      ];
      project.write("workflow_state.json", { ...at("discovery", "render_output"), completed_actions: completed });
      const window = await openWindow(project.root, { era });
      const answer = await window.call("story_bot");
      expect(answer).toMatchObject({ status: "interrupted", behavior: "discovery", action: "render_output" });
      expect(answer.history).toEqual({
        count: 2,
        last: [
          { action: "discovery.gather_context", at: "2025-12-03T10:00:00Z" },
          { action: "discovery.decide_planning_criteria", at: "2025-12-03T10:15:00Z" },
        ],
      });
      expect(
        project.state().completed_actions.map(({ action_state, timestamp }) => ({ action_state, timestamp })),
      ).toEqual(completed);
    },
  );

  test.skipIf(inDatabase("a state file is shown to nobody, and read from nobody")).each([
    ["malformed", "{ not json", "malformed"],
    ["empty", "", "malformed"],
    ["without current_behavior", "{}", "no current_behavior"],
    ["naming an unknown behavior", JSON.stringify(at("nowhere", "gather_context")), "unknown behavior"],
  ])(
    "a state file that is %s, with no history: its own warning, the first action, and the bad file is kept aside",
    async (_, content, said) => {
      const project = makeProject();
      project.write("workflow_state.json", content);
      const window = await openWindow(project.root, { era });
      const answer = await window.call("story_bot");
      expect(answer).toMatchObject({ status: "started", behavior: "shape", action: "gather_context" });
      expect(answer.warnings.join()).toContain(said);
      const [name] = kept(project);
      expect(project.read(`.waymark/kept/${name}`)).toBe(content);
      expect(project.state().current_action).toBe("story_bot.shape.gather_context");
    },
  );

  test.skipIf(inDatabase("a state file is shown to nobody, and read from nobody"))(
    "bare and numbered names in a state file are understood, full paths are written",
    async () => {
      const project = makeProject();
      project.write("workflow_state.json", {
        current_behavior: "3_discovery",
        current_action: "build_knowledge",
        completed_actions: [{ action_state: "gather_context", timestamp: "2025-12-03T10:00:00Z", duration: 5 }],
      });
      const window = await openWindow(project.root, { era });
      expect(await window.call("story_bot")).toMatchObject({ behavior: "discovery", action: "build_knowledge" });
      expect(project.state()).toMatchObject({
        current_behavior: "story_bot.discovery",
        current_action: "story_bot.discovery.build_knowledge",
        completed_actions: [{ action_state: "story_bot.discovery.gather_context", duration: 5 }],
      });
    },
  );

  test.skipIf(inDatabase("a state file is shown to nobody, and read from nobody"))(
    "a state file without action_state is read by membership in completed_actions",
    async () => {
      const project = makeProject();
      const completed_actions = [
        { action_state: "story_bot.discovery.build_knowledge", timestamp: "2025-12-03T10:00:00Z", duration: 5 },
      ];
      project.write("workflow_state.json", { ...at("discovery", "build_knowledge"), completed_actions });
      const window = await openWindow(project.root, { era });
      expect(await window.call("story_bot")).toMatchObject({ status: "started", action: "render_output" });
    },
  );

  test("another behavior's tool goes to that behavior at its own place, with a warning where earlier ones are unfinished", async () => {
    const project = makeProject();
    const window = await openWindow(project.root, { era });
    await window.pass("shape_bot");
    const elsewhere = await window.call("discovery_bot");
    expect(elsewhere).toMatchObject({ status: "started", behavior: "discovery", action: "gather_context" });
    expect(elsewhere.warnings.join()).toContain("shape");
    expect(await window.call("shape_bot")).toMatchObject({ behavior: "shape", action: "decide_planning_criteria" });
    expect(await window.call("discovery_bot")).toMatchObject({
      status: "started",
      behavior: "discovery",
      action: "gather_context",
    });
    expect(project.state().current_behavior).toBe("story_bot.discovery");
  });

  test("with behaviors ordered in the settings, a later behavior is refused until the earlier ones are finished", async () => {
    const project = makeProject();
    project.write(".waymark/config.json", { behaviors: "ordered" });
    const window = await openWindow(project.root, { era });
    const refused = await window.call("discovery_bot");
    expect(refused).toMatchObject({ status: "refused", isError: true, error: "action_sequence_violation" });
    for (const _ of actions) await window.pass("shape_bot");
    expect(await window.call("prioritization_bot")).toMatchObject({ status: "started", behavior: "prioritization" });
  });
});
