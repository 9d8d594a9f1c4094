import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { runCli } from "../command-line.ts";
import { wholeOr } from "../whole.ts";
import { runClaude } from "./claude.ts";
import { runCodex } from "./codex.ts";
import type { Seen } from "./model-api.ts";
import { makeProject } from "./project.ts";

const SERVER = process.env.WAYMARK_HOST_TEST_SERVER ?? resolve("dist/waymark.js");

const hosts = [
  { name: "Claude Code", run: runClaude, model: "claude-sonnet-4-5" },
  { name: "Codex", run: runCodex, model: "scripted" },
];

const gate = `evidence_schema:
  tests_passed: { type: integer, required: true, description: how many tests passed, validator: at_least_12 }
checks:
  - name: tests
    run: [node, tests.cjs]
    report: { format: tap, path: report.tap }
    gives: { tests_passed: passed }
`;

/** A suite of so many tests. */
const suite = (passed: number): string =>
  `const lines = Array.from({ length: ${passed} }, (_, at) => "ok " + (at + 1));
require("node:fs").writeFileSync("report.tap", ["1..${passed}", ...lines, ""].join("\\n"));
`;

describe.each(wholeOr(hosts, hosts.slice(0, 1)))("an agent in $name", ({ run, model }) => {
  test("claims twelve tests, is told that eleven were found, writes the twelfth, and goes on", async () => {
    const root = mkdtempSync(join(tmpdir(), "waymark-proof-"));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    await makeProject(root);
    writeFileSync(join(root, ".waymark/base_actions/gather_context/gate-definition.yaml"), gate);
    writeFileSync(join(root, "tests.cjs"), suite(11));
    expect((await runCli(["trust", "--yes", "--root", root])).code).toBe(0);
    const saw = { claimed: "", mended: "" };
    const state = `XDG_STATE_HOME=${process.env.XDG_STATE_HOME}`;
    const { exitCode, stdout, stderr } = await run({
      root,
      model,
      mcpCommand: ["/usr/bin/env", state, process.execPath, SERVER, "serve", "--root", root],
      prompt: "Let us write user stories.",
      script: async function* (first: Seen) {
        const complete = { call: "complete_action", with: { evidence: { tests_passed: 12 }, confirmation: "done" } };
        const last = ({ answers }: Seen): string => answers.at(-1) ?? "";
        for (const tool of ["story_bot", "complete_action"])
          if (!first.tools.join().includes(tool)) yield { search: tool };
        yield { call: "story_bot", with: {} };
        saw.claimed = last(yield complete);
        writeFileSync(join(root, "tests.cjs"), suite(12));
        saw.mended = last(yield complete);
        // Without a terminal the host answers the question to the person itself: with a cancel or a decline.
        if (!saw.mended.includes("When done")) saw.mended = last(yield complete);
        return "That was all.";
      },
    });
    expect(exitCode, stderr).toBe(0);
    expect(stdout).toContain("That was all.");
    expect(saw.claimed).toContain("tests_passed (claimed 12, found 11)");
    expect(saw.mended).toContain("When done, proceed to decide_planning_criteria");
    expect(JSON.parse(readFileSync(join(root, "workflow_state.json"), "utf8"))).toMatchObject({
      completed_actions: [{ action_state: "story_bot.shape.gather_context" }],
    });
  });
});
