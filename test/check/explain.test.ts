import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { filesOf } from "../../src/definitions/snapshot/files-of.testing.ts";
import { explainWorkflow } from "../../src/lint/show/explain-workflow.ts";
import { runCli } from "../command-line.ts";
import { plantCase, writeIn } from "./broken-bot.ts";

const files = {
  "workflows/survey/metadata.json": { title: "Survey", total_phases: 2 },
  "workflows/survey/phases/1/phase.md":
    "# Phase 1: Look\n\n## Gate\n\n- [ ] `file_read`\n- [ ] `function_count`: number of functions (at least 1)\n",
  "workflows/survey/phases/1/task-0.md": "# Task 0: Open it\n",
  "workflows/survey/phases/2/phase.md": "# Phase 2: Act\n\n**Human Approval**: REQUIRED\n",
  "workflows/listed/metadata.json": { dynamic: true },
  "workflows/broken.md": "## Phase 1: A\n\n```yaml gate\naproval: required\n```\n",
};

function run(...args: readonly string[]) {
  const definitions = plantCase({ files });
  writeIn(definitions, "../tasks.md", "## Phase 1: A\n\n- [ ] 1.1 Do it\n");
  return runCli(["check", "--root", dirname(definitions), ...args]);
}

test("what each gate asks for is printed phase by phase, with the file and line of every demand", async () => {
  expect(await run("--explain", "survey")).toEqual({
    code: 0,
    stderr: "",
    stdout: `survey  Survey

Phase 1  Look  1 task
  file_read       any      required  other than false  .waymark/workflows/survey/phases/1/phase.md:5
  function_count  integer  required  at least 1        .waymark/workflows/survey/phases/1/phase.md:6

Phase 2  Act
  a person must approve  .waymark/workflows/survey/phases/2/phase.md:3
`,
  });
});

test("the same is there as data", async () => {
  const { code, stdout } = await run("--explain", "survey", "--json");
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    workflow: "survey",
    dynamic: false,
    closed: [],
    phases: [
      {
        phase: 1,
        tasks: 1,
        approval: false,
        evidence: [
          { field: "file_read", line: 5 },
          { field: "function_count", rules: ["at least 1"] },
        ],
      },
      {
        phase: 2,
        approval: { level: "relayed", by: [], file: ".waymark/workflows/survey/phases/2/phase.md", line: 3 },
        evidence: [],
      },
    ],
  });
});

test("a workflow that does not start is explained all the same, and the command fails", async () => {
  const { code, stdout } = await run("--explain", "broken");
  expect(code).toBe(1);
  expect(stdout).toContain('.waymark/workflows/broken.md:4  the key "aproval" is unknown');
  expect(stdout).toContain("Can't start until this is fixed");
});

test("a dynamic workflow says that it needs a task list, and is explained with one", async () => {
  expect((await run("--explain", "listed")).stdout).toContain("--options");
  expect((await run("--explain", "listed", "--options", '{"tasks": "tasks.md"}')).stdout).toContain(
    "a session of task for each of phase 1 of the list tasks.md, 20 at once, after depends_on",
  );
  expect((await run("--explain", "listed", "--options", "[")).stderr).toContain("--options must be a JSON object");
});

test("a workflow that is not there is answered with those that are", async () => {
  const { code, stderr } = await run("--explain", "surwey");
  expect(code).toBe(1);
  expect(stderr).toContain("There is no workflow surwey. Workflows: broken, listed, survey.");
});

test("the count of what was checked includes phased workflows", async () => {
  expect((await run()).stdout).toContain("3 phased workflows, 3 phases");
});

test("the fixtures of all dialects can be explained", async () => {
  const definitions = join(import.meta.dirname, "../phases/fixtures/definitions");
  const explained = await explainWorkflow(filesOf(definitions), dirname(definitions), "data-migration", {});
  expect(explained).toMatchObject({
    closed: [],
    phases: [{ phase: 0, tasks: 2 }, { phase: 1 }, { phase: 2 }, { phase: 3 }],
  });
});
