import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCli } from "../command-line.ts";
import { sitDown } from "../people.ts";
import { runClaude } from "./claude.ts";
import type { Seen } from "./model-api.ts";
import { makeProject } from "./project.ts";

const SERVER = process.env.WAYMARK_HOST_TEST_SERVER ?? resolve("dist/waymark.js");
const gate = `evidence_schema:
  reproduced: {type: boolean, required: true, description: the bug was seen}
`;

test("an agent in Claude Code cannot reproduce a bug and says so; a person answers at a terminal, and the walk goes on", async () => {
  const root = mkdtempSync(join(tmpdir(), "waymark-blocked-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  await makeProject(root);
  writeFileSync(join(root, ".waymark/base_actions/gather_context/gate-definition.yaml"), gate);
  const saw: Record<string, string> = {};
  const { exitCode, stdout, stderr } = await runClaude({
    root,
    mcpCommand: [
      ...(["/usr/bin/env", `XDG_STATE_HOME=${process.env.XDG_STATE_HOME}`] as const),
      ...[process.execPath, SERVER, "serve", "--root", root],
    ],
    prompt: "Fix the bug.",
    script: async function* (first: Seen) {
      const last = ({ answers: all }: Seen): string => all.at(-1) ?? "";
      for (const tool of ["story_bot", "complete_action"])
        if (!first.tools.join().includes(tool)) yield { search: tool };
      yield { call: "story_bot", with: {} };
      saw.blocked = last(yield { call: "complete_action", with: { blocked: "There is no printer here." } });
      const answering = sitDown().runs({ root }, ["answer", "story_bot.shape", "Use the virtual printer."]);
      await answering.sees("is open again");
      await answering.ends();
      saw.answered = last(yield { call: "story_bot", with: {} });
      const done = { evidence: { reproduced: true }, confirmation: "They saw it too" };
      // this host asks its person first, who is not there; their words count after that
      yield { call: "complete_action", with: done };
      saw.completed = last(yield { call: "complete_action", with: done });
      return "That was all.";
    },
  });
  expect(exitCode, stderr).toBe(0);
  expect(stdout).toContain("That was all.");
  expect(saw.blocked).toContain("awaiting_human");
  expect(saw.blocked).toContain("waymark answer story_bot.shape");
  expect(saw.answered).toContain("Use the virtual printer.");
  expect(saw.completed).toContain("When done, proceed to decide_planning_criteria");
  expect(JSON.parse(readFileSync(join(root, "workflow_state.json"), "utf8"))).toMatchObject({
    completed_actions: [{ action_state: "story_bot.shape.gather_context" }],
  });
  expect((await runCli(["verify", "--root", root])).code).toBe(0);
});
