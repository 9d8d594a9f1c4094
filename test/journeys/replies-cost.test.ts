import { readFileSync } from "node:fs";
import { join } from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import { overHttp } from "../doors.ts";
import { projectFrom, readWalk, templates } from "../examples/walk.ts";
import { callPhase, emptyProject } from "../phased.ts";
import { makeProject, projectAt } from "../project.ts";
import { openWindow, type Window } from "../window.ts";

/** A window that adds up what its replies cost a model that is shown the structured content. */
async function countedWindow(root: string): Promise<{ window: Window; costs: [string, number][]; sum(): number }> {
  const window = await openWindow(root);
  const costs: [string, number][] = [];
  const callTool = window.client.callTool.bind(window.client);
  window.client.callTool = async (params, ...rest) => {
    const result = await callTool(params, ...rest);
    costs.push([params.name, countTokens(JSON.stringify(result.structuredContent))]);
    return result;
  };
  return { window, costs, sum: () => costs.reduce((total, [, tokens]) => total + tokens, 0) };
}

function printed(what: string, costs: readonly [string, number][], sum: number, budget: number): void {
  const each = costs.map(([name, tokens]) => `${name} ${tokens}`).join(", ");
  process.stdout.write(`${what}: ${sum} tokens in ${costs.length} replies (at most ${budget}): ${each}\n`);
}

/** Whoever does not see the files is told where each of them went. */
const toldWhere = overHttp("a completion names the resource of each file that it saved") ? 150 : 0;

describe("what a whole walk costs in replies", () => {
  test("the behavior shape of the story bot: at most 3,620 tokens", async () => {
    const { window, costs, sum } = await countedWindow(projectFrom("story-bot"));
    for (const { behavior, action, handed: submitted } of readWalk().filter((step) => step.behavior === "shape")) {
      expect(await window.call(`${behavior}_bot`)).toMatchObject({ status: "started", action });
      const completed = await window.call("complete_action", submitted);
      expect(completed.status).toBe(action === "validate_rules" ? "workflow_complete" : "completed");
    }
    printed("shape", costs, sum(), 3620 + toldWhere);
    expect(costs).toHaveLength(10);
    expect(sum()).toBeLessThanOrEqual(3620 + toldWhere);
  });

  test("the test-generation workflow: at most 7,600 tokens", async () => {
    const root = projectFrom("test-generation");
    const files = ["src/prices.ts", "test/prices.test.ts"].map((path) => ({ path, text: "export {};\n" }));
    for (const { path, text } of files) projectAt(root).write(path, text);
    const content = overHttp("a file that evidence names is handed in") ? { content: files } : {};
    const { window, costs, sum } = await countedWindow(root);
    const start = { workflow_type: "test-generation", target_file: "src/prices.ts" };
    const { session_id, total_phases } = await callPhase(window, "start_workflow", start);
    for (let phase = 1; phase <= total_phases; phase++) {
      const submitted = { session_id, phase, evidence: exampleOf(phase), ...(phase === 1 ? content : {}) };
      const answer = await callPhase(window, "complete_phase", submitted);
      if (answer.error !== "approval_required")
        expect(answer, `phase ${phase}`).toMatchObject({ checkpoint_passed: true });
      else await callPhase(window, "complete_phase", { ...submitted, confirmation: "Yes, these cases." });
    }
    const { workflow_complete } = await callPhase(window, "get_workflow_state", { session_id });
    expect(workflow_complete).toBe(true);
    costs.pop();
    printed("test-generation", costs, sum(), 7600 + toldWhere);
    expect(costs).toHaveLength(10);
    expect(sum()).toBeLessThanOrEqual(7600 + toldWhere);
  });
});

/** The evidence that a phase of the test-generation workflow gives as its example. */
function exampleOf(phase: number): unknown {
  const file = join(templates, `test-generation/workflows/test-generation/phases/${phase}/phase.md`);
  const [, json = "{}"] = /```json\n(.*?)```/s.exec(readFileSync(file, "utf8")) ?? [];
  return JSON.parse(json);
}

