import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCli } from "../command-line.ts";
import { freshProject, postgresUrl } from "../postgres.ts";
import { projectAt } from "../project.ts";
import { git } from "../repository.ts";
import { startServer } from "../team/server.ts";
import { runClaude } from "./claude.ts";
import type { Seen } from "./model-api.ts";
import { makeProject } from "./project.ts";

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

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "waymark-bridge-host-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

test("an agent in Claude Code works on a team server with PostgreSQL: it claims twelve tests, the runner beside it finds eleven, it writes the twelfth", async () => {
  const [served, tree] = [folder(), projectAt(folder())];
  await makeProject(served);
  projectAt(served).write(".waymark/base_actions/gather_context/gate-definition.yaml", gate);
  tree.write("tests.cjs", suite(11));
  tree.write("notes.md", "Two product managers.\n");
  git(tree.root, "init", "-q");
  git(tree.root, "add", "-A");
  git(tree.root, "commit", "-q", "-m", "eleven");
  // A server whose tokens are in the root, and whose histories are in the database.
  const store = `${await postgresUrl()}?schema=bridge_host`;
  const server = await startServer(served, { store, project: freshProject() });
  const saw = { opened: "", untrusted: "", claimed: "", fixed: "" };
  const state = `XDG_STATE_HOME=${process.env.XDG_STATE_HOME}`;
  const { exitCode, stdout, stderr } = await runClaude({
    root: tree.root,
    mcpCommand: [
      "/usr/bin/env",
      state,
      process.execPath,
      resolve("dist/waymark.js"),
      "serve",
      "--remote",
      server.url,
      "--root",
      tree.root,
    ],
    prompt: "Let us write user stories.",
    script: async function* (first: Seen) {
      const last = ({ answers }: Seen): string => answers.at(-1) ?? "";
      const content = [{ path: "notes.md" }];
      const complete = {
        call: "complete_action",
        with: { evidence: { tests_passed: 12 }, content, confirmation: "done" },
      };
      if (!first.tools.join().includes("story_bot")) yield { search: "user stories, complete action" };
      saw.opened = last(yield { call: "story_bot", with: {} });
      saw.untrusted = last(yield complete);
      await runCli(["trust", "--yes", "--root", tree.root]);
      saw.claimed = last(yield complete);
      tree.write("tests.cjs", suite(12));
      saw.fixed = last(yield complete);
      // Without a terminal the host answers the question to the person itself: with a cancel or a decline.
      if (!saw.fixed.includes("When done")) saw.fixed = last(yield complete);
      return "That was all.";
    },
  });
  expect([exitCode, stdout.trim()], stderr + server.log()).toEqual([0, "That was all."]);
  expect(saw.opened).toContain("started");
  expect(saw.untrusted).toContain("check_untrusted");
  expect(saw.claimed).toContain("tests_passed (claimed 12, found 11)");
  expect(saw.fixed).toContain("When done, proceed to decide_planning_criteria");
  expect(saw.fixed).toContain("notes.md");
});
