import { describe, expect, test } from "vitest";
import { type Ended, runCli } from "../command-line.ts";
import { callPhase } from "../phased.ts";
import { makeProject, type Project } from "../project.ts";
import { commitAll, git } from "../repository.ts";
import { openWindow } from "../window.ts";

/** A runner of tests that reports as many as its plan says. */
const runner = `
const fs = require("node:fs");
const { passed, skipped = 0, failed = 0 } = JSON.parse(fs.readFileSync("plan.json", "utf8"));
const cases = (count, inside) => Array.from({ length: count }, (_, n) => '<testcase name="t' + n + '">' + inside + "</testcase>").join("");
fs.mkdirSync("reports", { recursive: true });
fs.writeFileSync("reports/junit.xml", "<testsuites>" + cases(passed, "") + cases(skipped, "<skipped/>") + cases(failed, "<failure/>") + "</testsuites>");
fs.appendFileSync("reports/ran", "once\\n");
process.exit(failed > 0 ? 1 : 0);
`;

const tests = `checks:
  - name: tests
    run: [node, run-tests.cjs]
    report: {format: junit, path: reports/junit.xml}
    gives: {tests_passed: passed}
    reads: ["*.cjs", "plan.json"]
    pins: ["scripts.json#/test"]
`;

const asking = `evidence_schema:\n  tests_passed: {type: integer, required: true, description: how many, validator: {min: 2}}\n`;

/** A workflow of two phases that both have the tests run; the second looks at a file, too. */
function plant(): Project {
  const project = makeProject();
  project.write("run-tests.cjs", runner);
  project.write("plan.json", { passed: 3 });
  project.write("scripts.json", { test: "node run-tests.cjs" });
  project.write("docs/plan.md", "# Scope\n\nAll of it.\n");
  project.write(".waymark/workflows/proof/metadata.json", { name: "proof", total_phases: 2 });
  for (const phase of [1, 2])
    project.write(`.waymark/workflows/proof/phases/${phase}/phase.md`, `# Phase ${phase}\n\nDo it.\n`);
  project.write(".waymark/workflows/proof/phases/1/gate-definition.yaml", asking + tests);
  const file = "  - name: plan\n    file: docs/plan.md\n    headings: [Scope]\n";
  project.write(".waymark/workflows/proof/phases/2/gate-definition.yaml", asking + tests + file);
  return project;
}

async function walked(project = plant()): Promise<Project> {
  await runCli(["trust", "--root", project.root, "--yes"]);
  const window = await openWindow(project.root);
  const { session_id } = await callPhase(window, "start_workflow", { workflow_type: "proof" });
  for (const phase of [1, 2]) {
    const answer = await callPhase(window, "complete_phase", { session_id, phase, evidence: {}, confirmation: "yes" });
    expect(answer).toMatchObject({ checkpoint_passed: true });
  }
  await window.close();
  return project;
}

async function recheck(project: Project, ...more: readonly string[]): Promise<Ended & { data: Required }> {
  const ended = await runCli(["verify", "--root", project.root, "--require", "proof", "--recheck", "--json", ...more]);
  return { ...ended, data: ended.stdout === "" ? undefined : JSON.parse(ended.stdout).required };
}

type Checked = { name: string; agrees: boolean; recorded: object | null; found: object };
type Required = {
  met: boolean;
  rechecked: number;
  problems: string[];
  walks: { notes: string[]; steps: { proved: string[]; claimed: string[]; checks?: Checked[] }[] }[];
};

describe("verify --require --recheck", () => {
  test("runs every check of the walk again, the same one once, and says what is proved", async () => {
    const project = await walked();
    project.remove("reports");
    const { code, data } = await recheck(project);
    expect([code, data.problems, data.rechecked]).toEqual([0, [], 3]);
    expect(project.read("reports/ran")).toBe("once\n");
    expect(data.walks[0]?.steps[1]).toMatchObject({
      proved: ["tests, rechecked: 3 of 3 tests passed", "plan, rechecked: docs/plan.md exists"],
      checks: [
        {
          name: "tests",
          agrees: true,
          recorded: { facts: { passed: 3 } },
          found: { status: "passed", facts: { passed: 3 } },
        },
        { name: "plan", agrees: true, recorded: { status: "passed" }, found: { status: "passed" } },
      ],
    });
    const said = await runCli(["verify", "--root", project.root, "--require", "proof", "--recheck"]);
    expect([said.code, said.stdout]).toEqual([0, expect.stringContaining("Its checks were rerun and agree.")]);
  });

  test("what fails now is named with what was on record and what was found", async () => {
    const project = await walked();
    project.write("plan.json", { passed: 2, failed: 1 });
    project.write("docs/plan.md", "# Range\n");
    const { code, data } = await recheck(project);
    expect(code).toBe(1);
    expect(data.problems).toEqual([
      "phase 1: tests passed on record (3 of 3 tests passed), and fails now: exited with 1, not 0; failed: t0",
      "phase 2: tests passed on record (3 of 3 tests passed), and fails now: exited with 1, not 0; failed: t0",
      'phase 2: plan passed on record (docs/plan.md exists), and fails now: docs/plan.md: missing heading "Scope"',
    ]);
  });

  test("another number is a note where the gate still holds, and a problem where it does not", async () => {
    const project = await walked();
    project.write("plan.json", { passed: 2, skipped: 1 });
    const fewer = await recheck(project);
    expect([fewer.code, fewer.data.problems]).toEqual([0, []]);
    expect(fewer.data.walks[0]?.notes).toContain("phase 1: tests: passed was 3 on record and is 2 now");
    project.write("plan.json", { passed: 1 });
    const few = await recheck(project);
    expect([few.code, few.data.problems[0]]).toEqual([
      1,
      expect.stringMatching(/^phase 1: the current values do not pass its gate: tests_passed/),
    ]);
  });

  test("a command that nobody trusts here is not run, and neither is one whose pins have changed", async () => {
    const project = await walked();
    project.remove("reports");
    project.write("scripts.json", { test: "true" });
    const { code, data } = await recheck(project);
    expect([code, data.problems[0]]).toEqual([
      1,
      "phase 1: tests was not run: not trusted on this machine: node run-tests.cjs (waymark trust)",
    ]);
    expect(() => project.read("reports/ran")).toThrow();
    await runCli(["trust", "--root", project.root, "--yes"]);
    const trusted = await recheck(project);
    expect([trusted.code, trusted.data.walks[0]?.notes]).toEqual([
      0,
      expect.arrayContaining(["phase 1: tests: its pinned files have changed since"]),
    ]);
  });

  test("goes with --require, and says where there is nothing to look at", async () => {
    const project = makeProject();
    const alone = await runCli(["verify", "--root", project.root, "--recheck"]);
    expect(alone).toMatchObject({ code: 1, stderr: expect.stringContaining("--recheck needs --require") });
    const window = await openWindow(project.root);
    for (let at = 0; at < 5; at++) await window.pass("shape_bot");
    await window.close();
    const none = await runCli(["verify", "--root", project.root, "--require", "shape", "--recheck"]);
    expect([none.code, none.stdout]).toEqual([0, expect.stringContaining("It has no checks")]);
  });
});

