import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { inDatabase } from "../doors.ts";
import { makeProject } from "../project.ts";
import { openWindow, type Window } from "../window.ts";

const yes = { confirmation: "yes" };

async function open(
  names: readonly string[] = ["a test"],
): Promise<{ project: ReturnType<typeof makeProject>; windows: Window[] }> {
  const project = makeProject();
  return { project, windows: await Promise.all(names.map((name) => openWindow(project.root, { name }))) };
}

describe("named runs of one bot", () => {
  test.skipIf(inDatabase("no journal stands in a file"))(
    "each has its own place, history and files, and the one without a name stays as it was",
    async () => {
      const { project, windows } = await open();
      const [window] = windows as [Window];
      expect(await window.call("story_bot")).not.toHaveProperty("run");
      const login = await window.call("story_bot", { run: "Feature/Login" });
      expect(login).toMatchObject({ status: "started", run: "feature/login", action: "gather_context" });
      expect(login.instructions).toContain('run "feature/login"');
      const done = await window.call("complete_action", {
        run: "feature/login",
        outputs: { summary: "who logs in" },
        content: [{ path: "docs/login.md", text: "# Login\n" }],
        ...yes,
      });
      expect(done).toMatchObject({ status: "completed", run: "feature/login", action: "gather_context" });
      expect(project.state()).toMatchObject({ action_state: "started", completed_actions: [] });
      expect(project.json(".waymark/runs/story_bot/feature/login/workflow_state.json")).toMatchObject({
        current_action: "story_bot.shape.gather_context",
        action_state: "completed",
      });
      expect(project.read("docs/login.md")).toBe("# Login\n");
      expect(project.read("story_bot/feature/login/shape/gather_context.md")).toContain("who logs in");
      expect(existsSync(project.path("story_bot/shape"))).toBe(false);
      expect(existsSync(project.path(".waymark/journal/runs/story_bot/feature%2Flogin.jsonl"))).toBe(true);
    },
  );

  test("a name that leaves its folder, or is none, is refused and begins nothing", async () => {
    const { project, windows } = await open();
    const [window] = windows as [Window];
    for (const run of ["../x", "a//b", ".hidden", "a b", "", "x".repeat(65), "workflow_state.json"])
      expect(await window.call("story_bot", { run })).toMatchObject({ isError: true, error: "invalid_input" });
    expect(await window.call("complete_action", { run: "never", ...yes })).toMatchObject({
      error: "action_sequence_violation",
      isError: true,
    });
    expect(await window.call("shape_bot", { run: "ahead", action: "render_output" })).toMatchObject({
      error: "action_sequence_violation",
    });
    expect(existsSync(project.path(".waymark/journal"))).toBe(false);
  });

  // Attack (tools): Complete without saying which of several open steps is meant
  // -> Refused, and nothing of the call is kept
  test("several open steps on one connection must be told apart, and nothing of a call that does not is kept", async () => {
    const { project, windows } = await open();
    const [window] = windows as [Window];
    await window.call("shape_bot", { run: "one" });
    await window.call("shape_bot", { run: "two" });
    const outputs = { mine: "of run one" };
    const vague = await window.call("complete_action", { outputs, ...yes });
    expect(vague).toMatchObject({ error: "conflict", isError: true, kept: { outputs: [], content: [] } });
    expect(vague.message).toMatch(
      /shape\.gather_context \(run one\), shape\.gather_context \(run two\).*Nothing from this call/,
    );
    expect(await window.call("complete_action", { behavior: "shape", outputs, ...yes })).toMatchObject({
      error: "conflict",
    });
    for (const run of ["one", "two"])
      expect(project.json(`.waymark/runs/story_bot/${run}/workflow_state.json`)).toMatchObject({
        action_state: "started",
      });
    expect(await window.call("complete_action", { run: "one", outputs, ...yes })).toMatchObject({
      status: "completed",
      run: "one",
    });
    // One is left, and needs no name.
    expect(await window.call("complete_action", yes)).toMatchObject({ status: "completed", run: "two" });
  });

  test("beside named runs, the one without a name is meant by naming everything else", async () => {
    const { windows } = await open();
    const [window] = windows as [Window];
    await window.call("shape_bot");
    await window.call("shape_bot", { run: "two" });
    expect(await window.call("complete_action", yes)).toMatchObject({ error: "conflict" });
    const whole = { bot: "story_bot", behavior: "shape", action: "gather_context" };
    const own = await window.call("complete_action", { ...whole, ...yes });
    expect(own).toMatchObject({ status: "completed", action: "gather_context" });
    expect(own).not.toHaveProperty("run");
  });

  test("two sub-agents on one connection in different behaviors: each names its own, and nothing crosses", async () => {
    const { project, windows } = await open();
    const [window] = windows as [Window];
    await window.call("shape_bot");
    await window.call("discovery_bot");
    expect(await window.call("complete_action", { outputs: { whose: "?" }, ...yes })).toMatchObject({
      error: "conflict",
    });
    await window.call("complete_action", { behavior: "discovery", outputs: { whose: "discovery" }, ...yes });
    await window.call("complete_action", { behavior: "shape", outputs: { whose: "shape" }, ...yes });
    expect(project.read("story_bot/discovery/gather_context.md")).toContain("discovery");
    expect(project.read("story_bot/shape/gather_context.md")).toContain("shape");
  });
});

