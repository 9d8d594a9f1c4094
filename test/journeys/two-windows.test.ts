import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { makeProject } from "../project.ts";
import { openProcess } from "../window.ts";

describe("two windows on one project area", () => {
  test("what another window started is interrupted here; after its retry the first window's completion is a conflict", async () => {
    const project = makeProject();
    const [one, two] = await Promise.all([openProcess(project.root), openProcess(project.root)]);
    await one.call("story_bot");
    const found = await two.call("story_bot");
    expect(found).toMatchObject({ status: "interrupted", action: "gather_context" });
    expect(found.instructions).toMatch(/ opened shape\.gather_context at \d{4}-/);
    expect(await two.call("story_bot", { resume: "retry" })).toMatchObject({ status: "started" });
    const late = await one.call("complete_action", { confirmation: "yes" });
    expect(late).toMatchObject({ status: "refused", isError: true, error: "conflict" });
    expect(await two.call("complete_action", { confirmation: "yes" })).toMatchObject({ status: "completed" });
    expect(project.state().completed_actions).toHaveLength(1);
  });

  test("a window that opened nothing completes what stands started", async () => {
    const project = makeProject();
    const [one, two] = await Promise.all([openProcess(project.root), openProcess(project.root)]);
    await one.call("story_bot");
    expect(await two.call("complete_action", { confirmation: "yes" })).toMatchObject({
      status: "completed",
      action: "gather_context",
      warnings: [expect.stringMatching(/^This connection did not open it: .* opened shape\.gather_context at /)],
    });
    expect(await one.call("complete_action", { confirmation: "yes, me too" })).toMatchObject({ error: "conflict" });
  });

  // Attack (shell): Open any number of windows at once
  // -> One linear history; a late one decides again, or its reply says what moved
  test("opening and completing at once: one linear history, nothing acknowledged is lost", async () => {
    const project = makeProject();
    const windows = await Promise.all([1, 2, 3].map(() => openProcess(project.root)));
    const acknowledged: string[] = [];
    await Promise.all(
      windows.map(async (window, index) => {
        const behavior = ["shape", "discovery", "exploration"][index % 3] ?? "shape";
        for (let round = 0; round < 8; round++) {
          const opened = await window.call(`${behavior}_bot`, round === 5 ? { resume: "restart" } : {});
          if (opened.status !== "started") throw new Error(JSON.stringify(opened));
          const answer = await window.call("complete_action", { confirmation: "yes", outputs: { round, index } });
          expect(["completed", "workflow_complete"]).toContain(answer.status);
          acknowledged.push(`story_bot.${answer.behavior}.${answer.action}`);
        }
      }),
    );
    const { completed_actions } = project.state();
    expect(completed_actions.map((entry) => entry.action_state).sort()).toEqual(acknowledged.sort());
    expect(project.log().filter((entry) => entry.action_state === "completed")).toHaveLength(24);
    expect(project.log()).toHaveLength(48);
    const seqs = readFileSync(project.path(".waymark/journal/story_bot.jsonl"), "utf8")
      .split("\n")
      .filter((line) => line !== "") // a window that met half a record begins its own on a new line
      .map((line) => JSON.parse(line).seq);
    expect(Math.max(...seqs)).toBe(48);
  });

  test("two windows that complete the same action at once: one completes it, the other is told of the conflict", async () => {
    const project = makeProject();
    const [one, two] = await Promise.all([openProcess(project.root), openProcess(project.root)]);
    for (let round = 0; round < 5; round++) {
      await one.call("story_bot", { resume: "continue" });
      await two.call("story_bot", { resume: "continue" });
      const answers = await Promise.all([
        one.call("complete_action", { confirmation: "yes", outputs: { from: "one" } }),
        two.call("complete_action", { confirmation: "yes", outputs: { from: "two" } }),
      ]);
      const statuses = answers
        .map(({ status, error }) => error ?? (status === "workflow_complete" ? "completed" : status))
        .sort();
      expect(statuses).toEqual(["completed", "conflict"]);
    }
    expect(project.state().completed_actions).toHaveLength(5);
  });
});
