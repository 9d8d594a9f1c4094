import { describe, expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { closes, declines, personWho, yes } from "../person.ts";
import { makeProject, type Project } from "../project.ts";
import { eras, openWindow, type Person } from "../window.ts";

type Recorded = { event?: string; action_state?: string; word?: { level: string; text?: string } };

async function recorded(project: Project): Promise<Recorded[]> {
  const { stdout } = await runCli(["log", "--root", project.root, "--json"]);
  return JSON.parse(stdout);
}

const nothingAdvanced = (project: Project): void => {
  expect(project.state()).toMatchObject({
    current_action: "story_bot.shape.gather_context",
    action_state: "started",
    completed_actions: [],
  });
};

describe.each(eras)("a person's word (%s protocol)", (era) => {
  test("without a word nothing is completed, nothing injected, nothing advanced", async () => {
    const project = makeProject();
    const window = await openWindow(project.root, { era });
    await window.call("story_bot");
    const answer = await window.call("complete_action", { outputs: { users: "guests" } });
    expect(answer).toMatchObject({ status: "awaiting_human", action: "gather_context", next: null, isError: false });
    expect(answer.instructions).not.toContain("proceed to");
    nothingAdvanced(project);
  });

  // Attack (tools): Make up the words that it passes on, where the client cannot ask
  // -> Not seen. On record as relayed
  test("a client that cannot elicit: the confirmation is the word, on record as relayed", async () => {
    const project = makeProject();
    const window = await openWindow(project.root, { era });
    await window.call("story_bot");
    const answer = await window.call("complete_action", { confirmation: "Looks good to me" });
    expect(answer.status).toBe("completed");
    const completed = (await recorded(project)).find(({ action_state }) => action_state === "completed");
    expect(completed?.word).toMatchObject({ level: "relayed", text: "Looks good to me" });
  });

  // Attack (tools): Speak for the person where the client can ask them
  // -> Refused: the client is made to ask, and only that answer counts
  test("a client that can elicit is asked, and shown what the assistant says; accept completes", async () => {
    const project = makeProject();
    const { person, questions } = personWho(yes("fine by me"));
    const window = await openWindow(project.root, { era, person });
    await window.call("story_bot");
    const answer = await window.call("complete_action", { confirmation: "They nodded", outputs: { users: "guests" } });
    expect(answer).toMatchObject({ status: "completed", next: { action: "decide_planning_criteria" } });
    expect(questions).toHaveLength(1);
    expect(questions[0]).toContain("gather_context");
    expect(questions[0]).toContain("They nodded");
    const completed = (await recorded(project)).find(({ action_state }) => action_state === "completed");
    expect(completed?.word?.level).toBe("elicited");
    expect(JSON.stringify(completed?.word)).toContain("fine by me");
  });

  test("the assistant's confirmation does not stand in for a person who can be asked: decline is a no", async () => {
    const project = makeProject();
    const window = await openWindow(project.root, { era, person: personWho(declines).person });
    await window.call("story_bot");
    const answer = await window.call("complete_action", { confirmation: "The user agreed" });
    expect(answer).toMatchObject({ status: "refused", isError: true, error: "approval_rejected", next: null });
    expect(answer.required_action).not.toBe("");
    nothingAdvanced(project);
    expect((await recorded(project)).map(({ event }) => event)).toContain("declined");
  });

  test("cancel is no answer: awaiting_human, what was handed in is kept, and a later confirmation alone counts as relayed", async () => {
    const project = makeProject();
    const { person, questions } = personWho(closes);
    const window = await openWindow(project.root, { era, person });
    await window.call("story_bot");
    const waiting = await window.call("complete_action", {
      confirmation: "done",
      outputs: { users: "guests" },
      content: [{ path: "notes.md", text: "kept" }],
    });
    expect(waiting.status).toBe("awaiting_human");
    nothingAdvanced(project);
    const answer = await window.call("complete_action", { confirmation: "yes, go on" });
    expect(answer.status).toBe("completed");
    expect(questions).toHaveLength(1);
    expect(project.read("notes.md")).toBe("kept");
    const completed = (await recorded(project)).find(({ action_state }) => action_state === "completed");
    expect(completed).toMatchObject({ word: { level: "relayed", text: "yes, go on" }, outputs: { users: "guests" } });
  });

  test("an error of the client is no answer either", async () => {
    const project = makeProject();
    const person: Person = () => Promise.reject(new Error("the dialog could not be shown"));
    const window = await openWindow(project.root, { era: "2025", person });
    await window.call("story_bot");
    expect((await window.call("complete_action")).status).toBe("awaiting_human");
    nothingAdvanced(project);
  });
});
