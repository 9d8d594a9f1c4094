import { describe, expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { inDatabase } from "../doors.ts";
import { personWho, yes } from "../person.ts";
import { makeProject, type Project } from "../project.ts";
import { openWindow, type Window } from "../window.ts";

const rule = ".waymark/bots/story_bot/behaviors/shape/rules/plain_words.json";

function withRule(): Project {
  const project = makeProject();
  project.write(rule, {
    name: "plain_words",
    description: "Say it plainly",
    examples: [{ do: "use", dont: "leverage" }],
    checks: [{ type: "forbidden_words", words: ["leverage"], message: "say it plainly" }],
  });
  return project;
}

async function toValidation(window: Window, text: string): Promise<void> {
  for (let index = 0; index < 3; index++) await window.pass("shape_bot");
  await window.pass("shape_bot", { content: [{ path: "map.md", text }] });
}

describe("rules that a machine can check", () => {
  test.skipIf(inDatabase("no journal stands in a file"))(
    "violations are shown and recorded; they block only where the gate says so",
    async () => {
      const project = withRule();
      const window = await openWindow(project.root);
      await toValidation(window, "We leverage tea.\n");
      const opened = await window.call("shape_bot");
      expect(opened.instructions).toContain("plain_words");
      expect(opened.instructions).toContain("map.md:1");
      const answer = await window.call("complete_action", { confirmation: "ship it" });
      expect(answer.status).toBe("workflow_complete");
      expect(answer.instructions).toContain("map.md:1");
      expect(project.read(".waymark/journal/story_bot.jsonl")).toContain("say it plainly");
    },
  );

  test("with checks: [rules] in the gate, a violation closes it until the file is mended", async () => {
    const project = withRule();
    project.write(".waymark/base_actions/validate_rules/gate-definition.yaml", "checks: [rules]\n");
    const window = await openWindow(project.root);
    await toValidation(window, "We leverage tea.\n");
    await window.call("shape_bot");
    const refused = await window.call("complete_action", { confirmation: "ship it" });
    expect(refused).toMatchObject({ status: "refused", isError: true, error: "check_failed" });
    expect(refused.message).toContain("map.md:1");
    const content = [{ path: "map.md", text: "We use tea.\n" }];
    expect((await window.call("complete_action", { confirmation: "ship it", content })).status).toBe(
      "workflow_complete",
    );
  });

  test("with checks: [rules] in the gate, handing in nothing does not pass for keeping the rules", async () => {
    const project = withRule();
    project.write(".waymark/base_actions/validate_rules/gate-definition.yaml", "checks: [rules]\n");
    const window = await openWindow(project.root);
    for (let index = 0; index < 4; index++) await window.pass("shape_bot");
    await window.call("shape_bot");
    const refused = await window.call("complete_action", { confirmation: "ship it" });
    expect(refused).toMatchObject({ status: "refused", error: "check_failed" });
    expect(refused.message).toContain("content");
  });

  test("a person who is asked sees the violations in the question", async () => {
    const project = withRule();
    const { person, questions } = personWho(...Array.from({ length: 5 }, () => yes()));
    const window = await openWindow(project.root, { person });
    await toValidation(window, "We leverage tea.\n");
    await window.pass("shape_bot");
    expect(questions.at(-1)).toContain("plain_words: map.md:1");
  });

  test("correct_bot keeps a correction as the rule's next example, and its pattern is checked from then on", async () => {
    const project = withRule();
    const window = await openWindow(project.root);
    const inputs = { rule: "plain_words", dont: "utilize the pot", do: "use the pot", pattern: "utili[sz]e" };
    const kept = await window.call("story_bot", { action: "correct_bot", inputs, confirmation: "yes, always" });
    expect(kept).toMatchObject({ status: "completed", action: "correct_bot", next: null });
    expect(project.log().map(({ action, action_state }) => `${action} ${action_state}`)).toEqual([
      "story_bot.shape.correct_bot started",
      "story_bot.shape.correct_bot completed",
    ]);
    expect(project.json(rule).examples).toContainEqual({ do: "use the pot", dont: "utilize the pot" });
    await toValidation(window, "# Map\n\nWe utilise tea.\n");
    const opened = await window.call("shape_bot");
    expect(opened.instructions).toContain("map.md:3");
    expect(opened.instructions).toContain("utilize the pot");
  });

  test("a correction for a rule that does not exist is refused with the names there are, and nothing is written", async () => {
    const project = withRule();
    const before = project.read(rule);
    const window = await openWindow(project.root);
    const answer = await window.call("story_bot", {
      action: "correct_bot",
      inputs: { rule: "plain_word", dont: "a", do: "b" },
    });
    expect(answer).toMatchObject({ status: "refused", error: "invalid_input" });
    expect(answer.message).toContain("plain_words");
    expect(project.read(rule)).toBe(before);
  });

  test("an author's pattern cannot hang the server", async () => {
    const project = makeProject();
    project.write(rule, {
      name: "evil",
      description: "catastrophic in a backtracking engine",
      checks: [{ type: "must_not_match", pattern: "^(a+)+$", message: "never" }],
    });
    const window = await openWindow(project.root);
    await toValidation(window, `${"a".repeat(50_000)}!\n`);
    expect((await window.call("shape_bot")).status).toBe("started");
  });
});

describe("gates of an action and of a behavior", () => {
  test("add up: a behavior can ask for more, never for less, and status says what is waited for", async () => {
    const project = withRule();
    project.write(".waymark/base_actions/validate_rules/gate-definition.yaml", "checks: [rules]\n");
    project.write(
      ".waymark/bots/story_bot/behaviors/shape/validate_rules/gate-definition.yaml",
      "evidence_schema:\n  heard: {type: integer, description: how many were asked}\n",
    );
    const window = await openWindow(project.root);
    const status = async (): Promise<string> => (await runCli(["status", "--root", project.root])).stdout;
    await toValidation(window, "We leverage tea.\n");
    await window.call("shape_bot");
    expect(await window.call("complete_action", { confirmation: "yes" })).toMatchObject({
      error: "incomplete_checkpoint",
    });
    expect(await status()).toContain("refused once, last for heard");
    const refused = await window.call("complete_action", { confirmation: "yes", evidence: { heard: 3 } });
    expect(refused).toMatchObject({ error: "check_failed" });
    expect(await status()).toContain("refused twice, last for plain_words");
    const { stdout } = await runCli(["log", "--root", project.root]);
    expect(stdout).toContain("check_failed");
    const content = [{ path: "map.md", text: "We use tea.\n" }];
    expect((await window.call("complete_action", { confirmation: "yes", content })).status).toBe("workflow_complete");
  });
});
