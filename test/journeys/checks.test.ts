import { describe, expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { callPhase } from "../phased.ts";
import { makeProject, type Project } from "../project.ts";
import { openProcess, openWindow } from "../window.ts";

/** A runner of tests that reports what its plan says. */
const runner = `
const fs = require("node:fs");
const plan = JSON.parse(fs.readFileSync("plan.json", "utf8"));
fs.mkdirSync("reports", { recursive: true });
const cases = [];
for (let n = 0; n < plan.passed; n++) cases.push('<testcase name="p' + n + '" time="0.1"/>');
for (let n = 0; n < plan.failed; n++) cases.push('<testcase name="f' + n + '" time="0.1"><failure/></testcase>');
setTimeout(() => {
  fs.writeFileSync("reports/junit.xml", "<testsuites>" + cases.join("") + "</testsuites>");
  console.log(plan.failed + " failed");
  process.exit(plan.failed > 0 ? 1 : 0);
}, plan.ms || 0);
`;

const gate = `evidence_schema:
  tests_passed: {type: integer, required: true, description: how many tests passed, validator: greater_than_0}
  summary: {type: string, required: true, description: what was done}
checks:
  - name: tests
    run: [node, run-tests.cjs]
    report: {format: junit, path: reports/junit.xml}
    gives: {tests_passed: passed}
    reads: ["*.cjs", "*.json"]
`;

function projectWith(plan: object): Project {
  const project = makeProject();
  project.write("run-tests.cjs", runner);
  project.write("plan.json", plan);
  project.write(".waymark/base_actions/gather_context/gate-definition.yaml", gate);
  return project;
}

const trust = ({ root }: Project) => runCli(["trust", "--root", root, "--yes"]);

describe("a check that Waymark runs itself", () => {
  test("nothing is run before a person has trusted it, and what the assistant claims is held against what is found", async () => {
    const project = projectWith({ passed: 11, failed: 0 });
    const window = await openWindow(project.root);
    await window.call("shape_bot");
    const submitted = { evidence: { summary: "done", tests_passed: 12 }, confirmation: "yes" };
    const untrusted = await window.call("complete_action", submitted);
    expect(untrusted).toMatchObject({ status: "refused", error: "check_untrusted", isError: true });
    expect((await runCli(["show", "--root", project.root])).stdout).toContain("Review it with waymark trust");
    await trust(project);
    const claimed = await window.call("complete_action", submitted);
    expect(claimed).toMatchObject({ status: "refused", error: "incomplete_checkpoint" });
    expect(claimed.missing_evidence).toEqual(["tests_passed (claimed 12, found 11)"]);
    expect(claimed.checks).toMatchObject([{ name: "tests", status: "passed", summary: "11 of 11 tests passed" }]);
    const done = await window.call("complete_action", { evidence: { summary: "done" }, confirmation: "yes" });
    expect(done).toMatchObject({ status: "completed", checks: [{ name: "tests", status: "passed" }] });
  });

  test("one that fails says what it wrote, and is run again at the next completion", async () => {
    const project = projectWith({ passed: 3, failed: 1 });
    await trust(project);
    const window = await openWindow(project.root);
    await window.call("shape_bot");
    const submitted = { evidence: { summary: "done" }, confirmation: "yes" };
    const failed = await window.call("complete_action", submitted);
    expect(failed).toMatchObject({
      error: "check_failed",
      checks: [{ status: "failed", exit: 1, output: "1 failed" }],
    });
    project.write("plan.json", { passed: 4, failed: 0 });
    expect(await window.call("complete_action", submitted)).toMatchObject({ status: "completed" });
  });
});

describe("a check that takes long", () => {
  const submitted = { evidence: { summary: "done" }, confirmation: "yes" };

  function slowProject(ms: number): Project {
    const project = projectWith({ passed: 5, failed: 0, ms });
    project.write(".waymark/config.json", { checks: { wait: "1s" } });
    return project;
  }

  test("is answered with checking, holds up no other call, and the same call again, on any connection, gets the result", async () => {
    const project = slowProject(4000);
    await trust(project);
    const [window, other] = [await openWindow(project.root), await openWindow(project.root)];
    await window.call("shape_bot");
    const first = await window.call("complete_action", submitted);
    expect(first).toMatchObject({ status: "checking", isError: false, checks: [{ name: "tests", status: "running" }] });
    expect(first.kept).toEqual({ outputs: [], content: [] });
    expect(await window.call("discovery_bot")).toMatchObject({ status: "started", action: "gather_context" });
    const second = await other.call("complete_action", { ...submitted, behavior: "shape", action: "gather_context" });
    expect(second.status).toBe("checking");
    let last = second;
    while (last.status === "checking")
      last = await other.call("complete_action", { ...submitted, behavior: "shape", action: "gather_context" });
    expect(last).toMatchObject({ status: "completed", checks: [{ status: "passed" }] });
    const runs = project.read(".waymark/journal/story_bot.jsonl").match(/"type":"checked"/g);
    expect(runs).toHaveLength(1);
  });

  test("is run again by the next server where its own was killed", async () => {
    const project = slowProject(60_000);
    await trust(project);
    const window = await openProcess(project.root);
    await window.call("shape_bot");
    expect(await window.call("complete_action", submitted)).toMatchObject({ status: "checking" });
    await window.kill();
    project.write("plan.json", { passed: 6, failed: 0 });
    const next = await openProcess(project.root);
    const found = await next.call("shape_bot");
    expect(found.status).toBe("interrupted");
    let last = await next.call("complete_action", submitted);
    while (last.status === "checking") last = await next.call("complete_action", submitted);
    expect(last).toMatchObject({ status: "completed", checks: [{ status: "passed", summary: "6 of 6 tests passed" }] });
  });

  test("tells a client that wants to know how it goes on", async () => {
    const project = slowProject(1500);
    project.write(".waymark/config.json", {});
    await trust(project);
    const { client, call } = await openWindow(project.root);
    await call("shape_bot");
    const heard: (string | undefined)[] = [];
    const onprogress = ({ message }: { message?: string | undefined }) => void heard.push(message);
    const result = await client.callTool({ name: "complete_action", arguments: submitted }, { onprogress });
    expect(result.structuredContent).toMatchObject({ status: "completed" });
    expect(heard[0]).toBe("Checking gather_context: tests");
  });
});

test("a phase is checked in the same way", async () => {
  const project = projectWith({ passed: 2, failed: 0 });
  project.write(".waymark/workflows/proof/metadata.json", { name: "proof", total_phases: 2 });
  for (const phase of [1, 2]) {
    project.write(`.waymark/workflows/proof/phases/${phase}/phase.md`, `# Phase ${phase}\n\nDo it.\n`);
    project.write(`.waymark/workflows/proof/phases/${phase}/gate-definition.yaml`, gate);
  }
  await trust(project);
  const window = await openWindow(project.root);
  const { session_id } = await callPhase(window, "start_workflow", { workflow_type: "proof" });
  const lied = await callPhase(window, "complete_phase", {
    session_id,
    phase: 1,
    evidence: { summary: "x", tests_passed: 40 },
  });
  expect(lied).toMatchObject({
    checkpoint_passed: false,
    error: "incomplete_checkpoint",
    missing_evidence: ["tests_passed (claimed 40, found 2)"],
  });
  const passed = await callPhase(window, "complete_phase", { session_id, phase: 1, evidence: { summary: "x" } });
  expect(passed).toMatchObject({ checkpoint_passed: true, phase_completed: 1 });
  expect(passed.artifacts_available).toMatchObject({ "1": { tests_passed: 2 } });
});
