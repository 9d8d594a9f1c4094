import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { runCli } from "../command-line.ts";
import { inDatabase } from "../doors.ts";
import { makeProject } from "../project.ts";
import { older, openWindow } from "../window.ts";

describe.each(older)("corners that an outside tester found (%s protocol)", (era) => {
  test.skipIf(inDatabase("a state file is shown to nobody, and read from nobody"))(
    "a timestamp that is no time does not stop the recording",
    async () => {
      const project = makeProject();
      const place = { current_behavior: "story_bot.discovery", current_action: "story_bot.discovery.gather_context" };
      project.write("workflow_state.json", {
        ...place,
        action_state: "started",
        timestamp: "yesterday",
        completed_actions: [],
      });
      const window = await openWindow(project.root, { era });
      const answer = await window.call("complete_action", { confirmation: "yes" });
      expect(answer).toMatchObject({ status: "completed", warnings: [] });
      expect(project.state().completed_actions).toMatchObject([{ duration: 0 }]);
    },
  );

  test.each(["", "  ", "\n\t", "\u200b"])("a blank confirmation, %j, is nobody's word", async (confirmation) => {
    const project = makeProject();
    const window = await openWindow(project.root, { era });
    await window.call("story_bot");
    expect((await window.call("complete_action", { confirmation })).status).toBe("awaiting_human");
  });

  test("a yes counts for the attempt it was asked about, not for one begun meanwhile", async () => {
    const project = makeProject();
    const other = await openWindow(project.root, { era });
    const window = await openWindow(project.root, {
      era,
      person: async () => {
        await other.call("story_bot", { resume: "retry" });
        return { action: "accept", content: { answer: "yes" } };
      },
    });
    await window.call("story_bot");
    const answer = await window.call("complete_action", { outputs: { mine: 1 } });
    expect(answer).toMatchObject({ status: "refused", error: "conflict" });
    expect(project.state().completed_actions).toEqual([]);
  });

  test("a completion sent again gets the same answer, warnings and rule results included", async () => {
    const project = makeProject();
    const window = await openWindow(project.root, { era });
    await window.call("story_bot");
    project.remove(".waymark/base_actions/gather_context/action_config.json");
    const first = await window.call("complete_action", { confirmation: "yes" });
    expect(first.warnings).toHaveLength(1);
    expect(await window.call("complete_action", { confirmation: "yes" })).toEqual(first);
  });

  test("a refusal to complete shows nothing of an action that nobody has opened", async () => {
    const project = makeProject();
    const window = await openWindow(project.root, { era });
    expect((await window.call("complete_action", { confirmation: "yes" })).instructions).toBe("");
    expect((await window.call("story_bot", { action: "nonsense" })).instructions).toBe("");
  });

  test("behaviors in order: a later one cannot be completed either, whatever the state file says", async () => {
    const project = makeProject();
    project.write(".waymark/config.json", { behaviors: "ordered" });
    const window = await openWindow(project.root, { era });
    await window.call("story_bot");
    const place = { current_behavior: "story_bot.exploration", current_action: "story_bot.exploration.gather_context" };
    project.write("workflow_state.json", { ...project.state(), ...place });
    const answer = await window.call("complete_action", { behavior: "exploration", confirmation: "yes" });
    expect(answer).toMatchObject({ status: "refused", error: "action_sequence_violation" });
    expect(project.state().completed_actions).toEqual([]);
  });

  test.skipIf(inDatabase("a state file is shown to nobody, and read from nobody"))(
    "a finished behavior stays marked as complete when its file is edited or taken over",
    async () => {
      const project = makeProject();
      const place = { current_behavior: "story_bot.tests", current_action: "story_bot.tests.validate_rules" };
      project.write("workflow_state.json", {
        ...place,
        action_state: "completed",
        timestamp: "2025-12-03T10:00:00Z",
        completed_actions: [],
        workflow_complete: true,
      });
      const window = await openWindow(project.root, { era });
      expect((await window.call("story_bot")).status).toBe("workflow_complete");
      expect(project.state().workflow_complete).toBe(true);
      project.write("workflow_state.json", { ...project.state(), note: "x" });
      await window.call("story_bot");
      expect(project.state().workflow_complete).toBe(true);
    },
  );

  test("a skip at the end is on record too, and a skipped action is not shown before its turn", async () => {
    const project = makeProject();
    project.write(".waymark/bots/story_bot/behaviors/shape/behavior.json", {
      actions: ["gather_context", { name: "validate_rules", skip: "done elsewhere" }],
    });
    const window = await openWindow(project.root, { era });
    expect((await window.call("shape_bot", { action: "validate_rules" })).status).toBe("refused");
    expect((await window.pass("shape_bot")).status).toBe("workflow_complete");
    expect((await runCli(["log", "--root", project.root])).stdout).toContain("done elsewhere");
  });

  test("a listed action that does not exist is not announced: a warning, then invalid_definition", async () => {
    const project = makeProject();
    project.write(".waymark/bots/story_bot/behaviors/shape/behavior.json", { actions: ["gather_context", "zzz"] });
    const window = await openWindow(project.root, { era });
    const answer = await window.pass("shape_bot");
    expect(answer).toMatchObject({ status: "completed", next: null });
    expect(answer.warnings.join()).toContain("zzz");
    expect(await window.call("shape_bot")).toMatchObject({ error: "invalid_definition" });
  });

  test.skipIf(inDatabase("nobody else puts a file there"))(
    "our own readable record gives way: a file in its place does not stop a completion",
    async () => {
      const project = makeProject();
      writeFileSync(project.path("story_bot"), "a file of the user's");
      const window = await openWindow(project.root, { era });
      const answer = await window.pass("story_bot", { outputs: { users: "guests" } });
      expect(answer.status).toBe("completed");
      expect(answer.warnings.join()).toContain("No readable record");
      expect(project.read("story_bot")).toBe("a file of the user's");
    },
  );

  test.skipIf(inDatabase("a state file is shown to nobody, and read from nobody"))(
    "a state file of another bot, or an action under another behavior, is not taken for ours",
    async () => {
      const project = makeProject();
      project.write("workflow_state.json", {
        current_behavior: "other_bot.discovery",
        current_action: "other_bot.discovery.render_output",
      });
      const window = await openWindow(project.root, { era });
      const answer = await window.call("story_bot");
      expect(answer).toMatchObject({ behavior: "shape", action: "gather_context" });
      expect(answer.warnings.join()).toContain("other_bot.discovery");
    },
  );

  test("an older file of ours is brought up to date by any call, also one that records nothing", async () => {
    const project = makeProject();
    const window = await openWindow(project.root, { era });
    await window.call("story_bot");
    const older = project.read("workflow_state.json");
    await window.call("complete_action", { confirmation: "yes" });
    await window.call("story_bot");
    const current = project.read("workflow_state.json");
    project.write("workflow_state.json", older);
    await window.call("story_bot");
    expect(project.read("workflow_state.json")).toBe(current);
  });
});