describe("each thing is said once a walk, and again when it is needed again", () => {
  const background = "Shape turns a wish into a map that everybody can read.";
  const answer = "Guests of a tea shop who come on Saturdays";
  const times = (text: string, word: string): number => text.split(word).length - 1;

  const project = (): ReturnType<typeof makeProject> => {
    const made = makeProject();
    made.write(".waymark/bots/story_bot/behaviors/shape/instructions.md", `${background}\n`);
    return made;
  };

  test("the background of a behavior and an answer are said once a walk", async () => {
    const window = await openWindow(project().root);
    const replies: string[] = [];
    const say = async (tool: string, args: Record<string, unknown> = {}): Promise<string> => {
      const { text: _, ...data } = await window.call(tool, args);
      replies.push(JSON.stringify(data));
      return data.instructions;
    };
    expect(await say("shape_bot")).toContain(background);
    await say("complete_action", { outputs: { users: answer }, confirmation: "yes" });
    for (let step = 0; step < 4; step++) {
      await say("shape_bot");
      await say("complete_action", { confirmation: "yes" });
    }
    expect(times(replies.join("\n"), background)).toBe(1);
    expect(times(replies.join("\n"), answer)).toBeLessThanOrEqual(1);
  });

  test("an action that is opened again says all that an assistant needs whose context was compacted", async () => {
    const window = await openWindow(project().root);
    await window.pass("shape_bot", { outputs: { users: answer } });
    await window.pass("shape_bot");
    await window.call("shape_bot");
    const again = await window.call("shape_bot");
    for (const needed of [background, answer, "Base instructions of build_knowledge."])
      expect(again.instructions).toContain(needed);
  });

  test("a caller that has not heard it is told: another window, and the same one after a restart", async () => {
    const { root } = project();
    const first = await openWindow(root);
    await first.pass("shape_bot", { outputs: { users: answer } });
    await first.call("shape_bot");
    await first.close();
    const second = await openWindow(root);
    const found = await second.call("shape_bot");
    expect(found.status).toBe("interrupted");
    const resumed = await second.call("shape_bot", { resume: "continue" });
    for (const needed of [background, answer, "Base instructions of decide_planning_criteria."])
      expect(times(`${found.instructions}\n${resumed.instructions}`, needed), needed).toBe(1);
  });

  test("a refusal says a field's description and its example once", async () => {
    const project = emptyProject();
    const description = "how many guests the survey reached in May";
    const example = "sixty-one of them, by the counter's tally";
    project.write(".waymark/workflows/survey/metadata.json", { name: "survey", total_phases: 1 });
    project.write(".waymark/workflows/survey/phases/1/phase.md", "# Phase 1: Look\n\nLook around.\n");
    project.write(
      ".waymark/workflows/survey/phases/1/gate-definition.yaml",
      `evidence_schema:\n  guests:\n    type: string\n    required: true\n    description: ${description}\n    example: "${example}"\n`,
    );
    const window = await openWindow(project.root);
    const { session_id } = await callPhase(window, "start_workflow", { workflow_type: "survey" });
    const { text: _, ...refused } = await callPhase(window, "complete_phase", { session_id, phase: 1, evidence: {} });
    expect(refused.missing_evidence).toEqual([expect.stringContaining("guests (required: ")]);
    expect(times(JSON.stringify(refused), description)).toBe(1);
    expect(times(JSON.stringify(refused), example)).toBe(1);
  });
});

describe("where a host shows its model text and structured content both", () => {
  test.each(["github-copilot-developer", "qwen-cli-mcp-client-waymark"])("the text is one line (%s)", async (name) => {
    const window = await openWindow(makeProject().root, { name });
    for (const answer of [
      await window.call("story_bot"),
      await window.call("complete_action", { confirmation: "yes" }),
    ]) {
      expect(answer.text.trim()).not.toContain("\n");
      expect(countTokens(answer.text)).toBeLessThanOrEqual(60);
      expect(answer.instructions.length).toBeGreaterThan(10);
    }
  });

  test("everywhere else the text is the whole", async () => {
    const window = await openWindow(makeProject().root, { name: "claude-code" });
    const answer = await window.call("story_bot");
    expect(answer.text).toContain("Base instructions of gather_context.");
  });
});
