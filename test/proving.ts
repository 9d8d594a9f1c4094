import { type Ended, runCli } from "./command-line.ts";
import { makeProject, type Project } from "./project.ts";

/** A runner of tests that reports what `plan.json` says: how many passed and failed, and how long it takes. */
export const runner = `
const fs = require("node:fs");
const plan = JSON.parse(fs.readFileSync("plan.json", "utf8"));
fs.mkdirSync("reports", { recursive: true });
const cases = [];
for (let n = 0; n < plan.passed; n++) cases.push('<testcase name="p' + n + '" time="0.1"/>');
for (let n = 0; n < (plan.failed || 0); n++) cases.push('<testcase name="f' + n + '" time="0.1"><failure/></testcase>');
if (plan.write) fs.writeFileSync(plan.write, "changed");
if (!plan.silent) fs.writeFileSync("reports/junit.xml", "<testsuites>" + cases.join("") + "</testsuites>");
fs.appendFileSync(".waymark/runs.txt", "run\\n");
process.exit(plan.failed > 0 ? 1 : 0);
`;

/** A gate whose numbers are found by a check. */
export const provingGate = `evidence_schema:
  tests_passed: {type: integer, required: true, description: how many tests passed, validator: greater_than_0}
  summary: {type: string, required: true, description: what was done}
checks:
  - name: tests
    run: [node, run-tests.cjs]
    report: {format: junit, path: reports/junit.xml}
    gives: {tests_passed: passed}
`;

/** Where the gate of the first action stands. */
export const gateFile = ".waymark/base_actions/gather_context/gate-definition.yaml";

/** A project whose first action is proved by a check. */
export function provingProject(plan: object, gate = provingGate): Project {
  const project = makeProject();
  project.write("run-tests.cjs", runner);
  project.write("plan.json", plan);
  project.write(gateFile, gate);
  return project;
}

/** A person who has read the list trusts all of it. */
export function trustAll({ root }: Project): Promise<Ended> {
  return runCli(["trust", "--root", root, "--yes"]);
}

/** How often the runner of a project was run. */
export function runsIn(project: Project): number {
  try {
    return project.read(".waymark/runs.txt").trim().split("\n").length;
  } catch {
    return 0;
  }
}

/** What an honest assistant hands in: what is found is left out. */
export const honest = { evidence: { summary: "done" }, confirmation: "yes" };
