import fs from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { callPhase, plantWorkflow } from "../phased.ts";
import { makeProject } from "../project.ts";
import { newer, openWindow } from "../window.ts";

afterEach(() => vi.restoreAllMocks());

/** From now on no file can be opened: as many are open as the machine allows. */
function noMoreFiles(): () => void {
  const fault = Object.assign(new Error("EMFILE: too many open files"), { code: "EMFILE" });
  const spies = [
    vi.spyOn(fs.promises, "readFile").mockRejectedValue(fault),
    vi.spyOn(fs.promises, "readdir").mockRejectedValue(fault),
  ];
  return () => {
    for (const spy of spies) spy.mockRestore();
  };
}

// Attack (tools): Have as many files open as the machine allows
// -> Answered with `unavailable`: nothing is said to be missing
test.each(newer)(
  "with the tools alone (%s protocol): as many files open as the machine allows: nothing is said to be not there, and the same call again is answered",
  async (era) => {
    const project = makeProject();
    project.write(".waymark/base_actions/gather_context/gate-definition.yaml", "approval: required\n");
    const window = await openWindow(project.root, { era });
    const free = noMoreFiles();
    const no = await window.call("shape_bot");
    expect(no).toMatchObject({ status: "refused", error: "unavailable", isError: true, instructions: "" });
    free();
    const opened = await window.call("shape_bot");
    expect(opened).toMatchObject({ status: "started", action: "gather_context" });
    expect(opened.instructions).toContain("Base instructions of gather_context.");
  },
);

test("the same for phases: a workflow that cannot be looked at is not unknown", async () => {
  const project = plantWorkflow();
  const window = await openWindow(project.root);
  const free = noMoreFiles();
  const no = await callPhase(window, "start_workflow", { workflow_type: "survey" });
  expect(no).toMatchObject({ error: "unavailable", isError: true });
  free();
});
