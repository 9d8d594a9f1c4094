import { describe, expect, it } from "vitest";
import { makeProject } from "../project.ts";
import { eras } from "../window.ts";
import { startServer } from "./server.ts";

describe.each(eras)("over HTTP, in the era of %s", (era) => {
  it("an assistant opens an action, completes it on a person's yes, and is told what comes next", async () => {
    const { root } = makeProject();
    const server = await startServer(root);
    const asked: string[] = [];
    const window = await server.open({
      era,
      person: (question) => {
        asked.push(question);
        return { action: "accept", content: { answer: "yes" } };
      },
    });
    expect((await window.call("story_bot")).status).toBe("started");
    expect((await window.call("story_bot")).status).toBe("started");
    const done = await window.call("complete_action", { outputs: { summary: "a" } });
    expect([done.status, done.action, done.next?.action]).toEqual([
      "completed",
      "gather_context",
      "decide_planning_criteria",
    ]);
    expect(asked).toHaveLength(1);
  });
});
