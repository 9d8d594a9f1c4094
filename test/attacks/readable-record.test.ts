import { existsSync, rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { makeProject } from "../project.ts";
import { openWindow } from "../window.ts";

const path = "story_bot/shape/gather_context.md";
const beside = "story_bot/shape/gather_context.record.md";
const outputs = { users: "Guests of a tea shop" };

// Attack (tools): Have our readable record of an action written over a file of yours with that name
// -> Refused: yours stays, and a warning says so
describe("the readable record of an action", () => {
  test("where a user's own file has its name: that file stays, and ours stands beside it, with a warning", async () => {
    const project = makeProject();
    project.write(path, "my own notes");
    const window = await openWindow(project.root);
    const answer = await window.pass("story_bot", { outputs });
    expect(answer.status).toBe("completed");
    expect(answer.warnings.join()).toContain(`${path} is not Waymark's file, so it was left alone`);
    expect(project.read(path)).toBe("my own notes");
    expect(project.read(beside)).toContain("Guests of a tea shop");
    // Whoever works on is told where it really stands.
    expect((await window.call("story_bot")).instructions).toContain(beside);
  });

  test("where a user's own file comes to stand there before it is saved: that file stays", async () => {
    const project = makeProject();
    const window = await openWindow(project.root);
    await window.call("story_bot");
    project.write("story_bot/shape", "a file where it needs a folder");
    const answer = await window.call("complete_action", { outputs, confirmation: "yes" });
    expect(answer.status).toBe("completed");
    expect(answer.warnings.join()).toContain("No readable record at");
    expect(project.read("story_bot/shape")).toBe("a file where it needs a folder");
  });

  test("that a user has edited is not written again by any later call, window or attempt", async () => {
    const project = makeProject();
    const window = await openWindow(project.root);
    await window.pass("story_bot", { outputs });
    project.write(path, "edited by a person");
    const later = await openWindow(project.root);
    await later.call("story_bot");
    await later.call("shape_bot", { action: "gather_context", resume: "retry" });
    await later.call("complete_action", { outputs, confirmation: "yes" });
    expect(project.read(path)).toBe("edited by a person");
    expect(existsSync(project.path("story_bot/shape/gather_context-attempt2.md"))).toBe(true);
  });

  test("of a history that is gone, the same text again: nothing new is made", async () => {
    const project = makeProject();
    await (await openWindow(project.root)).pass("story_bot", { outputs });
    for (const file of [".waymark/journal", "workflow_state.json", "activity_log.json"])
      rmSync(project.path(file), { recursive: true });
    const answer = await (await openWindow(project.root)).pass("story_bot", { outputs });
    expect(answer.status).toBe("completed");
    expect(existsSync(project.path(beside))).toBe(false);
  });

  test("an assistant with the tools alone hands in a file in its place, in another step: refused", async () => {
    const project = makeProject();
    const window = await openWindow(project.root);
    await window.pass("story_bot", { outputs });
    await window.call("story_bot");
    for (const name of [path, path.toUpperCase()]) {
      const content = [{ path: name, text: "what was never handed in" }];
      expect(await window.call("complete_action", { content })).toMatchObject({ error: "invalid_input" });
    }
    expect(project.read(path)).toContain("Guests of a tea shop");
  });
});
