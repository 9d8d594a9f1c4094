import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runCli, runProcess, waymark } from "../command-line.ts";
import { keyed, reply } from "../people.ts";
import { freshProject, postgresUrl } from "../postgres.ts";
import { provingGate } from "../proving.ts";
import { git } from "../repository.ts";
import { commit, completed, openBridged, ranIn, serverProject, workTree } from "./bridging.ts";
import { startServer } from "./server.ts";

const honest = { evidence: { summary: "done" }, confirmation: "yes" };

it("two people, one server with PostgreSQL, a runner beside the files and one apart: both results are proved offline", async () => {
  const project = serverProject();
  const { root } = project;
  const independent = provingGate.replace("checks:", "runner: independent\nchecks:");
  project.write(".waymark/base_actions/decide_planning_criteria/gate-definition.yaml", independent);
  project.write(".waymark/config.json", { checks: { wait: "2s" } });
  expect((await runCli(["init", "--new-identity", "--root", root, "--yes"])).code).toBe(0);
  const store = `${await postgresUrl()}?schema=journey_test`; // tokens count for a whole schema
  const name = freshProject();
  const stored = ["--store", store, "--project", name, "--root", root];
  const token = async (who: string, role: string): Promise<string> =>
    JSON.parse(
      (await runCli(["token", "add", `${who}-${name}`, "--role", role, "--root", root, "--store", store, "--json"]))
        .stdout,
    ).token;
  const { url } = await startServer(root, { store, project: name });

  // Anna's assistant works in her checkout.
  const tree = workTree({ passed: 11 });
  const window = await openBridged(url, tree, { token: await token("anna", "agent") });
  await runCli(["trust", "--root", tree.root, "--yes"]);
  await window.call("shape_bot");
  const claim = { evidence: { summary: "done", tests_passed: 12 }, confirmation: "yes" };
  expect(await completed(window, claim)).toMatchObject({ error: "check_untrusted" });
  await runCli(["trust", "--root", tree.root, "--yes"]);
  const found = await completed(window, claim);
  expect(found.missing_evidence).toEqual(["tests_passed (claimed 12, found 11)"]);
  tree.write("plan.json", { passed: 12 });
  expect(await completed(window, claim)).toMatchObject({ status: "completed" });
  expect(ranIn(tree)).toBe(2);

  // The next gate waits for a runner that nobody whose work it checks can reach.
  await window.call("shape_bot");
  const alone = await window.call("complete_action", honest);
  expect(alone).toMatchObject({ status: "checking", waiting_for: "runner" });
  expect(alone.instructions).toContain("waymark runner --url");

  // An operator enrolls one, in another user's home with a clone of its own, and an approver trusts its key.
  const sha = commit(tree);
  const home = mkdtempSync(join(tmpdir(), "waymark-runner-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  git(home, "clone", "-q", tree.root, "clone");
  const env = { HOME: home, XDG_STATE_HOME: join(home, "state"), XDG_CONFIG_HOME: join(home, "config") };
  const clone = join(home, "clone");
  const made = JSON.parse(
    (await runProcess(["runner", "--enroll", "ci", "--root", clone, "--json"], clone, env)).stdout,
  );
  expect(made.enrolled).toBe(false);
  await runCli(["runner", "--enroll", "ci", "--public", made.public, "--root", root]);
  await runCli(["trust", "--root", root, "--yes"]);
  const dana = await keyed({ root }, "dana");
  const terminal = dana.runs({ root }, ["trust"]);
  await reply(terminal, "local/independent", "independent");
  await reply(terminal, "Passphrase for dana", "correct horse");
  await terminal.ends();

  const ci = await token("ci", "runner");
  const start = (): ReturnType<typeof spawn> => {
    const child = spawn(process.execPath, [waymark, "runner", "--url", url, "--root", clone], {
      env: { PATH: process.env.PATH, ...env, WAYMARK_TOKEN: ci },
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    return child;
  };
  start();
  const elsewhere = await completed(window, honest);
  expect(elsewhere).toMatchObject({ error: "check_untrusted" });
  expect((await runProcess(["trust", "--root", clone, "--yes"], clone, env)).stdout).toContain("run-tests.cjs");
  expect(await completed(window, honest)).toMatchObject({ status: "completed" });
  expect(ranIn(tree)).toBe(2);

  const { stdout, code } = await runCli(["verify", ...stored]);
  expect(stdout).toContain("tests passed, local, run by the caller's own runner");
  expect(stdout).toContain(`tests passed, independent, run by runner ci`);
  expect(stdout).toContain(`commit ${sha.slice(0, 12)}`);
  expect(code).toBe(0);
  // The runner's report lies in its own checkout: this machine cannot call it stale.
  expect((await runCli(["status", ...stored])).stdout).not.toContain("stale");
}, 120_000);
