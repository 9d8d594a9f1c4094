import { expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { callPhase, evidenceFor, plantWorkflow } from "../phased.ts";
import { openWindow } from "../window.ts";

test("a target names the session that still goes on; where several do, their ids are asked for", async () => {
  const project = plantWorkflow({ phases: 1 });
  const window = await openWindow(project.root);
  const begin = async (): Promise<string> => {
    const begun = { workflow_type: "survey", target_file: "a.ts" };
    return String((await callPhase(window, "start_workflow", begun)).session_id);
  };
  const complete = (session_id: string) =>
    callPhase(window, "complete_phase", { session_id, phase: 1, evidence: evidenceFor(1) });
  const named = () => runCli(["export", "a.ts", "--json", "--root", project.root]);
  const done = await begin();
  await complete(done);
  const current = await begin();
  expect(current).not.toBe(done);
  expect((await named()).stdout).toContain(current);
  await complete(current);
  expect((await named()).stderr).toContain("can mean several sessions");
});