describe("corners of project areas", () => {
  test("a project_area that leads into a dot-folder is not served", async () => {
    const project = makeProject();
    project.write(".waymark/bots/b_bot/bot_config.json", {
      name: "b_bot",
      behaviors: ["one"],
      project_area: ".waymark",
    });
    const { client } = await openWindow(project.root);
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain("b_bot");
  });

  test("status and log speak of every bot; back asks which one is meant", async () => {
    const project = makeProject();
    project.write(".waymark/bots/b_bot/bot_config.json", { name: "b_bot", behaviors: ["one"], project_area: "b" });
    const window = await openWindow(project.root);
    await window.pass("one_bot");
    const { stdout } = await runCli(["status", "--root", project.root]);
    expect(stdout).toContain("b_bot");
    expect(stdout).toContain("story_bot");
    expect((await runCli(["log", "--root", project.root])).stdout).toContain("one.gather_context");
    expect((await runCli(["back", "gather_context", "--root", project.root])).stderr).toContain("--bot");
    expect((await runCli(["back", "gather_context", "--bot", "b_bot", "--root", project.root])).code).toBe(0);
  });

  const isRoot = process.getuid?.() === 0 && process.platform === "linux";
  test.runIf(isRoot && !inDatabase("a database has its own disk"))(
    "content submitted while the disk is full is refused, and taken once there is room",
    async () => {
      const project = makeProject();
      const area = project.path("area");
      mkdirSync(area);
      expect(spawnSync("mount", ["-t", "tmpfs", "-o", "size=96k", "tmpfs", area]).status).toBe(0);
      onTestFinished(() => void spawnSync("umount", ["-l", area]));
      const window = await openWindow(project.root, { args: ["--project-area", area] });
      await window.call("story_bot");
      spawnSync("dd", ["if=/dev/zero", `of=${area}/filler`, "bs=1k", "count=200"]);
      const submitted = {
        confirmation: "yes",
        outputs: { answer: "forty-two" },
        content: [{ path: "c.md", text: "hello world".repeat(500) }],
      };
      expect(await window.call("complete_action", submitted)).toMatchObject({ error: "unavailable", isError: true });
      project.remove("area/filler");
      expect((await window.call("complete_action", submitted)).status).toBe("completed");
      expect((await window.call("story_bot")).status).toBe("started");
      expect(project.read("area/c.md")).toBe("hello world".repeat(500));
      expect(project.read("area/story_bot/shape/gather_context.md")).toContain("forty-two");
      expect(project.json("area/workflow_state.json")).toMatchObject({
        current_action: "story_bot.shape.decide_planning_criteria",
      });
    },
  );
});
