import { cpSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Event } from "../../src/workflow/events.ts";
import { type Ended, runCli } from "../command-line.ts";
import { forge } from "../forge.ts";
import { addWorkflow, callPhase, evidenceFor, fieldOf, plantWorkflow } from "../phased.ts";
import { actions, makeProject, type Project } from "../project.ts";
import { openWindow } from "../window.ts";

/** What `verify --require --json` says, and what it exits with. */
async function required(project: Project, name: string): Promise<{ code: number | null; data: Required }> {
  const { code, stdout } = await runCli(["verify", "--json", "--root", project.root, "--require", name]);
  return { code, data: stdout === "" ? undefined : JSON.parse(stdout).required };
}

/** The same in the words that people read. */
function requiredInWords(project: Project, name: string): Promise<Ended> {
  return runCli(["verify", "--root", project.root, "--require", name]);
}

type Completed = Event & { type: "completed" };
type Step = { step: string; status: string; judged_by?: string; proved: string[]; claimed: string[] };
type Required = {
  met: boolean;
  problems: string[];
  walks: { holds: boolean; problems: string[]; notes: string[]; steps: Step[] }[];
};

/** Exit 1, and each of these is named. */
async function expectProblems(project: Project, name: string, problems: readonly unknown[]): Promise<void> {
  const { code, data } = await required(project, name);
  expect([data.met, data.problems, code]).toEqual([false, problems, 1]);
}

/** The same, and people read each of them: for one case of every kind, since one function prints them all. */
async function expectProblemsInWords(project: Project, name: string, problems: readonly unknown[]): Promise<void> {
  await expectProblems(project, name, problems);
  const { code, stdout } = await requiredInWords(project, name);
  expect(code).toBe(1);
  for (const problem of (await required(project, name)).data.problems) expect(stdout).toContain(problem);
}

async function expectMet(project: Project, name: string): Promise<void> {
  const { code, data } = await required(project, name);
  expect([data.met, data.problems, code]).toEqual([true, [], 0]);
}

/** The same, and people read it. */
async function expectMetInWords(project: Project, name: string): Promise<void> {
  await expectMet(project, name);
  const { code, stdout } = await requiredInWords(project, name);
  expect([code, stdout]).toEqual([0, expect.stringContaining("was completed as defined")]);
}

/** Walks a phased workflow to the end that it has for the assistant. */
async function walkPhases(
  project: Project,
  phases: number,
  evidence: (phase: number) => Record<string, unknown> = evidenceFor,
): Promise<void> {
  const window = await openWindow(project.root);
  const { session_id } = await callPhase(window, "start_workflow", { workflow_type: "survey" });
  for (let phase = 1; phase <= phases; phase++)
    await callPhase(window, "complete_phase", { session_id, phase, evidence: evidence(phase), confirmation: "yes" });
  await window.close();
}

async function walkBot(project: Project, tool = "shape_bot", args: Record<string, unknown> = {}): Promise<void> {
  const window = await openWindow(project.root);
  for (;;) {
    const { status, next } = await window.pass(tool, args);
    if (status !== "completed" || next === null) break;
  }
  await window.close();
}

/** Changes a file, has something done, and puts the file back as it was. */
async function meanwhile(project: Project, file: string, text: unknown, work: () => Promise<void>): Promise<void> {
  const before = project.read(file);
  project.write(file, text);
  await work();
  project.write(file, before);
}

