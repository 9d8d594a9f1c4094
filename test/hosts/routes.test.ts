import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCli } from "../command-line.ts";
import { sitDown } from "../people.ts";
import { runClaude } from "./claude.ts";
import type { Seen } from "./model-api.ts";

const SERVER = process.env.WAYMARK_HOST_TEST_SERVER ?? resolve("dist/waymark.js");

test("an agent in Claude Code debugs in rounds: back to the cause, to the bound, and once more on a person's word", async () => {
  const root = mkdtempSync(join(tmpdir(), "waymark-routes-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const workflow = "superpowers-debugging";
  cpSync(resolve(`test/routes/processes/${workflow}.md`), join(root, `.waymark/workflows/${workflow}.md`));
  const read: string[] = [];
  const { exitCode, stdout, stderr } = await runClaude({
    root,
    mcpCommand: [
      ...(["/usr/bin/env", `XDG_STATE_HOME=${process.env.XDG_STATE_HOME}`] as const),
      ...[process.execPath, SERVER, "serve", "--root", root],
    ],
    prompt: "Find out why it crashes.",
    script: async function* (first: Seen) {
      const last = ({ answers: all }: Seen): string => all.at(-1) ?? "";
      for (const tool of ["start_workflow", "complete_phase", "get_phase_content"])
        if (!first.tools.join().includes(tool)) yield { search: tool };
      const started = last(
        yield { call: "start_workflow", with: { workflow_type: workflow, inputs: { symptom: "a crash" } } },
      );
      const session_id = /superpowers-debugging-[0-9a-f]+-\d+/.exec(started)?.[0] ?? "";
      read.push(started);
      const rounds = [false, false, false, true];
      for (const [round, fixed] of rounds.entries()) {
        const turns: readonly object[] = [
          { phase: 1, evidence: { reproduced: true, cause: `cause ${round}` } },
          { phase: 2, evidence: { differences: ["one"] } },
          { phase: 3, evidence: { hypothesis: "this one", confirmed: true } },
          { phase: 4, evidence: { failing_test: "t", fixed } },
        ];
        for (const turn of turns) read.push(last(yield { call: "complete_phase", with: { session_id, ...turn } }));
        if (round !== 2) continue;
        const answering = sitDown().runs({ root }, ["answer", session_id, "Look at the allocator.", "--again"]);
        await answering.sees("leads back once more");
        await answering.ends();
        read.push(last(yield { call: "get_phase_content", with: { session_id } }));
      }
      return "That was all.";
    },
  });
  expect(exitCode, stderr).toBe(0);
  expect(stdout).toContain("That was all.");
  const [started, ...replies] = read;
  expect(started).toContain("reproduce a crash");
  expect(replies[3]).toMatch(/"round":\s*2/);
  expect(replies[3]).toMatch(/"came_back_from"/);
  expect(replies[11]).toContain('"status":"blocked"');
  expect(replies[12]).toContain("Look at the allocator.");
  expect(replies.at(-1)).toMatch(/"outcome":\s*"done"/);
  for (const reply of read) expect(reply).not.toMatch(/back_to|then:|when:|passed_over/);
  const verify = ["verify", "--require", workflow, "--root", root];
  expect((await runCli([...verify, "--allow-waived"])).code).toBe(0);
  expect((await runCli(verify)).code).toBe(1);
});
