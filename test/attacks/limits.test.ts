import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { sessionsOf } from "../../src/workflow/session-id.ts";
import { runCli } from "../command-line.ts";
import { callPhase, plantWorkflow } from "../phased.ts";
import { makeProject, type Project } from "../project.ts";
import { wholeOr } from "../whole.ts";
import { older, openWindow } from "../window.ts";

const journals = ".waymark/journal/sessions";

/** Puts a session where the version before would have: its key had ten digits. */
function asBefore(project: Project, id: string): string {
  const before = id.replace(/-([0-9a-f]{10})[0-9a-f]{22}-(\d+)$/, "-$1-$2");
  renameSync(project.path(`${journals}/${id}.jsonl`), project.path(`${journals}/${before}.jsonl`));
  rmSync(project.path(`.waymark/sessions/${id}.json`));
  return before;
}

// Attack (tools): Use two targets whose sessions would share a key
// -> Each target has a session of its own
test("two targets whose short keys of before are the same: the second gets a session of its own, and the first goes on under its old id", async () => {
  const project = plantWorkflow({ type: "review" });
  const [one, other] = ["src/file-1663518.ts", "src/file-2410343.ts"];
  const keyOf = (target: string) => sessionsOf({ type: "review", target, options: {} }, []).next;
  expect(keyOf(one).slice(0, 17)).toBe(keyOf(other).slice(0, 17)); // they do meet in forty bits
  const start = async (target: string) => {
    const window = await openWindow(project.root);
    const started = await callPhase(window, "start_workflow", { workflow_type: "review", target_file: target });
    await window.close();
    return started;
  };
  const old = asBefore(project, (await start(one)).session_id);
  const second = await start(other);
  expect(second.resumed).not.toBe(true);
  expect(second.session_id).not.toBe(old);
  expect(await start(one)).toMatchObject({ session_id: old, resumed: true });
  expect(await start(other)).toMatchObject({ session_id: second.session_id, resumed: true });
  // On a machine that has not seen the session under the name that it was given above.
  const elsewhere = { XDG_STATE_HOME: project.path("state") };
  expect((await runCli(["verify", "--root", project.root], undefined, elsewhere)).code).toBe(0);
});

const descriptors = (): number => readdirSync("/proc/self/fd").length;

test.runIf(process.platform === "linux")(
  "thousands of sessions are listed and shown: the descriptors that stay open are as many as before, and some",
  async () => {
    const project = plantWorkflow();
    const window = await openWindow(project.root);
    const { session_id: first } = await callPhase(window, "start_workflow", { workflow_type: "survey" });
    for (let number = 2; number <= wholeOr(10_000, 400); number++)
      copyFileSync(
        project.path(`${journals}/${first}.jsonl`),
        project.path(`${journals}/${first.replace(/\d+$/, String(number))}.jsonl`),
      );
    const before = descriptors();
    const { sessions = [] } = await callPhase(window, "get_workflow_state");
    expect(sessions.length).toBeGreaterThan(0);
    expect(descriptors() - before).toBeLessThan(150);
    await callPhase(window, "start_workflow", { workflow_type: "survey" });
    expect((await runCli(["status", "--root", project.root])).code).toBe(0);
    expect(descriptors() - before).toBeLessThan(150);
  },
);

// Attack (tools): Send a message of more than 32 MB, a line that does not end, 100,000 levels, junk
describe.each(older)(
  "what a call hands in beyond the limits (%s protocol) is refused, by name, and the server lives on",
  (era) => {
    const long = "x".repeat(1_000_001);
    const nested = JSON.parse(`${'{"a":'.repeat(70)}1${"}".repeat(70)}`);
    const files = (count: number) => Array.from({ length: count }, (_, at) => ({ path: `f${at}.md`, text: "x" }));
    test.each([
      ["inputs of a million characters", "story_bot", { inputs: { long } }],
      ["inputs of 70 levels", "story_bot", { inputs: nested }],
      ["outputs of a million characters", "complete_action", { outputs: { long } }],
      ["evidence of 70 levels", "complete_action", { evidence: nested }],
      ["51 files", "complete_action", { content: files(51) }],
      ["a file of more than 5 MB", "complete_action", { content: [{ path: "a.md", text: "x".repeat(5_300_000) }] }],
      [
        "a path of 10,000 characters",
        "complete_action",
        { content: [{ path: `${"p".repeat(10_000)}.md`, text: "x" }] },
      ],
      ["a confirmation of 10,001 characters", "complete_action", { confirmation: "y".repeat(10_001) }],
      ["an action's name of 201 characters", "story_bot", { action: "a".repeat(201) }],
      ["a run's name of 65 characters", "story_bot", { run: "r".repeat(65) }],
      ["options of a million characters", "start_workflow", { workflow_type: "survey", options: { long } }],
      ["options of 70 levels", "start_workflow", { workflow_type: "survey", options: nested }],
      ["a target of 1,001 characters", "start_workflow", { workflow_type: "survey", target_file: "t".repeat(1001) }],
      ["a phase beyond a million", "complete_phase", { session_id: "s", phase: 1_000_001, evidence: {} }],
      ["a session's id of 201 characters", "get_workflow_state", { session_id: "s".repeat(201) }],
    ])("%s", async (_, tool, args) => {
      const project = makeProject();
      const workflow = plantWorkflow({ phases: 2 });
      mkdirSync(dirname(project.path(".waymark/workflows/survey")), { recursive: true });
      renameSync(workflow.path(".waymark/workflows"), project.path(".waymark/workflows"));
      const window = await openWindow(project.root, { era });
      await window.call("story_bot");
      expect(await window.call(tool, args)).toMatchObject({ isError: true, error: "invalid_input" });
      expect(await window.call("story_bot")).toMatchObject({ action: "gather_context" });
    });
  },
);
