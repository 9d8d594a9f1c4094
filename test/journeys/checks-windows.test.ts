import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { callPhase } from "../phased.ts";
import { makeProject, type Project } from "../project.ts";
import { gateFile, trustAll } from "../proving.ts";
import { openWindow, type Window } from "../window.ts";

/** A project with a check that notes that it runs, and ends with `exit` when it is told to. */
function projectWith(exit: number): Project & { goOn(): void; runs(): number } {
  const project = makeProject();
  const script = `const fs = require("node:fs");
    fs.appendFileSync(".waymark/runs.txt", "run\\n");
    const wait = setInterval(() => { if (fs.existsSync(".waymark/go")) { clearInterval(wait); process.exitCode = ${exit}; } }, 10);`;
  project.write("check.cjs", script);
  project.write(gateFile, "checks:\n  - name: works\n    run: [node, check.cjs]\n");
  project.write(".waymark/config.json", { checks: { wait: "1s" } });
  return {
    ...project,
    goOn: () => project.write(".waymark/go", "now"),
    runs: () =>
      existsSync(join(project.root, ".waymark/runs.txt")) ? project.read(".waymark/runs.txt").length / 4 : 0,
  };
}

const done = { confirmation: "yes", behavior: "shape", action: "gather_context" };

/** Asks until there is a result. */
async function resultIn(window: Window): Promise<Awaited<ReturnType<Window["call"]>>> {
  for (;;) {
    const answer = await window.call("complete_action", done);
    if (answer.status !== "checking") return answer;
  }
}

// Attack (shell): Start the same check in two windows, or two checks in one work tree
// -> One runs, once; the other waits, and gets the same result
test.each([
  [0, "completed", "passed"],
  [3, "refused", "failed"],
])(
  "two windows that want the same check, which ends with %i, hear the same of one run",
  async (exit, status, found) => {
    const project = projectWith(exit);
    await trustAll(project);
    const [one, other] = [await openWindow(project.root), await openWindow(project.root)];
    await one.call("shape_bot");
    expect(await one.call("complete_action", done)).toMatchObject({ status: "checking" });
    const waiting = await other.call("complete_action", done);
    expect(waiting).toMatchObject({
      status: "checking",
      checks: [{ summary: expect.stringContaining("waiting for another check") }],
    });
    const results = Promise.all([resultIn(one), resultIn(other)]);
    await pause(300);
    project.goOn();
    for (const result of await results) expect(result, JSON.stringify(result)).toMatchObject({ status });
    expect((await results).flatMap(({ checks = [] }) => checks.map((one) => one.status))).toContain(found);
    expect(project.runs()).toBe(1);
  },
);

test("the window that ran a check hears that it failed, also where another was told first; then it runs again", async () => {
  const project = projectWith(3);
  await trustAll(project);
  const [one, other] = [await openWindow(project.root), await openWindow(project.root)];
  await one.call("shape_bot");
  expect(await one.call("complete_action", done)).toMatchObject({ status: "checking" });
  expect(await other.call("complete_action", done)).toMatchObject({ status: "checking" });
  project.goOn();
  expect(await resultIn(other)).toMatchObject({ status: "refused" });
  expect(await one.call("complete_action", done)).toMatchObject({ status: "refused", checks: [{ status: "failed" }] });
  expect(project.runs()).toBe(1);
  expect(await resultIn(one)).toMatchObject({ status: "refused" });
  expect(project.runs()).toBe(2);
});

test("while a check sleeps other runs go on, and so do the checks of another work tree; a second one of the same waits", async () => {
  const [asleep, elsewhere] = [projectWith(0), projectWith(0)];
  elsewhere.goOn();
  await trustAll(asleep);
  await trustAll(elsewhere);
  const [window, away] = [await openWindow(asleep.root), await openWindow(elsewhere.root)];
  await window.call("shape_bot");
  expect(await window.call("complete_action", done)).toMatchObject({ status: "checking" });

  await away.call("shape_bot");
  expect(await resultIn(away)).toMatchObject({ status: "completed" });
  expect(await window.call("discovery_bot", { run: "other" })).toMatchObject({ status: "started" });
  await window.call("shape_bot", { run: "second" });
  expect(await window.call("complete_action", { ...done, run: "second" })).toMatchObject({
    status: "checking",
    checks: [{ summary: "waiting for another check of this work tree to finish" }],
  });
  expect(asleep.runs()).toBe(1);
  asleep.goOn();
  while (asleep.runs() < 2) await pause(20);
});

test("a phase answers checking after the time that the settings say; then the same call gets the result, beside what was claimed", async () => {
  const project = projectWith(0);
  project.write(".waymark/workflows/proof/metadata.json", { name: "proof", total_phases: 1 });
  project.write(".waymark/workflows/proof/phases/1/phase.md", "# Phase 1\n\nDo it.\n");
  const asked = "evidence_schema:\n  note: {type: string, required: true, description: what was done}\n";
  const gate = `${asked}checks:\n  - name: works\n    run: [node, check.cjs]\n`;
  project.write(".waymark/workflows/proof/phases/1/gate-definition.yaml", gate);
  await trustAll(project);
  const window = await openWindow(project.root);
  const { session_id } = await callPhase(window, "start_workflow", { workflow_type: "proof" });
  const submitted = { session_id, phase: 1, evidence: { note: "done" } };
  const first = await callPhase(window, "complete_phase", submitted);
  expect(first).toMatchObject({ checkpoint_passed: false, status: "checking", checks: [{ status: "running" }] });
  project.goOn();
  let answer = first;
  while (answer.checkpoint_passed !== true && answer.error === undefined)
    answer = await callPhase(window, "complete_phase", submitted);
  expect(answer).toMatchObject({ checkpoint_passed: true, checks: [{ name: "works", status: "passed" }] });
});

test("a window that waited for a check gets its result, also where another completed the step with it meanwhile", async () => {
  const project = projectWith(0);
  await trustAll(project);
  const [one, other] = [await openWindow(project.root), await openWindow(project.root)];
  await one.call("shape_bot");
  expect(await one.call("complete_action", done)).toMatchObject({ status: "checking" });
  await other.call("shape_bot");
  project.goOn();
  expect(await resultIn(other)).toMatchObject({ status: "completed" });
  expect(await one.call("complete_action", done)).toMatchObject({ status: "completed" });
  expect(await one.call("complete_action", { ...done, evidence: { other: 1 } })).toMatchObject({ error: "conflict" });
});
