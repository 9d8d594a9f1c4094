// Walks the library's process with a scripted assistant, then judges the result as CI does: `node examples/library/check.mjs`.
import { match, strictEqual } from "node:assert";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { parse } from "yaml";

const tests = `import assert from "node:assert";
import { test } from "node:test";
import { total } from "../src/prices.js";

test("one piece", () => assert.equal(total(100, 1), 100));
test("ten pieces are cheaper", () => assert.equal(total(100, 10), 950));
test("no pieces are refused", () => assert.throws(() => total(100, 0), RangeError));
`;

const waymark = fileURLToPath(new URL("../../dist/waymark.js", import.meta.url));
const top = mkdtempSync(join(tmpdir(), "waymark-library-"));
const root = join(top, "prices");
const env = { ...process.env, XDG_STATE_HOME: join(top, "state"), HOME: top };

try {
  await run();
} finally {
  rmSync(top, { recursive: true, force: true });
}

async function run() {
  cpSync(fileURLToPath(new URL("project", import.meta.url)), root, { recursive: true });
  git("init", "--quiet", "--initial-branch=main");
  command("init", "--history", "committed"); // git keeps the histories, so that CI can read them
  commit("A library with a process");
  git("checkout", "--quiet", "-b", "tests-for-prices");
  command("trust", "--yes");

  const client = new Client({ name: "scripted-assistant", version: "1.0.0" }, { capabilities: {} });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [waymark, "serve"], cwd: root, env, stderr: "ignore" }),
  );
  const call = async (name, args) => (await client.callTool({ name, arguments: args })).structuredContent;

  const { session_id } = await call("start_workflow", {
    workflow_type: "test-generation",
    target_file: "src/prices.js",
  });
  const complete = (phase, given) => call("complete_phase", { session_id, phase, ...given });

  step("It tries to go straight to the review.");
  strictEqual((await call("get_phase_content", { session_id, requested_phase: 3 })).error, "phase_sequence_violation");

  step("It reads the file.");
  const cases = ["one piece", "ten pieces are cheaper", "no pieces are refused"];
  strictEqual((await complete(1, { evidence: { functions: ["total"], cases } })).checkpoint_passed, true);

  step("It writes three tests and claims that all of them pass. Waymark runs them: two pass.");
  mkdirSync(join(root, "test"));
  writeFileSync(join(root, "test/prices.test.js"), tests);
  const refused = await until(() => complete(2, { evidence: { tests_total: 3, tests_passed: 3 } }));
  strictEqual(refused.checkpoint_passed, false);
  match(JSON.stringify(refused), /tests_passed \(claimed 3, found 2\)/);

  step("The test is right and the code is wrong. It fixes the code.");
  const source = join(root, "src/prices.js");
  writeFileSync(source, readFileSync(source, "utf8").replace("pieces > 10", "pieces >= 10"));
  strictEqual((await until(() => complete(2, { evidence: {} }))).checkpoint_passed, true);

  step("The review waits for a person.");
  strictEqual((await complete(3, { evidence: { doubts: [] } })).error, "approval_required");
  const done = await complete(3, { evidence: { doubts: [] }, confirmation: "I have read them. Approved." });
  strictEqual(done.workflow_complete, true);
  await client.close();

  step("It commits, and CI judges the branch against main.");
  commit("Tests for prices");
  const { require, base = "main" } = gate();
  command("verify", "--require", require, "--base", base, "--recheck");

  step("A branch without the walk does not pass.");
  git("checkout", "--quiet", "-b", "without", "main");
  writeFileSync(join(root, "test.txt"), "no process here\n");
  commit("Skip the process");
  strictEqual(
    spawnSync(process.execPath, [waymark, "verify", "--require", require, "--base", base], { cwd: root, env }).status,
    1,
  );
  console.log("The library's process holds.");
}

/** What the workflow file asks the action for. */
function gate() {
  const { jobs } = parse(readFileSync(join(root, ".github/workflows/process.yml"), "utf8"));
  return jobs.walked.steps.at(-1).with;
}

/** Sends the same call again until its checks have ended. */
async function until(call) {
  for (;;) {
    const reply = await call();
    if (reply.status !== "checking") return reply;
  }
}

function command(...args) {
  return execFileSync(process.execPath, [waymark, ...args], { cwd: root, env, encoding: "utf8" });
}

function commit(message) {
  git("add", "--all");
  git("commit", "--quiet", `--message=${message}`);
}

function git(...args) {
  execFileSync("git", ["-c", "user.name=A Person", "-c", "user.email=person@example.org", ...args], { cwd: root, env });
}

function step(text) {
  console.log(text);
}
