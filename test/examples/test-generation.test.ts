import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { observeEvidence } from "../../src/checks/evidence/observe-evidence.ts";
import { phasedFiles } from "../../src/definitions/phases/phased-files.testing.ts";
import type { Phase } from "../../src/definitions/phases/phased-workflow.ts";
import { readPhased } from "../../src/definitions/phases/read-phased.ts";
import { filesOf } from "../../src/definitions/snapshot/files-of.testing.ts";
import { findGaps } from "../../src/gates/judge-evidence.ts";
import { templateFiles } from "../../src/hosts/init/template-files.ts";
import { findTests } from "../../src/hosts/init/tests/find-tests.ts";
import type { JsonObject } from "../../src/kit/json.ts";
import { runCli } from "../command-line.ts";
import { openWindow } from "../window.ts";
import { filesBelow, projectFrom, templates } from "./walk.ts";

const template = join(templates, "test-generation");
const reading = await phasedFiles({ definitions: template, projectArea: template }).read("test-generation", {});
if (!("workflow" in reading)) throw new Error(JSON.stringify(reading));
const { workflow } = reading;
const named = workflow.phases.map((phase) => [`${phase.number} ${phase.name}`, phase] as const);

/** A project in which the files stand that the examples name. */
const project = mkdtempSync(join(tmpdir(), "waymark-test-generation-"));
afterAll(() => rmSync(project, { recursive: true, force: true }));
for (const file of ["src/prices.ts", "test/prices.test.ts"]) {
  mkdirSync(dirname(join(project, file)), { recursive: true });
  writeFileSync(join(project, file), "");
}

/** What the earlier phases put on record, were their examples handed in. */
const record = new Map(workflow.phases.map(({ number, gate }) => [number, gate.examples]));

/** What the gate of a phase misses in its own example, changed in some fields. */
async function gapsOf({ gate }: Phase, change: JsonObject = {}): Promise<string[]> {
  const evidence = { ...gate.examples, ...change };
  return findGaps(gate, evidence, await observeEvidence({ projectArea: project }, gate, evidence), record);
}

/** Everything that a phase lets out when it is open. */
function textOf({ content, tasks, gate }: Phase): string {
  const asked = gate.requirements.map(({ field, description }) => `${field} ${description}`);
  const compared = gate.comparisons.map(({ message }) => message);
  const parts = [content, ...tasks.flatMap(({ name, content: text }) => [name, text]), ...asked, ...compared];
  return [...parts, JSON.stringify(gate.examples)].join("\n").toLowerCase();
}

function phase(number: number): Phase {
  const found = workflow.phases.find((one) => one.number === number);
  if (found === undefined) throw new Error(`there is no phase ${number}`);
  return found;
}