describe("git facts, looked at again", () => {
  const gate = "checks:\n  - name: committed\n    git: {clean: true, branch: main, commits_since_start: 1}\n";

  async function committed(): Promise<Project> {
    const project = makeProject();
    project.write(".gitignore", "workflow_state.json\nactivity_log.json\n");
    project.write(".waymark/workflows/proof/metadata.json", { name: "proof", total_phases: 1 });
    project.write(".waymark/workflows/proof/phases/1/phase.md", "# Phase 1\n\nDo it.\n");
    project.write(".waymark/workflows/proof/phases/1/gate-definition.yaml", gate);
    commitAll(project.root, "definitions", "--date", "2020-01-01T00:00:00Z");
    const window = await openWindow(project.root);
    const { session_id } = await callPhase(window, "start_workflow", { workflow_type: "proof" });
    git(project.root, "commit", "-q", "--allow-empty", "-m", "the work");
    expect(
      await callPhase(window, "complete_phase", { session_id, phase: 1, evidence: {}, confirmation: "yes" }),
    ).toMatchObject({ workflow_complete: true });
    await window.close();
    return project;
  }

  test("hold on the branch; without one the branch stays as it is on record, and that is said; another branch is a problem", async () => {
    const project = await committed();
    expect(await recheck(project)).toMatchObject({ code: 0, data: { problems: [] } });
    git(project.root, "checkout", "-q", "--detach");
    const detached = await recheck(project);
    expect([detached.code, detached.data.walks[0]?.notes]).toEqual([
      0,
      ["phase 1: committed: no branch is checked out here, so the recorded branch is kept"],
    ]);
    git(project.root, "checkout", "-q", "-b", "other");
    project.write("left.md", "not committed\n");
    expect((await recheck(project)).data.problems).toEqual([
      "phase 1: committed passed on record (every git condition is met), and fails now: not committed: left.md; the branch is other, not main",
    ]);
  });
});

describe("the rules of a bot, run again", () => {
  const rule = {
    name: "plain_words",
    description: "Say it plainly",
    checks: [{ type: "forbidden_words", words: ["leverage"], message: "say it plainly" }],
  };

  async function ruled(): Promise<Project> {
    const project = makeProject();
    project.write(".waymark/bots/story_bot/behaviors/shape/rules/plain_words.json", rule);
    project.write(".waymark/base_actions/validate_rules/gate-definition.yaml", "checks: [rules]\n");
    const window = await openWindow(project.root);
    for (let step = 0; step < 3; step++) await window.pass("shape_bot");
    await window.pass("shape_bot", { content: [{ path: "map.md", text: "# Tea\n\nWe use tea.\n" }] });
    expect(await window.pass("shape_bot")).toMatchObject({ status: "workflow_complete" });
    await window.close();
    return project;
  }

  const again = (project: Project) => recheck(project, "--require", "story_bot.shape");

  test("hold on the files as they are, and are proved by that", async () => {
    const project = await ruled();
    const { code, data } = await again(project);
    expect([code, data.problems, data.rechecked]).toEqual([0, [], 1]);
    const last = data.walks[0]?.steps.at(-1);
    expect(last?.proved).toContain("rules, rechecked: nothing found");
    expect(last?.claimed.filter((text) => text.startsWith("rules"))).toEqual([]);
    project.write("map.md", "# Tea\n\nWe drink tea.\n");
    expect((await again(project)).data.walks[0]?.notes).toEqual([
      "validate_rules: rules: what they read has changed since",
    ]);
  });

  test("broken or without their file now, they speak against the walk, with the line", async () => {
    const project = await ruled();
    project.write("map.md", "# Tea\n\nWe leverage tea.\n");
    const broken = await again(project);
    expect([broken.code, broken.data.problems]).toEqual([
      1,
      [
        'validate_rules: rules passed on record (nothing found), and fail now: map.md:3: say it plainly ("leverage" is forbidden here)',
      ],
    ]);
    project.remove("map.md");
    expect((await again(project)).data.problems).toEqual([
      "validate_rules: rules passed on record (nothing found), and fail now: map.md: it no longer exists",
    ]);
  });
});
