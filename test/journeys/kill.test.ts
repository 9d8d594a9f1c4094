import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { makeProject } from "../project.ts";
import { wholeOr } from "../whole.ts";
import { type Answer, openProcess } from "../window.ts";

const lives = wholeOr(15, 6);

describe("kill -9", () => {
  test("between calls: the next window resumes at the right step", async () => {
    const project = makeProject();
    let window = await openProcess(project.root);
    await window.call("story_bot");
    await window.kill();
    window = await openProcess(project.root);
    expect(await window.call("story_bot")).toMatchObject({ status: "interrupted", action: "gather_context" });
    await window.call("complete_action", { confirmation: "yes" });
    await window.kill();
    window = await openProcess(project.root);
    expect(await window.call("story_bot")).toMatchObject({ status: "started", action: "decide_planning_criteria" });
  });

  // Attack (shell): Kill the server at any moment, fill the disk, pull the plug
  // -> Nothing that was answered as done is lost
  test("during calls, again and again: nothing acknowledged is lost, both files always parse, and the work goes on", async () => {
    const project = makeProject();
    const acknowledged: string[] = [];
    for (let round = 0; round < lives; round++) {
      const window = await openProcess(project.root);
      const before = acknowledged.length;
      let death: Promise<void> | undefined;
      /** At any moment after none, one or two completions of this life, however slow the machine is. */
      const dieSoon = (): void => {
        if (acknowledged.length - before < round % 3) return;
        death ??= new Promise((resolve) => setTimeout(resolve, (round * 37) % 60)).then(window.kill);
      };
      dieSoon();
      try {
        for (;;) {
          let answer: Answer = await window.call("story_bot", { resume: "continue" });
          if (answer.status === "workflow_complete") answer = await window.call("story_bot", { resume: "restart" });
          expect(answer.status).toBe("started");
          answer = await window.call("complete_action", { confirmation: "yes" });
          expect(["completed", "workflow_complete"]).toContain(answer.status);
          acknowledged.push(`${answer.action}`);
          dieSoon();
        }
      } catch (error) {
        if (error instanceof Error && error.name === "AssertionError") throw error;
      }
      await death;
      for (const file of ["workflow_state.json", "activity_log.json"]) {
        if (existsSync(project.path(file))) expect(() => JSON.parse(project.read(file))).not.toThrow();
      }
    }
    const window = await openProcess(project.root);
    await window.call("story_bot", { resume: "continue" });
    const completed = project.state().completed_actions.map(({ action_state }) => action_state.split(".").at(-1));
    expect(acknowledged.length).toBeGreaterThan(0);
    // Every acknowledged completion is there, in order; at most one more a life, whose reply the kill cut off.
    let index = 0;
    for (const action of completed) if (action === acknowledged[index]) index += 1;
    expect(index).toBe(acknowledged.length);
    expect(completed.length - acknowledged.length).toBeLessThanOrEqual(lives);
  });
});
