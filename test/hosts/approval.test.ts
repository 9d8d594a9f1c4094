import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCli } from "../command-line.ts";
import { keyed, reply } from "../people.ts";
import { runClaude } from "./claude.ts";
import type { Seen } from "./model-api.ts";
import { makeProject } from "./project.ts";

const SERVER = process.env.WAYMARK_HOST_TEST_SERVER ?? resolve("dist/waymark.js");
const gate = "approval: {level: proven, by: [dana]}\n";
const passphrase = "correct horse";

test("an agent in Claude Code hands in, waits, is rejected with a reason, mends, is approved at a terminal with a passphrase, and goes on", async () => {
  const root = mkdtempSync(join(tmpdir(), "waymark-approval-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  await makeProject(root);
  writeFileSync(join(root, ".waymark/base_actions/gather_context/gate-definition.yaml"), gate);
  const dana = await keyed({ root }, "dana", passphrase);
  /** Dana answers at a terminal of her own, while the agent's host runs on. */
  const answers = async (...args: string[]): Promise<void> => {
    const terminal = dana.runs({ root }, args);
    await reply(terminal, "Passphrase for dana", passphrase);
    await terminal.ends();
  };
  const saw: Record<string, string> = {};
  const { exitCode, stdout, stderr } = await runClaude({
    root,
    mcpCommand: [
      ...(["/usr/bin/env", `XDG_STATE_HOME=${process.env.XDG_STATE_HOME}`] as const),
      ...[process.execPath, SERVER, "serve", "--root", root],
    ],
    prompt: "Let us write user stories.",
    script: async function* (first: Seen) {
      const complete = (users: string) => ({
        call: "complete_action",
        with: { outputs: { users }, confirmation: "Dana says it is fine" },
      });
      const last = ({ answers: all }: Seen): string => all.at(-1) ?? "";
      for (const tool of ["story_bot", "complete_action"])
        if (!first.tools.join().includes(tool)) yield { search: tool };
      yield { call: "story_bot", with: {} };
      saw.waits = last(yield complete("nobody"));
      await answers("reject", "--reason", "Name who uses it.");
      saw.rejected = last(yield { call: "story_bot", with: {} });
      saw.mended = last(yield complete("clerks"));
      await answers("approve", "--comment", "Much better.");
      saw.approved = last(yield complete("clerks"));
      saw.next = last(yield { call: "story_bot", with: {} });
      return "That was all.";
    },
  });
  expect(exitCode, stderr).toBe(0);
  expect(stdout).toContain("That was all.");
  expect(saw.waits).toContain("awaiting_human");
  expect(saw.waits).toContain("waymark approve");
  expect(saw.rejected).toContain("Name who uses it.");
  expect(saw.mended).toContain("awaiting_human");
  expect(saw.approved).toContain("When done, proceed to decide_planning_criteria");
  expect(saw.next).toContain("decide_planning_criteria");
  expect(JSON.parse(readFileSync(join(root, "workflow_state.json"), "utf8"))).toMatchObject({
    completed_actions: [{ action_state: "story_bot.shape.gather_context" }],
  });
  expect((await runCli(["verify", "--root", root])).code).toBe(0);
});
