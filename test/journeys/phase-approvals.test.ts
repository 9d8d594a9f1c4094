import { expect, onTestFinished, test } from "vitest";
import { openWorkplace } from "../../src/app/open-workplace.ts";
import { runCli } from "../command-line.ts";
import { inDatabase } from "../doors.ts";
import { enrolled, signer } from "../people.ts";
import { addWorkflow, callPhase, evidenceFor, fieldOf, sentinel } from "../phased.ts";
import { makeProject } from "../project.ts";
import { openWindow } from "../window.ts";

test.skipIf(inDatabase("no journal stands in a file"))(
  "a phase that needs a proven approval: rejected elsewhere its reason comes first, approved elsewhere the same call goes on",
  async () => {
    const project = makeProject();
    const dana = signer("dana");
    addWorkflow(project, { phases: 2, approval: [1] });
    const gate = ".waymark/workflows/survey/phases/1/gate-definition.yaml";
    project.write(gate, project.read(gate).replace("approval: required", "approval: { level: proven, by: [dana] }"));
    await enrolled(project, dana);
    const window = await openWindow(project.root);
    const { session_id } = await callPhase(window, "start_workflow", { workflow_type: "survey", target_file: "a.py" });
    const submission = { session_id, phase: 1, evidence: evidenceFor(1) };
    const waiting = await callPhase(window, "complete_phase", { ...submission, confirmation: "dana agrees" });
    expect(waiting).toMatchObject({ checkpoint_passed: false, error: "approval_required" });
    expect(JSON.stringify(waiting)).toContain(`waymark approve ${session_id}`);

    const workplace = openWorkplace({ root: project.root });
    onTestFinished(() => workplace.close());
    const answer = async (decision: "approve" | "reject", comment: string) => {
      const session = await workplace.sessions.find(session_id);
      const [found] = (await session?.submissions()) ?? [];
      if (found?.waits === undefined) throw new Error("nothing waits");
      const { ref, waits } = found;
      const { project: history, run, digest } = waits;
      const signed = dana.signs({ ...ref, project: history, run, digest, decision, comment });
      await session?.answer({ id: "dana's terminal" }, { ref, digest, decision, comment, signed });
    };
    await answer("reject", "Count the empty ones too");
    const reread = await callPhase(window, "get_phase_content", { session_id });
    expect(reread.message).toContain("Count the empty ones too");
    expect(JSON.stringify(await callPhase(window, "get_workflow_state", { session_id }))).toContain(
      "Count the empty ones too",
    );

    const mended = { ...submission, evidence: { [fieldOf(1)]: 5 } };
    expect(await callPhase(window, "complete_phase", mended)).toMatchObject({ error: "approval_required" });
    await answer("approve", "Fine now");
    const again = await callPhase(window, "complete_phase", mended);
    expect(again).toMatchObject({ checkpoint_passed: true, phase_completed: 1, next_phase: 2 });
    expect(again.next_phase_content?.content).toContain(sentinel(2));
    const log = await runCli(["log", "--root", project.root]);
    expect(log.stdout).toMatch(/approved .*proven by dana/);
  },
);

test("an empty evidence beside a person's word is nothing new: what was handed in before counts; alone it is judged as it is", async () => {
  const project = makeProject();
  addWorkflow(project, { phases: 2, approval: [1] });
  const window = await openWindow(project.root);
  const { session_id } = await callPhase(window, "start_workflow", { workflow_type: "survey" });
  const submission = { session_id, phase: 1 };
  const empty = { ...submission, evidence: {} };
  const lacking = { error: "incomplete_checkpoint", missing_evidence: [expect.stringContaining(fieldOf(1))] };
  expect(await callPhase(window, "complete_phase", { ...empty, confirmation: "go on" })).toMatchObject(lacking);
  const waiting = await callPhase(window, "complete_phase", { ...submission, evidence: evidenceFor(1) });
  expect(waiting).toMatchObject({ error: "approval_required" });
  expect(await callPhase(window, "complete_phase", { ...empty, confirmation: "she consents" })).toMatchObject({
    checkpoint_passed: true,
    next_phase: 2,
  });
});
