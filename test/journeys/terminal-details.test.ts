import { expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { sitDown } from "../people.ts";
import { callPhase, fieldOf, plantWorkflow } from "../phased.ts";
import { makeProject } from "../project.ts";
import { provingGate, provingProject } from "../proving.ts";
import { openWindow } from "../window.ts";

test("going back to the step that is open says that it is open", async () => {
  const project = makeProject();
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  const { code, stderr } = await runCli(["back", "gather_context", "--root", project.root]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("gather_context is open now")]);
});

test("a run that does not exist is not called waiting; export takes the beginning of an id, as other commands do", async () => {
  const project = plantWorkflow({ phases: 2 });
  const window = await openWindow(project.root);
  const start = async (target_file: string) =>
    (await callPhase(window, "start_workflow", { workflow_type: "survey", target_file })).session_id ?? "";
  const session = await start("src/a.ts");
  await start("src/b.ts");
  const approving = await runCli(["approve", "nothing", "--root", project.root]);
  expect(approving.stderr).toContain("There is no run nothing here.");
  for (const named of [session, session.slice(0, 14), "src/a.ts"]) {
    const { stdout } = await runCli(["export", named, "--json", "--root", project.root]);
    expect(JSON.parse(stdout).desks.map(({ desk }: { desk: string }) => desk)).toEqual([session]);
  }
});

test("a refusal is the same as before only if its reasons are the same", async () => {
  const project = plantWorkflow({ phases: 2 });
  const window = await openWindow(project.root);
  const { session_id } = await callPhase(window, "start_workflow", { workflow_type: "survey" });
  const submit = (evidence: object) => callPhase(window, "complete_phase", { session_id, phase: 1, evidence });
  const same = async () =>
    JSON.parse((await runCli(["status", "--json", "--root", project.root])).stdout).sessions[0].same_gaps ?? false;
  await submit({});
  await submit({ [fieldOf(1)]: "no number" });
  expect(await same()).toBe(false);
  await submit({ [fieldOf(1)]: "no number" });
  expect(await same()).toBe(true);
});

test("a command that several gates run is asked for once, and Enter means not now", async () => {
  const project = provingProject({ passed: 12 }, provingGate);
  const gate = ".waymark/base_actions/gather_context/gate-definition.yaml";
  project.write(".waymark/base_actions/render_output/gate-definition.yaml", project.read(gate));
  const trusted = async () =>
    JSON.parse((await runCli(["trust", "--list", "--json", "--root", project.root])).stdout).commands.map(
      (one: { trusted: boolean }) => one.trusted,
    );
  const later = sitDown().runs(project, ["trust"]);
  await later.sees("[y/N]");
  await later.type("\r");
  await later.sees("Not now");
  await later.ends();
  expect(await trusted()).toEqual([false, false]);
  const now = sitDown().runs(project, ["trust"]);
  await now.sees("[y/N]");
  await now.type("y\r");
  await now.sees("Trusted.");
  await now.ends();
  expect(await trusted()).toEqual([true, true]);
});
