import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { cp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { runCli, runProcess, waymark } from "../command-line.ts";
import { keyed, reply, sitDown } from "../people.ts";
import { freshProject, postgresUrl } from "../postgres.ts";
import { projectAt } from "../project.ts";
import { commitAll, git } from "../repository.ts";
import { startServer } from "../team/server.ts";
import { runClaude } from "./claude.ts";
import type { Seen, Turn } from "./model-api.ts";
import { makeProject } from "./project.ts";

const gate = `evidence_schema:
  tests_passed: { type: integer, required: true, description: how many tests passed, validator: at_least_12 }
checks:
  - name: tests
    run: [node, tests.cjs]
    report: { format: tap, path: report.tap }
    gives: { tests_passed: passed }
`;

/** A suite of so many tests, which notes that it ran. */
const suite = (passed: number): string =>
  `const fs = require("node:fs");
fs.appendFileSync("ran.txt", "x");
const lines = Array.from({ length: ${passed} }, (_, at) => "ok " + (at + 1));
fs.writeFileSync("report.tap", ["1..${passed}", ...lines, ""].join("\\n"));
`;

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "waymark-bridge-host-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

test("an agent in Claude Code works on a team server with PostgreSQL: its claim is found out, it fixes the code, and a second runner proves it", async () => {
  const [served, tree] = [folder(), projectAt(folder())];
  await makeProject(served);
  const definitions = projectAt(served);
  definitions.write(".waymark/base_actions/gather_context/gate-definition.yaml", gate);
  const independent = gate.replace("checks:", "runner: independent\nchecks:");
  definitions.write(".waymark/base_actions/decide_planning_criteria/gate-definition.yaml", independent);
  definitions.write(".waymark/config.json", { checks: { wait: "3s" } });
  expect((await runCli(["init", "--new-identity", "--root", served, "--yes"])).code).toBe(0);
  tree.write("tests.cjs", suite(11));
  tree.write("notes.md", "Two product managers.\n");
  tree.write(".gitignore", "ran.txt\nreport.tap\n");
  const commit = (message: string): string => {
    commitAll(tree.root, message);
    return git(tree.root, "rev-parse", "HEAD").trim();
  };
  git(tree.root, "init", "-q");
  commit("eleven");
  const store = `${await postgresUrl()}?schema=bridge_host`; // tokens count for a whole schema
  const name = freshProject();
  const stored = ["--store", store, "--project", name, "--root", served];
  const server = await startServer(served, { store, project: name });
  const token = async (who: string, role: string): Promise<string> =>
    JSON.parse(
      (
        await runCli([
          "token",
          "add",
          `${who}-${name}`,
          "--role",
          role,
          ...stored.slice(0, 2),
          "--root",
          served,
          "--json",
        ])
      ).stdout,
    ).token;
  const person = sitDown().runs(tree, ["serve", "--remote", server.url, "--login"]);
  await reply(person, "Token for", await token("anna", "agent"));
  await person.sees("Signed in at");
  await person.ends();

  // A second runner: another user's folder, with a clone of its own.
  const home = folder();
  const env = { HOME: home, XDG_STATE_HOME: join(home, "state"), XDG_CONFIG_HOME: join(home, "config") };
  const clone = join(home, "clone");
  git(home, "clone", "-q", tree.root, "clone");
  const ci = await token("ci", "runner");
  const startRunner = async (): Promise<void> => {
    const made = JSON.parse(
      (await runProcess(["runner", "--enroll", "ci", "--root", clone, "--json"], clone, env)).stdout,
    );
    expect(made.enrolled).toBe(false);
    await runCli(["runner", "--enroll", "ci", "--public", made.public, "--root", served]);
    await runCli(["trust", "--root", served, "--yes"]);
    const dana = (await keyed({ root: served }, "dana")).runs({ root: served }, ["trust"]);
    await reply(dana, "local/independent", "independent");
    await reply(dana, "Passphrase for dana", "correct horse");
    await dana.ends();
    const child = spawn(process.execPath, [waymark, "runner", "--url", server.url, "--root", clone], {
      env: { PATH: process.env.PATH, ...env, WAYMARK_TOKEN: ci },
      stdio: "ignore",
    });
    onTestFinished(() => void child.kill("SIGKILL"));
  };

  const saw = { opened: "", untrusted: "", claimed: "", fixed: "", waits: "", elsewhere: "", proved: "" };
  let sha = "";
  const { exitCode, stdout, stderr } = await runClaude({
    root: tree.root,
    mcpCommand: [
      ...(["/usr/bin/env", `XDG_STATE_HOME=${process.env.XDG_STATE_HOME}`] as const),
      ...[process.execPath, resolve("dist/waymark.js"), "serve", "--remote", server.url, "--root", tree.root],
    ],
    prompt: "Let us write user stories.",
    script: async function* (first: Seen) {
      const last = ({ answers }: Seen): string => answers.at(-1) ?? "";
      const content = [{ path: "notes.md" }];
      /** Completes, again while a check runs, and with the person's word where the host answered for them. */
      async function* complete(action: string): AsyncGenerator<Turn, string, Seen> {
        for (;;) {
          const given = { action, evidence: { tests_passed: 12 }, content, confirmation: "done" };
          const said = last(yield { call: "complete_action", with: given });
          if (!/"status":"(checking|awaiting_human)"/.test(said)) return said;
          await wait(200);
        }
      }
      if (!first.tools.join().includes("story_bot")) yield { search: "user stories, complete action" };
      saw.opened = last(yield { call: "story_bot", with: {} });
      saw.untrusted = yield* complete("gather_context");
      await runCli(["trust", "--yes", "--root", tree.root]);
      saw.claimed = yield* complete("gather_context");
      tree.write("tests.cjs", suite(12));
      saw.fixed = yield* complete("gather_context");
      sha = commit("twelve");
      yield { call: "story_bot", with: {} };
      const second = { action: "decide_planning_criteria" };
      saw.waits = last(yield { call: "complete_action", with: { ...second, evidence: { tests_passed: 12 }, content } });
      await startRunner();
      saw.elsewhere = yield* complete("decide_planning_criteria");
      await runProcess(["trust", "--root", clone, "--yes"], clone, env);
      saw.proved = yield* complete("decide_planning_criteria");
      return "That was all.";
    },
  });
  expect([exitCode, stdout.trim()], stderr + server.log()).toEqual([0, "That was all."]);
  expect(saw.opened).toContain("started");
  expect(saw.untrusted).toContain("check_untrusted");
  expect(saw.claimed).toContain("tests_passed (claimed 12, found 11)");
  expect(saw.fixed).toContain("When done, proceed to decide_planning_criteria");
  expect(saw.fixed).toContain("notes.md");
  expect(saw.waits).toContain('"waiting_for":"runner"');
  expect(saw.waits).toContain("waymark runner --url");
  expect(saw.waits).not.toMatch(/fix/i);
  expect(saw.elsewhere).toContain("check_untrusted");
  expect(saw.proved).toContain("proceed to build_knowledge");
  expect(tree.read("ran.txt")).toBe("xx");

  // Proved offline: out of the database, into files that no server knows.
  const file = join(home, "history");
  expect((await runCli(["export", "--history", file, ...stored])).code).toBe(0);
  const offline = folder();
  await cp(join(served, ".waymark"), join(offline, ".waymark"), { recursive: true });
  await rm(join(offline, ".waymark/team"), { recursive: true, force: true });
  const imported = await runCli(["import", file, "--root", offline]);
  expect([imported.code, imported.stderr]).toEqual([0, ""]);
  for (const place of [stored, ["--root", offline]]) {
    const verified = await runCli(["verify", ...place]);
    expect(verified.stdout).toContain("tests passed, local, run by the caller's own runner");
    expect(verified.stdout).toContain("tests passed, independent, run by runner ci");
    expect(verified.stdout).toContain(`commit ${sha.slice(0, 12)}`);
    expect(verified.code, verified.stdout).toBe(0);
  }
  // The runner's report is in its own checkout: this machine cannot call it stale.
  expect((await runCli(["status", ...stored])).stdout).not.toContain("stale");
});