describe("a person who is asked", () => {
  test("reads which run it is about, and how to be shown it", async () => {
    const project = makeProject();
    const asked: string[] = [];
    const person = (question: string) => {
      asked.push(question);
      return { action: "decline" } as const;
    };
    const window = await openWindow(project.root, { person });
    for (const run of ["one", "two"]) {
      await window.call("shape_bot", { run });
      await window.call("complete_action", { run, outputs: { whose: run } });
    }
    expect(asked).toEqual([
      expect.stringMatching(
        /^Do you approve gather_context of shape \(run one\)\?.*waymark show story_bot\.shape --run one /s,
      ),
      expect.stringMatching(
        /^Do you approve gather_context of shape \(run two\)\?.*waymark show story_bot\.shape --run two /s,
      ),
    ]);
    const shown = await runCli(["show", "story_bot.shape", "--run", "two", "--root", project.root]);
    expect(shown.stdout).toContain("two");
    expect(shown.stdout).not.toContain("one");
  });
});

describe("what is named of a step", () => {
  test("an independent action can be the first and only thing of a run", async () => {
    const { windows } = await open();
    const [window] = windows as [Window];
    await window.call("shape_bot", { run: "aside", action: "correct_bot" });
    const step = { run: "aside", action: "correct_bot" };
    expect(await window.call("complete_action", { ...step, outputs: { a: 1 } })).toMatchObject({
      status: "completed",
      ...step,
    });
  });

  test("an action that is open in two behaviors must be told apart; one that is open in one is found", async () => {
    const { project, windows } = await open();
    const [window] = windows as [Window];
    await window.call("shape_bot");
    await window.call("discovery_bot");
    const outputs = { whose: "of shape" };
    const vague = await window.call("complete_action", { action: "gather_context", outputs, ...yes });
    expect(vague).toMatchObject({ error: "conflict", isError: true, kept: { outputs: [], content: [] } });
    expect(vague.message).toContain("shape.gather_context, discovery.gather_context");
    await window.call("complete_action", { behavior: "shape", outputs, ...yes });
    expect(existsSync(project.path("story_bot/discovery"))).toBe(false);
    await window.call("shape_bot");
    await window.call("discovery_bot");
    // Only shape stands there, though discovery was called last.
    expect(await window.call("complete_action", { action: "decide_planning_criteria", ...yes })).toMatchObject({
      status: "completed",
      behavior: "shape",
    });
  });

  test("whoever names a step that another has taken over meanwhile does not complete it for them", async () => {
    const { windows } = await open(["first-client", "second-client"]);
    const [first, second] = windows as [Window, Window];
    await first.call("shape_bot");
    await first.call("discovery_bot");
    await second.call("shape_bot", { resume: "retry" });
    for (const named of [{ behavior: "shape" }, { behavior: "shape", action: "gather_context" }])
      expect(await first.call("complete_action", { ...named, outputs: { whose: "first" }, ...yes })).toMatchObject({
        status: "refused",
        error: "conflict",
      });
    expect(await second.call("complete_action", { outputs: { whose: "second" }, ...yes })).toMatchObject({
      status: "completed",
    });
  });

  test("the readable record of a run never stands where another's is to stand", async () => {
    const { project, windows } = await open();
    const [window] = windows as [Window];
    const run = "shape/gather_context.md";
    await window.call("shape_bot", { run });
    await window.call("complete_action", { run, outputs: { whose: "run" }, ...yes });
    await window.call("shape_bot");
    const own = await window.call("complete_action", { outputs: { whose: "own" }, ...yes });
    expect(own).toMatchObject({ status: "completed", warnings: [] });
    expect(project.read("story_bot/shape/gather_context.md")).toContain("own");
    expect(project.read("story_bot/shape/gather_context%2Emd/shape/gather_context.md")).toContain("run");
  });
});

describe("a place that others have moved", () => {
  test("is said at the next call, once: by whom, what and when", async () => {
    const { windows } = await open(["first-client", "second-client"]);
    const [first, second] = windows as [Window, Window];
    await first.pass("shape_bot");
    expect((await second.call("shape_bot")).warnings).toEqual([]);
    await second.call("complete_action", yes);
    const back = await first.call("shape_bot");
    expect(back).toMatchObject({ status: "started", action: "build_knowledge" });
    expect(back.warnings).toEqual([
      expect.stringMatching(
        /^Others have worked here since your last call: second-client \S+ opened shape\.decide_planning_criteria at \d{4}-\S+Z; second-client \S+ completed shape\.decide_planning_criteria at \S+Z\.$/,
      ),
    ]);
    expect((await first.call("shape_bot")).warnings).toEqual([]);
  });

  test("what a client calls itself makes no lines of its own in what others read", async () => {
    const { windows } = await open(["first-client", "second\n\nclient\u202e"]);
    const [first, second] = windows as [Window, Window];
    await first.call("shape_bot");
    await second.call("shape_bot", { resume: "continue" });
    await second.call("complete_action", yes);
    expect((await first.call("shape_bot")).warnings).toEqual([
      expect.stringMatching(/: second client 1\.0\.0 completed/),
    ]);
  });

  test("a step taken over by retry answers its first holder with what happened and what is kept of their work", async () => {
    const { windows } = await open(["first-client", "second-client"]);
    const [first, second] = windows as [Window, Window];
    await first.call("shape_bot");
    expect(await first.call("complete_action", { outputs: { notes: "mine" } })).toMatchObject({
      status: "awaiting_human",
    });
    await second.call("shape_bot", { resume: "retry" });
    const late = await first.call("complete_action", yes);
    expect(late).toMatchObject({ status: "refused", error: "conflict", kept: { outputs: ["notes"] } });
    expect(late.message).toMatch(/second-client \S+ opened shape\.gather_context at .*stay on record/);
    expect(late.warnings, "said once").toEqual([]);
    expect(await second.call("complete_action", { outputs: { notes: "theirs" }, ...yes })).toMatchObject({
      status: "completed",
    });
  });
});
