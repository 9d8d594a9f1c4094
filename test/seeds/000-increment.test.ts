import { describe, expect, test } from "vitest";
import { actions, behaviors, makeProject, type Project } from "../project.ts";
import { newer, openWindow, type Window } from "../window.ts";

async function walk(window: Window, tool: string, count: number): Promise<void> {
  for (let index = 0; index < count; index++) await window.pass(tool);
}

const lines = (project: Project): string[] =>
  project.log().map(({ behavior, action, action_state }) => `${action.replace(`${behavior}.`, "")} ${action_state}`);

describe.each(newer)("Increment 3: Workflow (%s protocol)", (era) => {
  describe("Generate Bot Tools", () => {
    test("actions are discovered by reading action_config.json from each folder of base_actions", async () => {
      const project = makeProject();
      project.write(".waymark/base_actions/review_with_team/action_config.json", {
        name: "review_with_team",
        workflow: true,
        order: 6,
        next_action: null,
      });
      project.write(".waymark/base_actions/validate_rules/action_config.json", {
        name: "validate_rules",
        workflow: true,
        order: 5,
        next_action: "review_with_team",
      });
      const window = await openWindow(project.root, { era });
      await walk(window, "shape_bot", 5);
      expect(await window.call("shape_bot")).toMatchObject({ action: "review_with_team" });
    });

    test("behaviors are enumerated from the bot config: one tool for the bot, one for each behavior, one to complete", async () => {
      const project = makeProject();
      const { client } = await openWindow(project.root, { era });
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual([
        "story_bot",
        ...behaviors.map((name) => `${name}_bot`),
        "complete_action",
      ]);
    });

    test("workflow actions get automatic transition logic; independent actions get none", async () => {
      const project = makeProject();
      const window = await openWindow(project.root, { era });
      const independent = await window.call("shape_bot", { action: "correct_bot" });
      expect(independent).toMatchObject({ status: "started", action: "correct_bot", next: null });
      expect(await window.pass("shape_bot")).toMatchObject({ next: { action: "decide_planning_criteria" } });
    });
  });

  describe("Router", () => {
    test("forwarding ensures the user resumes at the exact point they left off, in the behavior they were in", async () => {
      const project = makeProject();
      const first = await openWindow(project.root, { era });
      await walk(first, "exploration_bot", 2);
      await first.call("exploration_bot");
      await first.close();
      const later = await openWindow(project.root, { era });
      expect(await later.call("story_bot")).toMatchObject({ behavior: "exploration", action: "build_knowledge" });
    });
  });

  describe("the five actions", () => {
    test("each tracks its activity and proceeds to its successor, from gather_context to the end", async () => {
      const project = makeProject();
      const window = await openWindow(project.root, { era });
      const said: string[] = [];
      for (const _ of actions) said.push((await window.pass("shape_bot")).instructions);
      expect(said[0]).toContain("When done, proceed to decide_planning_criteria");
      expect(said[1]).toContain("When done, proceed to build_knowledge");
      expect(said[2]).toContain("Automatically proceed to render_output now (no human confirmation needed)");
      expect(said[3]).toContain("When done, proceed to validate_rules");
      expect(said[4]).toContain("Workflow is complete. No further actions required.");
      expect(lines(project)).toEqual(actions.flatMap((name) => [`${name} started`, `${name} completed`]));
    });

    test.each(["gather_context", "decide_planning_criteria", "render_output", "validate_rules"])(
      "%s is done when a human says so, and not before",
      async (action) => {
        const project = makeProject();
        const window = await openWindow(project.root, { era });
        await walk(window, "shape_bot", actions.indexOf(action as (typeof actions)[number]));
        await window.call("shape_bot");
        expect(await window.call("complete_action")).toMatchObject({ status: "awaiting_human", action });
        expect(project.state()).toMatchObject({ current_action: `story_bot.shape.${action}`, action_state: "started" });
      },
    );

    test.each(["build_knowledge", "render_output"])("%s submits content for saving", async (action) => {
      const project = makeProject();
      const window = await openWindow(project.root, { era });
      await walk(window, "shape_bot", actions.indexOf(action as (typeof actions)[number]));
      await window.pass("shape_bot", { content: [{ path: `out/${action}.md`, text: "content" }] });
      expect(project.read(`out/${action}.md`)).toBe("content");
    });

    test("validate_rules presents validation results to the user", async () => {
      const project = makeProject();
      project.write(".waymark/bots/story_bot/behaviors/shape/rules/no_jargon.json", {
        name: "no_jargon",
        description: "Plain words",
        examples: [{ do: "use", dont: "leverage" }],
        checks: [{ type: "forbidden_words", words: ["leverage"], message: "say it plainly" }],
      });
      const window = await openWindow(project.root, { era });
      await walk(window, "shape_bot", 3);
      await window.pass("shape_bot", { content: [{ path: "map.md", text: "# Map\n\nWe leverage tea.\n" }] });
      expect((await window.call("shape_bot")).instructions).toContain("map.md:3");
      const waiting = await window.call("complete_action");
      expect(waiting.instructions).toContain("no_jargon, map.md:3");
    });
  });

  describe("domain rules", () => {
    test("Activity Log entries include timestamp, behavior, action, action_state, inputs, outputs, duration", async () => {
      const project = makeProject();
      const window = await openWindow(project.root, { era });
      await window.call("shape_bot", { inputs: { source: "notes" } });
      await window.call("complete_action", { confirmation: "yes", outputs: { users: "guests", list: [1, 2, 3] } });
      const [started, completed] = project.log();
      for (const entry of [started, completed]) {
        expect(Object.keys(entry ?? {}).sort()).toEqual(
          ["action", "action_state", "behavior", "duration", "inputs", "outputs", "timestamp"].sort(),
        );
        expect(entry).toMatchObject({ behavior: "story_bot.shape", action: "story_bot.shape.gather_context" });
      }
      expect(started).toMatchObject({ action_state: "started", inputs: { source: "notes" } });
      expect(completed).toMatchObject({
        action_state: "completed",
        outputs: { users: "guests", list: { count: 3 } },
        duration: expect.any(Number),
      });
    });

    test("each action start and completion updates both Workflow State AND Activity Log", async () => {
      const project = makeProject();
      const window = await openWindow(project.root, { era });
      for (let count = 1; count <= 3; count++) {
        await window.call("shape_bot");
        expect(project.log().at(-1)).toMatchObject({ action_state: "started", timestamp: project.state().timestamp });
        await window.call("complete_action", { confirmation: "yes" });
        expect(project.log().at(-1)).toMatchObject({ action_state: "completed", timestamp: project.state().timestamp });
        expect(project.log()).toHaveLength(2 * count);
        expect(project.state().completed_actions).toHaveLength(count);
      }
    });

    test("Action state is one of started, completed; the state has the five fields and no other", async () => {
      const project = makeProject();
      const window = await openWindow(project.root, { era });
      await window.call("shape_bot");
      const fields = ["action_state", "completed_actions", "current_action", "current_behavior", "timestamp"];
      expect(Object.keys(project.state()).sort()).toEqual(fields);
      expect(project.state().action_state).toBe("started");
      await window.call("complete_action", { confirmation: "yes" });
      expect(Object.keys(project.state()).sort()).toEqual(fields);
      expect(project.state().action_state).toBe("completed");
    });

    test("CRITICAL: correct_bot is NOT part of the workflow sequence and has nothing to do with validate_rules", async () => {
      const project = makeProject();
      const window = await openWindow(project.root, { era });
      await walk(window, "shape_bot", 5);
      const before = project.state();
      expect(before.completed_actions.map(({ action_state }) => action_state)).not.toContain(
        "story_bot.shape.correct_bot",
      );
      await window.call("shape_bot", { action: "correct_bot" });
      expect(project.state()).toEqual(before);
      expect(await window.call("shape_bot")).toMatchObject({ status: "workflow_complete" });
    });

    test("CRITICAL: validate_rules is the terminal workflow action", async () => {
      const project = makeProject();
      const window = await openWindow(project.root, { era });
      await walk(window, "shape_bot", 4);
      expect((await window.call("shape_bot")).instructions).toContain("This is the last action of shape.");
      expect(await window.call("complete_action", { confirmation: "yes" })).toMatchObject({
        status: "workflow_complete",
        next: null,
      });
    });
  });
});
