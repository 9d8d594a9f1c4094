import { describe, expect, test } from "vitest";
import { makeProject } from "../project.ts";
import { newer, openProcess, openWindow } from "../window.ts";

describe.each(newer)("nobody skips ahead (%s protocol)", (era) => {
  // Attack (tools): Open, read or complete an action before the one before it is done
  test("an action further ahead is refused, with the current action's content and what to do", async () => {
    const project = makeProject();
    const window = await openWindow(project.root, { era });
    await window.call("story_bot");
    const before = project.state();
    const answer = await window.call("shape_bot", { action: "render_output" });
    expect(answer).toMatchObject({
      status: "refused",
      isError: true,
      error: "action_sequence_violation",
      behavior: "shape",
      action: "gather_context",
      next: null,
    });
    expect(answer.instructions).toContain("Base instructions of gather_context.");
    expect(answer.instructions).not.toContain("Base instructions of render_output.");
    expect(answer.message).toContain("render_output");
    expect(answer.required_action).toContain("gather_context");
    expect(project.state()).toEqual(before);
  });

  test("an action further ahead cannot be completed either", async () => {
    const project = makeProject();
    const window = await openWindow(project.root, { era });
    await window.call("story_bot");
    const answer = await window.call("complete_action", { action: "validate_rules", confirmation: "yes" });
    expect(answer).toMatchObject({ status: "refused", isError: true, error: "action_sequence_violation" });
    expect(project.state().completed_actions).toEqual([]);
  });

  test("with nothing started, completing is refused", async () => {
    const project = makeProject();
    const window = await openWindow(project.root, { era });
    expect(await window.call("complete_action", { confirmation: "yes" })).toMatchObject({
      status: "refused",
      isError: true,
    });
    await window.pass("story_bot");
    const answer = await window.call("complete_action", { confirmation: "and the next one too" });
    expect(answer).toMatchObject({ status: "refused", isError: true, error: "action_sequence_violation" });
    expect(project.state().completed_actions).toHaveLength(1);
  });

  test("the same completion sent again after a lost reply gets the same answer, and counts once", async () => {
    const project = makeProject();
    const window = await openProcess(project.root, { era });
    await window.call("story_bot");
    const completion = { confirmation: "yes", outputs: { users: "guests" } };
    const first = await window.call("complete_action", completion);
    const again = await window.call("complete_action", completion);
    expect(again).toEqual(first);
    await window.kill();
    const later = await openProcess(project.root, { era });
    expect(await later.call("complete_action", completion)).toEqual(first);
    expect(project.state().completed_actions).toHaveLength(1);
    expect(project.log()).toHaveLength(2);
  });

  test("a completed action is shown for review, with its outputs, and nothing moves", async () => {
    const project = makeProject();
    const window = await openWindow(project.root, { era });
    await window.pass("story_bot", { outputs: { users: "guests of a tea shop" } });
    await window.call("story_bot");
    const before = project.state();
    const answer = await window.call("story_bot", { action: "gather_context" });
    expect(answer).toMatchObject({ status: "review", action: "gather_context", isError: false });
    expect(answer.instructions).toContain("Base instructions of gather_context.");
    expect(answer.instructions).toContain("guests of a tea shop");
    expect(project.state()).toEqual(before);
  });

  test("retry on a completed action goes back to it: it and what followed are superseded, never deleted", async () => {
    const project = makeProject();
    const window = await openWindow(project.root, { era });
    await window.pass("story_bot");
    await window.pass("story_bot");
    const answer = await window.call("story_bot", { action: "gather_context", resume: "retry" });
    expect(answer).toMatchObject({ status: "started", action: "gather_context" });
    expect(project.state()).toMatchObject({
      current_action: "story_bot.shape.gather_context",
      action_state: "started",
    });
    expect(project.state().completed_actions).toHaveLength(2);
    expect(await window.call("story_bot", { action: "build_knowledge" })).toMatchObject({
      error: "action_sequence_violation",
    });
    expect(await window.call("complete_action", { confirmation: "yes" })).toMatchObject({
      next: { action: "decide_planning_criteria" },
    });
    expect(project.state().completed_actions).toHaveLength(3);
  });

  test("re-reading what this connection started is normal: started again, no question", async () => {
    const project = makeProject();
    const window = await openWindow(project.root, { era });
    await window.call("story_bot");
    const before = project.state();
    const again = await window.call("story_bot");
    expect(again).toMatchObject({ status: "started", action: "gather_context" });
    expect(again.instructions).not.toContain("Retry or continue?");
    expect(project.state()).toEqual(before);
    expect(project.log()).toHaveLength(1);
  });

  test("an author's skip counts as satisfied and is on record", async () => {
    const project = makeProject();
    project.write(".waymark/bots/story_bot/behaviors/shape/behavior.json", {
      actions: [
        "gather_context",
        { name: "decide_planning_criteria", skip: "decided by the steering group" },
        "render_output",
      ],
    });
    const window = await openWindow(project.root, { era });
    await window.call("story_bot");
    const answer = await window.call("complete_action", { confirmation: "yes" });
    expect(answer.next).toMatchObject({ action: "render_output" });
    expect(await window.call("story_bot")).toMatchObject({ status: "started", action: "render_output" });
    const review = await window.call("story_bot", { action: "decide_planning_criteria" });
    expect(review).toMatchObject({ status: "review" });
    expect(review.instructions).toContain("decided by the steering group");
    expect((await window.call("complete_action", { confirmation: "yes" })).status).toBe("workflow_complete");
  });

  test("an unknown action is refused with the names there are", async () => {
    const project = makeProject();
    const window = await openWindow(project.root, { era });
    const answer = await window.call("shape_bot", { action: "gather_contxt" });
    expect(answer).toMatchObject({ status: "refused", isError: true, error: "unknown_action" });
    expect(answer.required_action).toContain("gather_context");
  });
});