describe("the test-generation workflow", () => {
  test("has the eight phases that its metadata counts", () => {
    const metadata = JSON.parse(readFileSync(join(template, "workflows/test-generation/metadata.json"), "utf8"));
    expect(workflow.phases.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(metadata.total_phases).toBe(8);
    expect(workflow.type).toBe("test-generation");
  });

  test("nothing in it is in doubt", () => {
    expect(readPhased(filesOf(template), "test-generation").draft?.complaints).toEqual([]);
  });

  test.each(named)("phase %s has a gate that asks for at least five things", (_, { gate }) => {
    expect(gate.closed).toBeUndefined();
    expect(gate.requirements.filter(({ required }) => required).length).toBeGreaterThanOrEqual(5);
    expect(gate.comparisons.length).toBeGreaterThanOrEqual(1);
    for (const { field, description } of gate.requirements) expect(description, field).not.toBe(field);
  });

  test.each(named)(
    "phase %s takes the evidence that it gives as its example, whole and for every field",
    async (_, one) => {
      expect(Object.keys(one.gate.examples)).toEqual(one.gate.requirements.map(({ field }) => field));
      expect(await gapsOf(one)).toEqual([]);
    },
  );

  test.each(named)("phase %s refuses its example as soon as one field is left out", async (_, one) => {
    for (const { field } of one.gate.requirements) {
      const gaps = await gapsOf(one, { [field]: null });
      expect(gaps).toEqual([expect.stringContaining(`${field} (required: `)]);
    }
  });

  test.each(named)("phase %s tells the assistant all it has to do in 250 to 700 words", (_, { content, tasks }) => {
    const whole = tasks.reduce(
      (text, task) => (text.includes(task.content.trim()) ? text : text + task.content),
      content,
    );
    const words = whole.split(/\s+/).length;
    expect(words).toBeGreaterThanOrEqual(250);
    expect(words).toBeLessThanOrEqual(700);
    expect(tasks.length).toBeGreaterThanOrEqual(1);
    expect(tasks.map(({ number }) => number)).toEqual(tasks.map((_task, index) => index + 1));
  });

  test("only the plan waits for a person", () => {
    expect(workflow.phases.filter(({ gate }) => gate.approval).map(({ name }) => name)).toEqual(["Coverage plan"]);
  });
});

describe("evidence that contradicts itself is refused", () => {
  test.each([
    ["more names than functions", 1, { function_count: 1, method_count: 1 }],
    ["log calls that were counted and not listed", 2, { logger_call_count: 4 }],
    ["a dependency that is neither real nor replaced", 3, { real_in_tests: [] }],
    ["a substitute without a seam", 3, { replacement_seams: [] }],
    ["more call sites than calls", 4, { call_site_count: 1 }],
    ["kinds of cases that do not add up", 5, { edge_case_count: 9 }],
    ["a goal that is too low to mean anything", 5, { coverage_goal: 20 }],
    ["fewer tests than were agreed on", 6, { agreed_case_count: 12 }],
    [
      "other cases than the person approved",
      6,
      { agreed_case_count: 5, written_case_count: 5, written_cases: "abcde".split("") },
    ],
    ["another goal than the person approved", 7, { agreed_goal: 80 }],
    ["tests that the framework does not see", 6, { collected_count: 2 }],
    ["a test that is switched off", 6, { disabled_case_count: 1 }],
    ["a target that was changed on the way", 6, { target_untouched: false }],
    ["a failing test", 7, { tests_passed: 5, tests_failed: 1 }],
    ["a skipped test", 7, { tests_passed: 5, tests_skipped: 1 }],
    ["a command that failed", 7, { exit_code: 1 }],
    ["less coverage than was agreed on", 7, { line_coverage: 89.9 }],
    ["tests that fail now and then", 7, { repeat_failures: 1 }],
    ["broken code that no test noticed", 8, { mutation_count: 5 }],
    ["too few attempts to break the code", 8, { mutation_count: 1, mutation_list: ["one"], mutations_caught: 1 }],
    ["a file that was not put back", 8, { restore_output: "$ cmp a b && echo identical\na b differ: byte 7" }],
    ["a target that does not exist", 2, { searched_file: "src/prizes.ts" }],
    ["a test file that was not written", 6, { test_file: "test/prizes.test.ts" }],
  ])("%s (phase %i)", async (_, number, change) => {
    expect(await gapsOf(phase(number), change)).not.toEqual([]);
  });

  test("nothing is asked for that a file without logging, I/O, dependencies or callers cannot give", async () => {
    const none = { logger_call_count: 0, logger_calls: [], io_call_count: 0, io_calls: [], unstable_sources: [] };
    expect(await gapsOf(phase(2), none)).toEqual([]);
    const alone = { dependency_count: 0, dependency_list: [], real_in_tests: [] };
    expect(await gapsOf(phase(3), { ...alone, replaced_in_tests: [], replacement_seams: [] })).toEqual([]);
    const unused = { call_site_count: 0, call_sites: [], existing_tests: [], open_questions: [] };
    expect(await gapsOf(phase(4), unused)).toEqual([]);
  });
});

describe("the first checkpoint is the one of seed 004", () => {
  const evidence = {
    function_count: 21,
    method_count: 15,
    branch_count: 36,
    ast_command_output: "def compile()...",
    functions_list: ["compile", "parse"],
  };

  test("its evidence passes", () => {
    expect(findGaps(phase(1).gate, evidence)).toEqual([]);
  });

  test("one of five fields given: exactly four are missing", () => {
    expect(findGaps(phase(1).gate, { function_count: 21 })).toHaveLength(4);
  });
});

describe("nothing tells of a later phase", () => {
  test.each(named)("phase %s: its name and its fields stand in no phase before it", (_, later) => {
    for (const earlier of workflow.phases.filter(({ number }) => number < later.number)) {
      const text = textOf(earlier);
      expect(
        wordsOf(later).filter((word) => text.includes(word)),
        `phase ${earlier.number}`,
      ).toEqual([]);
    }
  });

  test("title, description and standards name no phase and no field", () => {
    const standards = filesBelow(join(template, "standards")).map((file) =>
      readFileSync(join(template, "standards", file), "utf8"),
    );
    const open = [workflow.title, workflow.description, ...standards].join("\n").toLowerCase();
    expect(workflow.phases.flatMap(wordsOf).filter((word) => open.includes(word))).toEqual([]);
    expect(standards.length).toBeGreaterThanOrEqual(3);
  });

  function wordsOf({ name, gate, tasks }: Phase): string[] {
    return [name, ...tasks.map((task) => task.name), ...gate.requirements.map(({ field }) => field)].map((word) =>
      word.toLowerCase(),
    );
  }
});

test("with a command for the tests Waymark runs them itself: what is claimed of them is held against what it finds", async () => {
  const root = projectFrom("test-generation");
  const tests = ["a", "b", "c", "d", "e", "f"].map((name) => `test("${name}", () => {});`).join("\n");
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  write("src/prices.ts", "");
  write("test/prices.test.ts", "");
  write("test/prices.test.cjs", `const { test } = require("node:test");\n${tests}\n`);
  write("package.json", JSON.stringify({ scripts: { test: "node --test" } }));
  const [command] = findTests(root, "");
  for (const { path, text } of templateFiles("test-generation", command)) write(path, text);
  await runCli(["trust", "--root", root, "--yes"]);
  const proving = await phasedFiles({ definitions: join(root, ".waymark"), projectArea: root }).read(
    "test-generation",
    {},
  );
  if (!("workflow" in proving)) throw new Error(JSON.stringify(proving));

  const { client } = await openWindow(root);
  const call = async (name: string, args: JsonObject): Promise<unknown> =>
    (await client.callTool({ name, arguments: args })).structuredContent;
  const target = { workflow_type: "test-generation", target_file: "src/prices.ts" };
  const started = z.object({ session_id: z.string() }).parse(await call("start_workflow", target));
  const complete = (number: number, change: JsonObject = {}): Promise<unknown> => {
    const {
      suite_tests: _,
      suite_passed: __,
      suite_coverage: ___,
      ...evidence
    } = proving.workflow.phases[number - 1]?.gate.examples ?? {};
    const word = number === 5 ? { confirmation: "yes, these cases" } : {};
    return call("complete_phase", { ...started, phase: number, evidence: { ...evidence, ...change }, ...word });
  };
  for (const number of [1, 2, 3, 4, 5, 6]) await complete(number);
  expect(await complete(7, { suite_passed: 12 })).toMatchObject({
    checkpoint_passed: false,
    missing_evidence: ["suite_passed (claimed 12, found 6)"],
  });
  expect(await complete(7)).toMatchObject({
    checkpoint_passed: true,
    artifacts_available: { "7": { suite_tests: 6, suite_passed: 6, suite_coverage: 100 } },
  });
  write("test/prices.test.cjs", `const { test } = require("node:test");\n${tests}\ntest("g", () => { throw 1; });\n`);
  expect(await complete(8)).toMatchObject({ checkpoint_passed: false, checks: [{ name: "tests", status: "failed" }] });
  write("test/prices.test.cjs", `const { test } = require("node:test");\n${tests}\n`);
  expect(await complete(8)).toMatchObject({ checkpoint_passed: true, workflow_complete: true });
});

test("it is walked to its end through a real client, and waits for a person's word on the plan", async () => {
  const root = projectFrom("test-generation");
  for (const file of ["src/prices.ts", "test/prices.test.ts"]) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), "");
  }
  const { client } = await openWindow(root);
  const call = async (name: string, args: JsonObject): Promise<unknown> =>
    (await client.callTool({ name, arguments: args })).structuredContent;
  const target = { workflow_type: "test-generation", target_file: "src/prices.ts" };
  const started = z.object({ session_id: z.string() }).parse(await call("start_workflow", target));
  for (const { number, gate } of workflow.phases) {
    const submitted = { ...started, phase: number, evidence: gate.examples };
    const isLast = number === workflow.phases.length;
    const passed = { checkpoint_passed: true, ...(isLast ? { workflow_complete: true } : { next_phase: number + 1 }) };
    if (gate.approval) expect(await call("complete_phase", submitted)).toMatchObject({ error: "approval_required" });
    const word = gate.approval ? { confirmation: "yes, these cases" } : {};
    expect(await call("complete_phase", { ...submitted, ...word })).toMatchObject(passed);
  }
});

test("a change that no test noticed leads back to the tests, twice; after that only a person goes on", async () => {
  const root = projectFrom("test-generation");
  for (const file of ["src/prices.ts", "test/prices.test.ts"]) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), "");
  }
  const { client } = await openWindow(root);
  const call = async (name: string, args: JsonObject): Promise<unknown> =>
    (await client.callTool({ name, arguments: args })).structuredContent;
  const target = { workflow_type: "test-generation", target_file: "src/prices.ts" };
  const { session_id } = z.object({ session_id: z.string() }).parse(await call("start_workflow", target));
  const complete = (number: number, change: JsonObject = {}): Promise<unknown> => {
    const evidence = { ...phase(number).gate.examples, ...change };
    return call("complete_phase", { session_id, phase: number, evidence, confirmation: "yes, these cases" });
  };
  for (const number of [1, 2, 3, 4, 5]) await complete(number);
  const survivor = { mutations_caught: Number(phase(8).gate.examples.mutations_caught) - 1 };
  for (const round of [2, 3, undefined]) {
    await complete(6);
    await complete(7);
    expect(await complete(8, survivor)).toMatchObject(
      round === undefined ? { status: "blocked" } : { checkpoint_passed: true, next_phase: 6, round },
    );
  }
});
