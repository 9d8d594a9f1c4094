import { describe, expect, test } from "vitest";
import { makeProject } from "../project.ts";
import { older, openWindow, openWire } from "../window.ts";

/** Objects inside objects, as text: a client's own serializer could not write them. */
const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

describe("objects nested 10,000 levels deep", () => {
  test.each([
    ["story_bot", "inputs"],
    ["complete_action", "outputs"],
    ["complete_action", "evidence"],
  ])(
    "are refused by %s as %s with a clear answer; the server lives and the state is unharmed",
    async (tool, argument) => {
      const project = makeProject();
      const wire = openWire(project.root);
      await wire.request("initialize", {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "t", version: "1" },
      });
      await wire.request("tools/call", { name: "story_bot", arguments: {} });
      const before = project.read("workflow_state.json");
      const answer = await wire.send("tools/call", `{"name":"${tool}","arguments":{"${argument}":${deep(10_000)}}}`);
      expect(answer.structuredContent).toMatchObject({ status: "refused", error: "invalid_input" });
      expect(project.read("workflow_state.json")).toBe(before);
      const alive = await wire.request("tools/call", { name: "story_bot", arguments: {} });
      expect(alive.structuredContent).toMatchObject({ status: "started", action: "gather_context" });
    },
  );
});

describe.each(older)("bad input (%s protocol)", (era) => {
  test.each([
    ["an unknown argument", { actoin: "gather_context" }],
    ["a resume that does not exist", { resume: "maybe" }],
    ["inputs that are no object", { inputs: [1, 2] }],
    ["inputs that are text", { inputs: "text" }],
    ["an action that is no text", { action: 7 }],
    ["2 MB of inputs", { inputs: { text: "x".repeat(2_000_000) } }],
  ])("%s is refused with invalid_input; nothing changes and the server lives", async (_, args) => {
    const project = makeProject();
    const window = await openWindow(project.root, { era });
    const answer = await window.call("story_bot", args);
    expect(answer).toMatchObject({ status: "refused", isError: true, error: "invalid_input" });
    expect(answer.message).toBeTruthy();
    expect(answer.required_action).toBeTruthy();
    expect(() => project.state()).toThrow();
    expect(await window.call("story_bot")).toMatchObject({ status: "started" });
  });

  test("an argument that is not known is answered with those that are, and an action that is called as a tool with the tool", async () => {
    const project = makeProject();
    const window = await openWindow(project.root, { era });
    expect((await window.call("story_bot", { actoin: "x" })).message).toContain(
      'unknown "actoin"; use run, action, part, resume, inputs, confirmation',
    );
    const content = [{ path: "a.md", txt: "x" }];
    expect((await window.call("complete_action", { content })).message).toContain('unknown "txt"; use path, text');
    expect(await window.call("correct_bot", { rule: "x" })).toMatchObject({
      error: "invalid_input",
      message: "Not accepted: there is no tool correct_bot; it is an action of story_bot.",
      required_action: 'Call story_bot with action "correct_bot".',
    });
    expect((await window.call("gather_context")).required_action).toBe('Call shape_bot with action "gather_context".');
    expect((await window.call("nonsense")).message).toBe("Not accepted: there is no tool nonsense.");
    expect(() => project.state()).toThrow();
  });

  test.each([
    ["outputs that are a list", { outputs: [] }],
    ["evidence that is text", { evidence: "true" }],
    ["content that is no list", { content: "x" }],
    ["content without a path", { content: [{ text: "x" }] }],
    ["an unknown bot", { bot: "no_bot" }],
  ])("completing with %s is refused with invalid_input", async (_, args) => {
    const project = makeProject();
    const window = await openWindow(project.root, { era });
    await window.call("story_bot");
    const before = project.read("workflow_state.json");
    const answer = await window.call("complete_action", { confirmation: "yes", ...args });
    expect(answer).toMatchObject({ status: "refused", isError: true, error: "invalid_input" });
    expect(project.read("workflow_state.json")).toBe(before);
    expect((await window.call("complete_action", { confirmation: "yes" })).status).toBe("completed");
  });

  test("an unknown tool is refused, not a crash", async () => {
    const project = makeProject();
    const window = await openWindow(project.root, { era });
    expect(await window.call("no_such_tool")).toMatchObject({ error: "invalid_input" });
  });

  test("keys such as __proto__ are data like any other", async () => {
    const project = makeProject();
    const window = await openWindow(project.root, { era });
    await window.call("story_bot");
    const outputs = JSON.parse('{"__proto__": {"polluted": true}, "constructor": "x", "toString": "y"}');
    expect((await window.call("complete_action", { outputs, confirmation: "yes" })).status).toBe("completed");
    expect((await window.call("story_bot", { action: "gather_context" })).instructions).toContain("polluted");
    expect(Object.keys({})).toEqual([]);
  });

  test("settings that cannot be read close the work instead of being guessed", async () => {
    const project = makeProject();
    project.write(".waymark/config.json", "{ behaviors: ordered");
    const window = await openWindow(project.root, { era });
    const answer = await window.call("story_bot");
    expect(answer).toMatchObject({ status: "refused", error: "invalid_definition" });
    expect(answer.required_action).toContain("config.json");
  });

  test("a gate file that is not understood keeps its action closed", async () => {
    const project = makeProject();
    project.write(
      ".waymark/base_actions/gather_context/gate-definition.yaml",
      "evidence_schema: {users: {type: integer, validator: 'lambda x: x % 2 == 0'}}\n",
    );
    const window = await openWindow(project.root, { era });
    await window.call("story_bot");
    const answer = await window.call("complete_action", { confirmation: "yes", evidence: { users: 3 } });
    expect(answer).toMatchObject({ status: "refused", error: "invalid_definition" });
    expect(answer.required_action).toContain("gate-definition.yaml");
    expect(project.state().completed_actions).toEqual([]);
  });

  test("a gate asks for its evidence, all gaps at once", async () => {
    const project = makeProject();
    project.write(
      ".waymark/base_actions/gather_context/gate-definition.yaml",
      "evidence_schema:\n  users: {type: integer, required: true, description: how many users were asked}\n  agreed: {type: boolean, description: they agree}\n",
    );
    const window = await openWindow(project.root, { era });
    expect((await window.call("story_bot")).instructions).toContain("- users (integer): how many users were asked");
    const answer = await window.call("complete_action", { confirmation: "yes", evidence: { agreed: "true" } });
    expect(answer).toMatchObject({ status: "refused", isError: false, error: "incomplete_checkpoint" });
    expect(answer.missing_evidence).toEqual([
      "users (required: how many users were asked)",
      "agreed (wrong type: expected boolean, got string)",
    ]);
    const passed = await window.call("complete_action", { confirmation: "yes", evidence: { users: 3, agreed: true } });
    expect(passed.status).toBe("completed");
  });
});