describe("an assistant with file tools, and verify --require", () => {
  // Attack (file tools): Hide phases while a session begins; skip actions meanwhile; delete or break the workflow
  // -> Exposed by `verify --require`: missing, skipped, gone
  test("four of five phases hidden while the session begins: their absence is named", async () => {
    const project = plantWorkflow({ phases: 5 });
    const metadata = ".waymark/workflows/survey/metadata.json";
    const [phases, hidden] = [project.path(".waymark/workflows/survey/phases"), project.path("hidden")];
    renameSync(phases, hidden);
    addWorkflow(project, { phases: 1 });
    await walkPhases(project, 1);
    project.remove(".waymark/workflows/survey/phases");
    renameSync(hidden, phases);
    project.write(metadata, { name: "survey", description: "Looks at a file from all sides", total_phases: 5 });
    await expectProblemsInWords(project, "survey", [
      "survey is not finished: phase 2, phase 3, phase 4, phase 5 are missing",
    ]);
    expect((await required(project, "survey")).data.walks[0]?.notes).toEqual([
      "the sequence was different when phase 1 was completed: the run has phase 1; the definitions have phase 1, phase 2, phase 3, phase 4, phase 5",
    ]);
  });

  // Attack (file tools): Weaken a gate, the schema of a check or the sequence while work is under way, and put it back
  // -> Exposed by `verify --require` and `log`: judged by another gate. A session keeps gates and schemas
  test("the gate of a phase weakened, and put back once the session has begun: judged by another gate", async () => {
    const project = plantWorkflow({ phases: 2 });
    const gate = ".waymark/workflows/survey/phases/2/gate-definition.yaml";
    const weak = `evidence_schema:\n  ${fieldOf(2)}:\n    type: integer\n    required: true\n`;
    await meanwhile(project, gate, weak, () =>
      walkPhases(project, 2, (phase) => ({ [fieldOf(phase)]: phase === 2 ? -7 : 1 })),
    );
    await expectProblems(project, "survey", ["phase 2 was judged by a different gate than the definitions have"]);
  });

  test("an approval taken out of a gate meanwhile: judged by another gate", async () => {
    const project = plantWorkflow({ phases: 1, approval: [1] });
    const gate = ".waymark/workflows/survey/phases/1/gate-definition.yaml";
    const silent = project.read(gate).replace("approval: required\n", "");
    await meanwhile(project, gate, silent, () => walkPhases(project, 1));
    await expectProblems(project, "survey", ["phase 1 was judged by a different gate than the definitions have"]);
  });

  test("the gate of an action weakened while it is completed: judged by another gate, and on record", async () => {
    const project = makeProject();
    const gate = ".waymark/base_actions/gather_context/gate-definition.yaml";
    project.write(gate, "evidence_schema:\n  sources: {type: integer, validator: {min: 3}}\n");
    const window = await openWindow(project.root);
    await window.call("shape_bot");
    const weak = "evidence_schema:\n  sources: {type: integer}\n";
    await meanwhile(project, gate, weak, async () => {
      await window.call("complete_action", { evidence: { sources: 0 }, confirmation: "yes" });
    });
    for (const _ of actions.slice(1)) await window.pass("shape_bot");
    await window.close();
    await expectProblems(project, "shape", ["gather_context was judged by a different gate than the definitions have"]);
  });

  test("auto_progress switched on for one action meanwhile: judged by another gate", async () => {
    const project = makeProject();
    const file = ".waymark/base_actions/validate_rules/action_config.json";
    await meanwhile(project, file, { ...project.json(file), auto_progress: true }, async () => {
      const window = await openWindow(project.root);
      for (const name of actions) {
        await window.call("shape_bot");
        await window.call("complete_action", name === "validate_rules" ? {} : { confirmation: "yes" });
      }
      await window.close();
    });
    await expectProblems(project, "shape", ["validate_rules was judged by a different gate than the definitions have"]);
  });

  test("three actions set to skip meanwhile: each is named as skipped against the definitions", async () => {
    const project = makeProject();
    const config = ".waymark/bots/story_bot/behaviors/shape/behavior_config.json";
    const skipped = actions.slice(1, 4);
    const listed = actions.map((name) => (skipped.includes(name) ? { name, skip: "not today" } : { name }));
    project.write(config, { name: "shape", actions: listed });
    await walkBot(project);
    project.write(config, { name: "shape", actions });
    await expectProblemsInWords(
      project,
      "shape",
      skipped.map((name) => `${name} was skipped, but the definitions do not skip it`),
    );
  });

  test("an action taken out of the sequence meanwhile: it is missing; put in another order: out of order", async () => {
    const project = makeProject();
    const config = ".waymark/bots/story_bot/behaviors/shape/behavior_config.json";
    project.write(config, { name: "shape", actions: [...actions] });
    await meanwhile(
      project,
      config,
      { name: "shape", actions: actions.filter((name) => name !== "render_output") },
      () => walkBot(project),
    );
    await expectProblems(project, "shape", ["shape is not finished: render_output is missing"]);
    const other = makeProject();
    other.write(config, { name: "shape", actions: [...actions] });
    await meanwhile(other, config, { name: "shape", actions: actions.toReversed() }, () => walkBot(other));
    await expectProblems(other, "shape", ["validate_rules was completed before gather_context, which must come first"]);
  });

  // Attack (file tools): Weaken a rule or its schema for a walk, and put it back
  // -> Exposed by `verify --require`: judged by other rules; by `log` where they had been run before
  test("a rule loosened while it is checked: judged by other rules", async () => {
    const project = makeProject();
    project.write(".waymark/base_actions/validate_rules/gate-definition.yaml", "checks: [rules]\n");
    const rule = ".waymark/bots/story_bot/behaviors/shape/rules/plain.json";
    project.write(rule, { description: "Plain words", must_not_match: "TODO" });
    await meanwhile(project, rule, { description: "Plain words", must_not_match: "NEVER" }, () =>
      walkBot(project, "shape_bot", { content: [{ path: "story.md", text: "TODO\n" }] }),
    );
    await expectProblems(project, "shape", ["validate_rules was judged by different rules than the definitions have"]);
  });

  test("the schema of a check weakened meanwhile: run with another schema, of an action and of a phase", async () => {
    const schema = ".waymark/schemas/plan.json";
    const strict = { type: "object", required: ["a", "b"], properties: { a: { type: "integer" } } };
    const gate = "checks:\n  - {name: plan, file: docs/plan.json, schema: schemas/plan.json}\n";
    const project = makeProject();
    project.write(schema, strict);
    project.write(".waymark/base_actions/gather_context/gate-definition.yaml", gate);
    project.write("docs/plan.json", "{}\n");
    await meanwhile(project, schema, {}, () => walkBot(project));
    await expectProblems(project, "shape", [
      "gather_context: its check plan ran with a different schema than the definitions have",
    ]);
    project.write(schema, {});
    await expectMet(project, "shape");

    const other = plantWorkflow({ phases: 1 });
    other.write(schema, strict);
    other.write(".waymark/workflows/survey/phases/1/gate-definition.yaml", gate);
    other.write("docs/plan.json", "{}\n");
    await meanwhile(other, schema, {}, () => walkPhases(other, 1, () => ({})));
    await expectProblems(other, "survey", [
      "phase 1: its check plan ran with a different schema than the definitions have",
    ]);
  });

  test("a session keeps the schemas of its checks: one that is weakened later opens nothing", async () => {
    const project = plantWorkflow({ phases: 1 });
    const schema = ".waymark/schemas/plan.json";
    project.write(schema, { type: "object", required: ["a"] });
    const gate = "checks:\n  - {name: plan, file: docs/plan.json, schema: schemas/plan.json}\n";
    project.write(".waymark/workflows/survey/phases/1/gate-definition.yaml", gate);
    project.write("docs/plan.json", "{}\n");
    const window = await openWindow(project.root);
    const { session_id } = await callPhase(window, "start_workflow", { workflow_type: "survey" });
    project.write(schema, {});
    const complete = (): Promise<object> => callPhase(window, "complete_phase", { session_id, phase: 1, evidence: {} });
    expect(await complete()).toMatchObject({ checkpoint_passed: false });
    project.write(schema, '{"required": ["a"], "type": "object"}\n');
    project.write("docs/plan.json", '{"a": 1}\n');
    expect(await complete()).toMatchObject({ checkpoint_passed: true });
    await window.close();
    await expectMet(project, "survey");
  });

  // Attack (file tools): Under `behaviors: ordered`, list the behaviors otherwise or edit past an earlier one, and put it back
  // -> Exposed by `verify --require`: which comes first and was not done; a changed list by `log`
  test("behaviors: ordered switched off meanwhile: named", async () => {
    const project = makeProject();
    project.write(".waymark/config.json", { behaviors: "ordered" });
    await meanwhile(project, ".waymark/config.json", {}, () => walkBot(project, "prioritization_bot"));
    await expectProblemsInWords(project, "prioritization", [
      "gather_context was completed while the settings allowed behaviors in any order",
      "gather_context was completed before shape.gather_context: shape must be finished first",
    ]);
  });

  test.each([
    ["put in another order", ["prioritization", "shape", "discovery"]],
    ["cut to one", ["prioritization"]],
  ])("behaviors: ordered, and the list of behaviors %s meanwhile: named", async (_, listed) => {
    const project = makeProject();
    project.write(".waymark/config.json", { behaviors: "ordered" });
    const bot = ".waymark/bots/story_bot/bot_config.json";
    await meanwhile(project, bot, { ...project.json(bot), behaviors: listed }, () =>
      walkBot(project, "prioritization_bot"),
    );
    await expectProblems(project, "prioritization", [
      "gather_context was completed before shape.gather_context: shape must be finished first",
    ]);
  });

  test("behaviors: ordered, and those before passed by an edit of the state file: named", async () => {
    const project = makeProject();
    project.write(".waymark/config.json", { behaviors: "ordered" });
    project.write("workflow_state.json", {
      current_behavior: "story_bot.shape",
      current_action: "story_bot.shape.validate_rules",
      action_state: "started",
      completed_actions: actions
        .slice(0, 4)
        .map((name) => ({ action_state: `story_bot.shape.${name}`, timestamp: "2026-01-01T00:00:00.000Z" })),
    });
    await walkBot(project);
    await walkBot(project, "prioritization_bot");
    const { code, data } = await required(project, "prioritization");
    expect([code, data.problems[0]]).toEqual([
      1,
      "gather_context was completed before shape.gather_context: shape must be finished first",
    ]);
  });

  // Attack (file tools): Edit `workflow_state.json`
  test("the state file edited past an action: vouched for by an edit, named with its day", async () => {
    const project = makeProject();
    const window = await openWindow(project.root);
    await window.pass("shape_bot");
    project.write("workflow_state.json", {
      ...project.state(),
      current_action: "story_bot.shape.build_knowledge",
      action_state: "started",
    });
    for (const _ of actions.slice(2)) await window.pass("shape_bot");
    await window.close();
    await expectProblemsInWords(project, "shape", [
      expect.stringMatching(/^decide_planning_criteria counts only because of an edit of workflow_state.json \(\d{4}-/),
    ]);
  });

  test("a state file laid down before the first call: vouched for by what was taken over", async () => {
    const project = makeProject();
    project.write("workflow_state.json", {
      current_behavior: "story_bot.shape",
      current_action: "story_bot.shape.validate_rules",
      action_state: "started",
      completed_actions: actions
        .slice(0, 4)
        .map((name) => ({ action_state: `story_bot.shape.${name}`, timestamp: "2026-01-01T00:00:00.000Z" })),
    });
    await walkBot(project);
    const problem = expect.stringMatching(/ counts only because of an adopted workflow_state.json/);
    await expectProblems(project, "shape", [problem, problem, problem, problem]);
  });

  test("the workflow deleted, its gate broken, the bot or the behavior gone, the settings broken: none of them passes", async () => {
    const project = plantWorkflow({ phases: 1 });
    await walkPhases(project, 1);
    await expectMetInWords(project, "survey");
    const gate = ".waymark/workflows/survey/phases/1/gate-definition.yaml";
    await meanwhile(project, gate, "evidence_schema: [\n", () =>
      expectProblemsInWords(project, "survey", [expect.stringMatching(/^survey is broken: /)]),
    );
    project.remove(".waymark/workflows/survey");
    await expectProblemsInWords(project, "survey", ["there is no workflow survey in the definitions"]);

    const other = makeProject();
    await walkBot(other);
    await expectMetInWords(other, "shape");
    const broken = (): Promise<void> =>
      expectProblemsInWords(other, "shape", [expect.stringMatching(/^story_bot.shape is broken: /)]);
    other.write(".waymark/base_actions/render_output/gate-definition.yaml", "evidence: {}\n");
    await broken();
    other.remove(".waymark/base_actions/render_output/gate-definition.yaml");
    await meanwhile(other, ".waymark/base_actions/render_output/action_config.json", "{", broken);
    other.write(".waymark/config.json", "{");
    await broken();
    other.remove(".waymark/config.json");
    const bot = ".waymark/bots/story_bot/bot_config.json";
    await meanwhile(other, bot, { name: "story_bot", behaviors: ["discovery"] }, () =>
      expectProblemsInWords(other, "shape", ["there is no behavior shape of story_bot in the definitions"]),
    );
    other.remove(".waymark/bots/story_bot");
    await broken();
  });

  test("a record of before, which names no hash: not recorded, a problem under --require alone", async () => {
    const project = makeProject();
    cpSync(join(import.meta.dirname, "../fixtures/records-0.1/finished"), project.root, {
      recursive: true,
      force: true,
    });
    expect((await runCli(["verify", "--root", project.root])).code).toBe(0);
    await expectProblems(
      project,
      "shape",
      actions.map((name) => `${name}: the record does not say what it was judged by`),
    );
  });
});

// Attack (file tools): Rewrite a session's history with right hashes, with weak or no evidence, without an approval, or judged by another gate
// -> Exposed by `verify --require`
describe("an assistant with a shell, and verify --require", () => {
  test.each([
    [
      "evidence that its gate would have refused",
      { evidence: { [fieldOf(1)]: 0 } },
      /^phase 1: its evidence does not pass/,
    ],
    ["no evidence", { evidence: {} }, /^phase 1: its evidence does not pass/],
    ["nobody's word", { word: { level: "auto" } as const }, /^phase 1 has no approval/],
    ["a made-up hash", { judgedBy: "v1:gate=0;sequence=0" }, /^phase 1 was judged by a different gate/],
    [
      "a hash of a form to come",
      { judgedBy: "v9:gate=0" },
      /the form of its gate on record \(v9\) is unknown to this version of Waymark/,
    ],
  ])("a history written anew, every hash right, with %s: named", async (_, forged, problem) => {
    const project = plantWorkflow({ phases: 1, approval: [1] });
    await walkPhases(project, 1);
    await expectMet(project, "survey");
    const folder = ".waymark/journal/sessions";
    const [file = ""] = readdirSync(project.path(folder)).filter((name) => name.endsWith(".jsonl"));
    forge(project, `${folder}/${file}`, (event) => (event.type === "completed" ? { ...event, ...forged } : event));
    const { code, data } = await required(project, "survey");
    expect([code, data.problems[0]]).toEqual([1, expect.stringMatching(problem)]);
  });
});

// Attack (file tools): Rewrite it with a broken rule, an empty approval, a no before a relayed yes, or other outputs than the digest is of
// -> Exposed by `verify --require`: the record contradicts itself
describe("what a record says against itself", () => {
  const journal = ".waymark/journal/story_bot.jsonl";
  const step = "validate_rules";

  /** A behavior walked to its end: its last action wants its rules to hold, and a person said yes to each. */
  async function ruled(): Promise<Project> {
    const project = makeProject();
    project.write(`.waymark/base_actions/${step}/gate-definition.yaml`, "checks: [rules]\n");
    const rule = ".waymark/bots/story_bot/behaviors/shape/rules/plain.json";
    project.write(rule, { description: "Plain words", must_not_match: "TODO" });
    await walkBot(project, "shape_bot", { content: [{ path: "story.md", text: "Done\n" }] });
    await expectMet(project, "shape");
    return project;
  }

  const broken = { rule: "plain", severity: "error", file: "story.md", line: 1, message: "TODO" } as const;

  test.each<[string, (event: Completed) => Completed, string]>([
    [
      "a broken rule",
      (event) => ({ ...event, violations: [broken] }),
      "the record shows a broken rule: story.md: TODO",
    ],
    ["no result of its rules", ({ violations: _, ...event }) => event, "its rule results are not on record"],
    [
      "a relayed dot",
      (event) => ({ ...event, word: { level: "relayed", text: "." } }),
      "the relayed confirmation is empty",
    ],
    ["a relayed nothing", (event) => ({ ...event, word: { level: "relayed" } }), "the relayed confirmation is empty"],
    ["no digest", ({ digest: _, ...event }) => event, "what was approved is not on record"],
    [
      "another digest",
      (event) => ({ ...event, digest: "0".repeat(64) }),
      "the record is not what was judged: its digest does not match",
    ],
    [
      "other outputs",
      (event) => ({ ...event, outputs: { note: "never shown" } }),
      "the record is not what was judged: its digest does not match",
    ],
  ])("a history written anew, every hash right, with %s: named", async (_, forged, problem) => {
    const project = await ruled();
    forge(project, journal, (event) => (event.type === "completed" && event.step === step ? forged(event) : event));
    expect((await required(project, "shape")).data.problems).toContain(`${step}: ${problem}`);
  });

  test("a person's no to the very hand-in before a yes that is passed on: named", async () => {
    const project = await ruled();
    forge(project, journal, (event) => {
      if (event.type !== "completed" || event.step !== step) return event;
      const { at, by, workflow, pass, attempt, digest } = event;
      const no: Event = { type: "declined", at, by, workflow, pass, step, attempt, reason: "never" };
      return [{ ...no, ...(digest === undefined ? {} : { digest }) }, event];
    });
    expect((await required(project, "shape")).data.problems).toContain(
      `${step}: a person rejected this submission, and a relayed yes after that does not count`,
    );
  });
});

/** A walked session whose gates look outside: a pattern, a file that must be there, and a comparison with an earlier phase. */
async function walkedOutside(): Promise<{ project: Project; journal: string }> {
  const project = plantWorkflow({ phases: 2 });
  const gate = (phase: number): string => `.waymark/workflows/survey/phases/${phase}/gate-definition.yaml`;
  const commit = `commit: {type: string, validator: {matches: "^[0-9a-f]{40}$"}}`;
  project.write(gate(1), `evidence_schema:\n  ${commit}\n  planned: {type: integer}\n`);
  const fields = "  done: {type: integer}\n  report: {type: string, validator: file_exists}\n";
  project.write(gate(2), `evidence_schema:\n${fields}cross_field_validation:\n  - rule: "done == phase_1.planned"\n`);
  project.write("docs/report.md", "Done.\n");
  await walkPhases(project, 2, (phase) =>
    phase === 1 ? { commit: "a".repeat(40), planned: 4 } : { done: 4, report: "docs/report.md" },
  );
  const folder = ".waymark/journal/sessions";
  const [file = ""] = readdirSync(project.path(folder)).filter((name) => name.endsWith(".jsonl"));
  return { project, journal: `${folder}/${file}` };
}

describe("what a gate wants to know of the outside is judged again", () => {
  test.each([
    [
      "a text that its pattern does not match",
      "1",
      { commit: "not a commit at all", planned: 4 },
      /phase 1: .*a match of/,
    ],
    ["a path that nobody looks for", "2", { done: 4, report: "../../etc/passwd" }, /phase 2: .*is not an allowed path/],
    ["an earlier number that cannot be compared", "1", { commit: "a".repeat(40), planned: 5 }, /phase 2: .*done/],
  ])("a history written anew with %s: named", async (_, step, evidence, problem) => {
    const { project, journal } = await walkedOutside();
    await expectMet(project, "survey");
    forge(project, journal, (event) =>
      event.type === "completed" && event.step === step ? { ...event, evidence } : event,
    );
    const { code, data } = await required(project, "survey");
    expect([code, data.problems.join("\n")]).toEqual([1, expect.stringMatching(problem)]);
  });

  test("a comparison that has only some of its fields on record: named", async () => {
    const project = plantWorkflow({ phases: 1 });
    project.write(
      ".waymark/workflows/survey/phases/1/gate-definition.yaml",
      'evidence_schema:\n  low: {type: integer, required: false}\n  high: {type: integer, required: false}\n  all: {type: boolean}\ncross_field_validation:\n  - rule: "low <= high"\n',
    );
    await walkPhases(project, 1, () => ({ low: 1, high: 2, all: true }));
    await expectMet(project, "survey");
    const folder = ".waymark/journal/sessions";
    const [file = ""] = readdirSync(project.path(folder)).filter((name) => name.endsWith(".jsonl"));
    forge(project, `${folder}/${file}`, (event) =>
      event.type === "completed" ? { ...event, evidence: { low: 9, all: true } } : event,
    );
    const { code, data } = await required(project, "survey");
    expect([code, data.problems[0]]).toEqual([1, expect.stringMatching(/^phase 1: .*high must be present as well/)]);
  });

  // Attack (file tools): Rewrite it with the name of a file that never existed
  // -> Not seen; `verify --require` calls it claimed, not verified
  test("a file that stands there is proved; one that is gone is claimed, and keeps nothing from counting", async () => {
    const { project } = await walkedOutside();
    const rests = async (): Promise<Step | undefined> =>
      (await required(project, "survey")).data.walks[0]?.steps.find(({ step }) => step === "2");
    expect((await rests())?.proved).toEqual(["seen again: report"]);
    project.remove("docs/report.md");
    await expectMet(project, "survey");
    expect(await rests()).toMatchObject({
      proved: [],
      claimed: [
        "evidence: done, report",
        "report, observed then, not observable now: the path of a file that exists",
        expect.stringMatching(/^submitted: docs\/report.md /),
      ],
    });
  });
});

describe("what honest work comes to under --require", () => {
  test("other words, another order of keys, gates written down as files: the same hash", async () => {
    const project = plantWorkflow({ phases: 1 });
    const phase = ".waymark/workflows/survey/phases/1";
    project.remove(`${phase}/gate-definition.yaml`);
    project.write(
      `${phase}/phase.md`,
      "# Phase 1: Look\n\nLook.\n\n## Validation Gate\n\n| Evidence | Type | Validator | Description |\n|---|---|---|---|\n| `count` | integer | greater_than_0 | how many |\n| `seen` | boolean | | all were seen |\n| `notes` | list | min_length_2 | what was seen |\n",
    );
    await walkPhases(project, 1, () => ({ count: 2, seen: true, notes: ["a", "b"] }));
    await expectMet(project, "survey");
    project.write(`${phase}/phase.md`, project.read(`${phase}/phase.md`).replace("how many", "the number of them"));
    await expectMet(project, "survey");
    expect((await runCli(["check", "--write-gates", "survey", "--root", project.root])).code).toBe(0);
    await expectMet(project, "survey");
    const file = `${phase}/gate-definition.yaml`;
    project.write(
      file,
      "evidence_schema:\n  notes: {validator: min_length_2, type: list}\n  seen: {type: boolean, validator: is_true}\n  count: {type: integer, validator: {greater_than: 0}, description: other words}\n",
    );
    await expectMet(project, "survey");
    project.write(file, project.read(file).replace("min_length_2", "min_length_3"));
    await expectProblems(project, "survey", ["phase 1 was judged by a different gate than the definitions have"]);
  });

  // Attack (tools): Make up evidence that no check gives
  // -> Not seen. On record, and `verify --require` calls it claimed
  test("for each step it says what is proved and what is claimed", async () => {
    const project = plantWorkflow({ phases: 2, approval: [2] });
    await walkPhases(project, 2);
    const { data } = await required(project, "survey");
    expect(data.walks[0]?.steps).toEqual([
      {
        step: "1",
        status: "completed",
        at: expect.any(String),
        judged_by: expect.stringMatching(/^v1:gate=[0-9a-f]{32};sequence=[0-9a-f]{32};settings=approvals relayed$/),
        proved: [],
        claimed: [`evidence: ${fieldOf(1)}`],
      },
      expect.objectContaining({
        claimed: [`evidence: ${fieldOf(2)}`, 'a person\'s approval, relayed by the assistant: "yes"'],
      }),
    ]);
    const { stdout } = await requiredInWords(project, "survey");
    expect(stdout).not.toContain("verified: evidence");
    expect(stdout).toContain(`claimed: evidence: ${fieldOf(1)}`);
  });

  test("behaviors: ordered, and each walked in its turn: met, also where an earlier one is begun anew afterwards", async () => {
    const project = makeProject();
    project.write(".waymark/config.json", { behaviors: "ordered" });
    await walkBot(project);
    await walkBot(project, "prioritization_bot");
    await expectMet(project, "prioritization");
    const window = await openWindow(project.root);
    await window.call("shape_bot", { resume: "restart" });
    await window.close();
    await expectMet(project, "prioritization");
  });

  test("a name that two bots or a workflow share is not guessed", async () => {
    const project = makeProject();
    project.write(".waymark/bots/test_bot/bot_config.json", {
      name: "test_bot",
      behaviors: ["shape"],
      project_area: "t",
    });
    expect(await requiredInWords(project, "shape")).toMatchObject({
      code: 1,
      stderr: "waymark: story_bot and test_bot have a behavior shape: name story_bot.shape or test_bot.shape.\n",
    });
    expect((await required(project, "story_bot.shape")).data.problems).toEqual(["story_bot.shape was never started"]);
  });
});
