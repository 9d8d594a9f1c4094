import { expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { callPhase } from "../phased.ts";
import { honest, provingGate, provingProject, runsIn, trustAll } from "../proving.ts";
import { openWindow } from "../window.ts";

const report = (tests: number): string => `<testsuites>${'<testcase name="t" time="0.1"/>'.repeat(tests)}</testsuites>`;

// Attack (tools): Invent numbers that a check gives: 12 tests passed where 11 did
// -> Refused: `tests_passed (claimed 12, found 11)`. Claim and fact are both on record
test("with the tools alone: invented numbers are held against what is found, and both are on record", async () => {
  const project = provingProject({ passed: 11 });
  await trustAll(project);
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  for (const claimed of [12, 11.5, 110]) {
    const evidence = { summary: "done", tests_passed: claimed };
    const answer = await window.call("complete_action", { evidence, confirmation: "yes" });
    expect(answer).toMatchObject({
      error: "incomplete_checkpoint",
      checks: [{ status: "passed", summary: "11 of 11 tests passed" }],
      missing_evidence: [`tests_passed (claimed ${claimed}, found 11)`],
    });
  }
  // What is no number is no claim that could be right.
  const text = await window.call("complete_action", { evidence: { summary: "x", tests_passed: "11" } });
  expect(text.missing_evidence).toEqual(['tests_passed (claimed "11", found 11)']);
  expect(await window.call("complete_action", honest)).toMatchObject({ status: "completed" });
  const journal = project.read(".waymark/journal/story_bot.jsonl");
  expect(journal).toContain("claimed 12, found 11");
  expect(runsIn(project)).toBe(1);
});

// Attack (tools): Claim a number that a check should give and no report contains
// -> Refused: the check fails, and says which
test("with the tools alone: a number that the gate has found, and no report tells, is not taken from a claim", async () => {
  const gate = provingGate
    .replace("format: junit, path: reports/junit.xml", "format: lcov, path: lcov.info")
    .replace("tests_passed: passed", "tests_passed: branches_percent");
  const project = provingProject({}, gate);
  const lines = "SF:a.js\\nDA:1,1\\nend_of_record\\n";
  project.write("run-tests.cjs", `require("node:fs").writeFileSync("lcov.info", "${lines}");\n`);
  await trustAll(project);
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  const answer = await window.call("complete_action", {
    evidence: { summary: "done", tests_passed: 99 },
    confirmation: "yes",
  });
  expect(answer).toMatchObject({
    error: "check_failed",
    checks: [{ summary: "its reports do not give branches_percent" }],
  });
});

// Attack (tools): Submit the name or the result of a check as evidence
// -> Refused: a check is passed by running it
test("with the tools alone: a check's name, its result or a field of no gate, handed in as evidence, proves nothing", async () => {
  const project = provingProject({ passed: 1, failed: 1 });
  await trustAll(project);
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  const evidence = { summary: "x", tests: "passed", checks: [{ name: "tests", status: "passed" }], tests_passed: 1 };
  const answer = await window.call("complete_action", { ...honest, evidence, checks: [{ name: "tests" }] });
  expect(answer).toMatchObject({ status: "refused", isError: true });
  const next = await window.call("complete_action", honest);
  expect(next).toMatchObject({ error: "check_failed", checks: [{ name: "tests", status: "failed", exit: 1 }] });
});

// Attack (file tools): Make a report by hand, or leave one from an earlier run
// -> Refused: an earlier report is moved aside before the run
test("with file tools: a report made by hand, or left from an earlier run, is not counted", async () => {
  const project = provingProject({ passed: 0, silent: true });
  await trustAll(project);
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  expect((await window.call("complete_action", honest)).checks?.[0]?.summary).toMatch(/was not written/);
  project.write("reports/junit.xml", report(40));
  const byHand = await window.call("complete_action", { ...honest, evidence: { summary: "x", tests_passed: 40 } });
  expect(byHand).toMatchObject({ status: "refused", error: "check_failed" });
  expect(byHand.checks?.[0]?.summary).toMatch(/its report reports\/junit\.xml is older than this run/);
  project.write("plan.json", { passed: 3 });
  expect(await window.call("complete_action", honest)).toMatchObject({ status: "completed" });
  // The same for another step: the report of the run before is a report of another run.
  project.write(".waymark/base_actions/decide_planning_criteria/gate-definition.yaml", provingGate);
  project.write("plan.json", { passed: 3, silent: true });
  await window.call("shape_bot");
  const old = await window.call("complete_action", { ...honest, action: "decide_planning_criteria" });
  expect(old.checks?.[0]?.summary).toMatch(/is older than this run/);
});

// Attack (shell): Put a link in the place of a report, a pipe, a device or an endless file
// -> Refused: only a plain file inside the project area is read
test("with file tools: a report that is a link to another, or leads through one, is not counted", async () => {
  const project = provingProject({ passed: 0, silent: true });
  await trustAll(project);
  const { symlinkSync, mkdirSync } = await import("node:fs");
  project.write("other/junit.xml", report(40));
  mkdirSync(project.path("reports"));
  symlinkSync("../other/junit.xml", project.path("reports/junit.xml"));
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  expect((await window.call("complete_action", honest)).checks?.[0]?.summary).toMatch(/was not written/);
});

// Attack (file tools): Write tests that forge their own report, or test nothing
// -> Not caught: the author of the tests decides what they say. The result says when there are fewer tests than before, and which files that configure the runner have changed since
test("with file tools: a suite that forges its own report is not caught; a falling count and a changed configuration are said", async () => {
  const project = provingProject({ passed: 12 });
  project.write("vitest.config.ts", "export default {};\n");
  for (const action of ["decide_planning_criteria", "render_output"])
    project.write(`.waymark/base_actions/${action}/gate-definition.yaml`, provingGate);
  await trustAll(project);
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  expect(await window.call("complete_action", honest)).toMatchObject({ status: "completed" });
  project.write("plan.json", { passed: 9 });
  project.write("vitest.config.ts", "export default { test: { exclude: ['slow'] } };\n");
  await window.call("shape_bot");
  const fewer = await window.call("complete_action", honest);
  expect(fewer.status).toBe("completed");
  const summary = "9 of 9 tests passed; down from 12 tests; changed since then: vitest.config.ts";
  expect(fewer.checks?.[0]?.summary).toBe(summary);
  expect((await runCli(["log", "--root", project.root])).stdout).toContain(summary);
});

// Attack (file tools): Delete the tests that fail
// -> Not caught: those that are left pass. The result says how many there were before
test("with file tools: tests that fail can be deleted, and it is said how many there were", async () => {
  const project = provingProject({ passed: 10, failed: 2 });
  await trustAll(project);
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  expect(await window.call("complete_action", honest)).toMatchObject({ error: "check_failed" });
  project.write("plan.json", { passed: 10 });
  expect(await window.call("complete_action", honest)).toMatchObject({
    status: "completed",
    checks: [{ summary: "10 of 10 tests passed; down from 12 tests" }],
  });
});

test("a phase is held to what is found in the same way", async () => {
  const project = provingProject({ passed: 2 });
  project.write(".waymark/workflows/proof/metadata.json", { name: "proof", total_phases: 1 });
  project.write(".waymark/workflows/proof/phases/1/phase.md", "# Phase 1\n\nDo it.\n");
  project.write(".waymark/workflows/proof/phases/1/gate-definition.yaml", provingGate);
  await trustAll(project);
  const window = await openWindow(project.root);
  const { session_id } = await callPhase(window, "start_workflow", { workflow_type: "proof" });
  const evidence = { summary: "x", tests_passed: 40 };
  const lied = await callPhase(window, "complete_phase", { session_id, phase: 1, evidence });
  expect(lied).toMatchObject({ checkpoint_passed: false, error: "incomplete_checkpoint" });
  expect(lied.missing_evidence).toEqual(["tests_passed (claimed 40, found 2)"]);
});
