import { runCli } from "./command-line.ts";
import type { Kind } from "./hands.ts";
import { callPhase } from "./phased.ts";
import { makeProject, type Project } from "./project.ts";
import { type Era, openWindow, type Window } from "./window.ts";

/** A runner of tests that reports what its plan says. */
const runner = `
const fs = require("node:fs");
const { passed, failed = 0 } = JSON.parse(fs.readFileSync("plan.json", "utf8"));
fs.mkdirSync("reports", { recursive: true });
const one = (name, inside) => '<testcase name="' + name + '" time="0.1">' + inside + "</testcase>";
const cases = [...Array(passed).keys()].map((n) => one("p" + n, ""));
for (let n = 0; n < failed; n++) cases.push(one("f" + n, "<failure/>"));
fs.writeFileSync("reports/junit.xml", "<testsuites>" + cases.join("") + "</testsuites>");
console.log(failed + " of " + cases.length + " failed");
process.exit(failed > 0 ? 1 : 0);
`;

/** A gate whose number of tests is found by a check, with more of the check's keys. */
export function testsGate(...more: readonly string[]): string {
  return `evidence_schema:
  tests_passed: {type: integer, required: true, description: how many tests passed, validator: greater_than_0}
  summary: {type: string, required: true, description: what was done}
checks:
  - name: tests
    run: [node, run-tests.cjs]
    report: {format: junit, path: reports/junit.xml}
    gives: {tests_passed: passed}
${more.map((line) => `    ${line}\n`).join("")}`;
}

/** Work of two steps, the gates of both given, in a project whose tests come out as its plan says. */
export type Checked = {
  readonly project: Project;
  readonly window: Window;
  /** Its name at the terminal. */
  readonly run: string;
  /** Hands the open step in. */
  handIn(evidence: Record<string, unknown>, more?: Record<string, unknown>): Promise<HandedBack>;
  /** What a command says of it. */
  says(command: string, ...args: readonly string[]): Promise<string>;
};

type HandedBack = Record<string, unknown> & {
  readonly text: string;
  readonly missing_evidence?: readonly string[];
  readonly checks?: readonly { readonly name: string; readonly status: string; readonly summary: string }[];
};

/** Opens such work, an action's or a phase's, with its commands trusted. */
export async function openChecked(
  kind: Kind,
  gates: readonly [string, string?],
  { era = "2025", prepare = (_: Project): void => undefined }: { era?: Era; prepare?: (project: Project) => void } = {},
): Promise<Checked> {
  const project = makeProject();
  project.write("run-tests.cjs", runner);
  project.write("plan.json", { passed: 3 });
  const folders =
    kind === "action"
      ? ["base_actions/gather_context", "base_actions/decide_planning_criteria"]
      : ["workflows/proof/phases/1", "workflows/proof/phases/2"];
  const plain = "evidence_schema:\n  summary: {type: string, required: true, description: what was done}\n";
  for (const [at, folder] of folders.entries())
    project.write(`.waymark/${folder}/gate-definition.yaml`, gates[at] ?? plain);
  if (kind === "phase") {
    project.write(".waymark/workflows/proof/metadata.json", { name: "proof", total_phases: 2 });
    for (const phase of [1, 2])
      project.write(`.waymark/workflows/proof/phases/${phase}/phase.md`, `# Phase ${phase}\n\nDo it.\n`);
  }
  prepare(project);
  await runCli(["trust", "--root", project.root, "--yes"]);
  const window = await openWindow(project.root, { era });
  const says = async (command: string, ...args: readonly string[]): Promise<string> =>
    (await runCli([command, ...args, "--root", project.root])).stdout;
  if (kind === "action") {
    await window.call("shape_bot");
    return {
      project,
      window,
      run: "story_bot.shape",
      says,
      async handIn(evidence, more) {
        await window.call("shape_bot");
        return { ...(await window.call("complete_action", { evidence, confirmation: "yes", ...more })) };
      },
    };
  }
  const { session_id } = await callPhase(window, "start_workflow", { workflow_type: "proof" });
  return {
    project,
    window,
    run: session_id,
    says,
    async handIn(evidence, more) {
      const { current_phase: phase } = await callPhase(window, "get_workflow_state", { session_id });
      return { ...(await callPhase(window, "complete_phase", { session_id, phase, evidence, ...more })) };
    },
  };
}

/** Whether an answer says that its step is done. */
export function isDone({ status, checkpoint_passed }: Record<string, unknown>): boolean {
  return status === "completed" || status === "workflow_complete" || checkpoint_passed === true;
}
