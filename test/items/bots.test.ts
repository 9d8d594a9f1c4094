import { expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { reply, sitDown } from "../people.ts";
import { makeProject } from "../project.ts";
import { openWindow } from "../window.ts";
import { call, good, one } from "./item-calls.ts";

/** A behavior whose second action is done story by story. */
function stories({ auto = true, each = "{ in: gather_context.stories, parallel: 2 }" } = {}) {
  const project = makeProject();
  project.write(".waymark/workflows/one.md", one);
  const actions = [
    "gather_context",
    {
      name: "build_knowledge",
      for_each: { in: "gather_context.stories", parallel: 2 },
      workflow: "one",
      with: { task: "{{item.title}}" },
    },
    "render_output",
  ];
  project.write(".waymark/bots/story_bot/behaviors/shape/behavior.json", JSON.stringify({ actions }));
  const config = {
    name: "build_knowledge",
    workflow: true,
    order: 2,
    next_action: "render_output",
    auto_progress: auto,
  };
  project.write(".waymark/base_actions/build_knowledge/action_config.json", JSON.stringify(config));
  return { project, each };
}

test("an action works item by item, and completes by itself where no approval is needed", async () => {
  const { project } = stories();
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  await window.call("complete_action", { outputs: { stories: ["Login", "Logout"] }, confirmation: "yes" });
  const opened = await window.call("shape_bot");
  expect(opened).toMatchObject({
    action: "build_knowledge",
    items: { total: 2, open: [], ready: ["Login", "Logout"] },
  });
  expect(opened.instructions).toContain('"session_id": "story_bot.shape"');
  const login = await call(window, "start_workflow", { session_id: "story_bot.shape", item: "Login" });
  expect(login.session_id).toBe("story_bot.shape/1.build_knowledge.1/Login");
  expect(login.phase_content?.content).toContain("Do Login (Login).");
  const early = await window.call("complete_action", { outputs: {} });
  expect(early).toMatchObject({ status: "refused", error: "incomplete_checkpoint" });
  await call(window, "complete_phase", { session_id: login.session_id, phase: 1, evidence: good });
  const logout = await call(window, "start_workflow", { session_id: "story_bot.shape", item: "Logout" });
  const last = await call(window, "complete_phase", { session_id: logout.session_id, phase: 1, evidence: good });
  expect(last.next_step).toContain("Continue with story_bot.shape");
  expect(await window.call("shape_bot")).toMatchObject({ action: "render_output" });
  await window.call("complete_action", { outputs: { text: "x" }, confirmation: "yes" });
  const { code, stdout } = await runCli(["verify", "--require", "shape", "--root", project.root]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("was completed as defined")]);
});

test("an action that needs approval waits for it after its last item, and the approval covers the items", async () => {
  const { project } = stories({ auto: false });
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  await window.call("complete_action", { outputs: { stories: ["Login"] }, confirmation: "yes" });
  await window.call("shape_bot");
  const login = await call(window, "start_workflow", { session_id: "story_bot.shape", item: "Login" });
  await call(window, "complete_phase", { session_id: login.session_id, phase: 1, evidence: good });
  expect(await window.call("shape_bot")).toMatchObject({ action: "build_knowledge" });
  expect(await window.call("complete_action", {})).toMatchObject({ status: "awaiting_human" });
  expect(await window.call("complete_action", { confirmation: "They agree." })).toMatchObject({ status: "completed" });
});

test("items of an action that is done again are refused; a named run has items of its own", async () => {
  const { project } = stories();
  const window = await openWindow(project.root);
  const at = async (run?: string) => {
    const named = run === undefined ? {} : { run };
    await window.call("shape_bot", named);
    await window.call("complete_action", { outputs: { stories: ["Login"] }, confirmation: "yes", ...named });
    await window.call("shape_bot", named);
  };
  await at();
  await at("mine");
  const own = await call(window, "start_workflow", { session_id: "story_bot.shape#mine", item: "Login" });
  expect(own.session_id).toBe("story_bot.shape#mine/1.build_knowledge.1/Login");
  const first = await call(window, "start_workflow", { session_id: "story_bot.shape", item: "Login" });
  const person = sitDown().runs(project, ["back", "gather_context", "--behavior", "shape"]);
  await reply(person, "[y/N]", "y").catch(() => undefined);
  await person.ends();
  const late = await call(window, "complete_phase", { session_id: first.session_id, phase: 1, evidence: good });
  expect(late).toMatchObject({ isError: true, error: "conflict" });
  const fine = await call(window, "complete_phase", { session_id: own.session_id, phase: 1, evidence: good });
  expect(fine).toMatchObject({ workflow_complete: true });
});

test("check reports an action that calls a workflow that cannot be used", async () => {
  const { project } = stories();
  project.write(".waymark/workflows/one.md", one.replace("inputs:\n  task:", "inputs:\n  story:"));
  const { stdout } = await runCli(["check", "--compact", "--root", project.root]);
  expect(stdout).toContain("[broken-call]");
});
