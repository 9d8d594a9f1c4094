import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import { addWorkflow } from "../phased.ts";
import { actions, behaviors, makeProject } from "../project.ts";
import { type Answer, openWindow } from "../window.ts";

/** What a reply costs besides its instructions. */
function overhead({ isError: _, text: __, instructions: ___, ...rest }: Answer): number {
  return countTokens(JSON.stringify(rest));
}

describe("tokens are the user's money", () => {
  test("the tools of a six-behavior bot cost at most 1,200 tokens, and each carries what hosts ask for", async () => {
    const project = makeProject();
    for (const behavior of behaviors) {
      project.write(`.waymark/bots/story_bot/behaviors/${behavior}/behavior.json`, {
        description: `Works on ${behavior} with the team until it can be handed on to the next behavior in the line`,
        trigger_words: [`do the ${behavior}`, `${behavior} of the product`, "go on with the work"],
      });
    }
    project.write(".waymark/bots/story_bot/bot_config.json", {
      name: "story_bot",
      description:
        "Takes a product from a first idea to stories with acceptance criteria and tests that a team can build",
      trigger_words: ["story map", "write stories", "plan the increments", "acceptance criteria"],
      behaviors,
    });
    const { client } = await openWindow(project.root);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "story_bot",
      ...behaviors.map((name) => `${name}_bot`),
      "complete_action",
    ]);
    const seen = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    expect(countTokens(JSON.stringify(seen))).toBeLessThanOrEqual(1200);
    for (const tool of tools) {
      expect(tool.title).toBeTruthy();
      expect(tool.inputSchema).toMatchObject({ type: "object", additionalProperties: false });
      expect(tool.outputSchema).toMatchObject({ type: "object" });
      expect(tool.annotations).toEqual({
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: false,
      });
    }
    expect(tools[0]?.description).toContain("story map");
    expect(countTokens(client.getInstructions() ?? "")).toBeLessThan(120);
  });

  test("with phased workflows as well the tools cost at most 1,600 tokens", async () => {
    const project = makeProject();
    for (const behavior of behaviors) {
      project.write(`.waymark/bots/story_bot/behaviors/${behavior}/behavior.json`, {
        description: `Works on ${behavior} with the team until it can be handed on to the next behavior in the line`,
        trigger_words: [`do the ${behavior}`, `${behavior} of the product`, "go on with the work"],
      });
    }
    for (const type of ["survey", "test_generation", "release", "spec_execution"])
      addWorkflow(project, { type, phases: 2 });
    const { client } = await openWindow(project.root);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).slice(8)).toEqual([
      "start_workflow",
      "get_phase_content",
      "complete_phase",
      "get_workflow_state",
    ]);
    const seen = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    expect(countTokens(JSON.stringify(seen))).toBeLessThanOrEqual(1600);
    const costOf = (names: readonly string[], of: RegExp): number => {
      const without = structuredClone(seen);
      for (const { name, inputSchema } of without)
        for (const argument of of.test(name) ? names : []) delete inputSchema.properties?.[argument];
      return countTokens(JSON.stringify(seen)) - countTokens(JSON.stringify(without));
    };
    expect(costOf(["inputs", "session_id", "item"], /^start_workflow$/)).toBeLessThanOrEqual(60);
    expect(costOf(["blocked", "attempt"], /./)).toBeLessThanOrEqual(60);
    for (const { title, inputSchema, outputSchema, annotations } of tools) {
      expect(title).toBeTruthy();
      expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
      expect(outputSchema).toMatchObject({ type: "object" });
      expect(Object.keys(annotations ?? {}).sort()).toEqual([
        "destructiveHint",
        "idempotentHint",
        "openWorldHint",
        "readOnlyHint",
      ]);
    }
    expect(countTokens(client.getInstructions() ?? "")).toBeLessThan(120);
  });

  test("everything in a reply but its instructions costs at most 300 tokens, whatever happened", async () => {
    const project = makeProject();
    const costs: number[] = [];
    const window = await openWindow(project.root);
    const call = async (tool: string, args: Record<string, unknown> = {}): Promise<Answer> => {
      const answer = await window.call(tool, args);
      costs.push(overhead(answer));
      return answer;
    };
    for (const _ of actions) {
      await call("exploration_bot");
      await call("exploration_bot", { action: "validate_rules" });
      await call("exploration_bot", { action: "no_such_action".repeat(10) });
      await call("complete_action", { confirmation: "yes", content: [{ path: "../a/b/c", text: "" }] });
      await call("complete_action", { confirmation: "yes" });
    }
    await call("exploration_bot");
    project.write("workflow_state.json", {
      current_behavior: "story_bot.scenarios",
      current_action: `story_bot.scenarios.${"x".repeat(2000)}`,
    });
    project.write(".waymark/bots/other_bot/bot_config.json", { name: "other_bot", behaviors: ["one"] });
    project.write(
      ".waymark/base_actions/gather_context/instructions.md",
      Array.from({ length: 50 }, (_, n) => `{{unknown_placeholder_${n}}}`).join(" "),
    );
    const answer = await call("story_bot");
    expect(answer.warnings.length).toBeGreaterThan(1);
    expect(Math.max(...costs)).toBeLessThanOrEqual(300);
    // What has no room is not only counted.
    expect(answer.instructions).toContain("unknown_placeholder_0");
  });

  test("what is kept is named by real names and paths, however much there is, and warnings that have no room are read below", async () => {
    const project = makeProject();
    const window = await openWindow(project.root);
    for (const _ of actions.slice(1)) {
      await window.call("shape_bot");
      await window.call("complete_action", { confirmation: "yes" });
    }
    project.write(
      ".waymark/base_actions/validate_rules/instructions.md",
      "Read {{one_thing}}, {{another_thing}} and {{a_third_thing_that_nobody_knows}}.",
    );
    await window.call("shape_bot");
    const few = {
      outputs: { summary: "a", open_questions: [], decisions: {} },
      content: ["docs/stories/checkout.md", "docs/stories/returns.md", "docs/map.md", "docs/glossary.md"].map(
        (path) => ({
          path,
          text: "x",
        }),
      ),
    };
    const { kept } = await window.call("complete_action", few);
    expect(kept).toEqual({
      outputs: Object.keys(few.outputs),
      content: few.content.map(({ path }) => ({ path, bytes: 1 })),
    });
    const names = Array.from({ length: 40 }, (_, at) => `an_output_with_quite_a_long_name_${at}`);
    const many = await window.call("complete_action", { outputs: Object.fromEntries(names.map((name) => [name, 1])) });
    expect(overhead(many)).toBeLessThanOrEqual(300);
    const { outputs = [], content = [], more = { outputs: 0, content: 0 } } = many.kept ?? {};
    expect([...names, ...Object.keys(few.outputs)]).toEqual(expect.arrayContaining([...outputs]));
    expect([outputs.length + more.outputs, content.length + more.content]).toEqual([43, 4]);
  });
});
