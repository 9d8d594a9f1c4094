import { expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { forge } from "../forge.ts";
import { keyed, reply, sitDown } from "../people.ts";
import { callPhase, emptyProject } from "../phased.ts";
import { makeProject, type Project } from "../project.ts";
import { openWindow } from "../window.ts";

const page = `---
outcomes: [done, no-go]
---
# Change

## Phase 1: Build
\`\`\`yaml gate
evidence_schema:
  summary: { type: string, required: true }
\`\`\`

## Phase 2: Review
\`\`\`yaml gate
evidence_schema:
  findings: { type: integer, required: true }
approval: { when: findings > 5 }
then:
  - { when: findings > 0, back_to: build, at_most: 2 }
\`\`\`
`;

function change(): Project {
  const project = emptyProject();
  project.write(".waymark/workflows/change.md", page);
  return project;
}

async function atReview(project: Project) {
  const window = await openWindow(project.root);
  const { session_id } = await callPhase(window, "start_workflow", { workflow_type: "change" });
  const complete = (phase: number, evidence: object, more: object = {}) =>
    callPhase(window, "complete_phase", { session_id, phase, evidence, ...more });
  await complete(1, { summary: "built" });
  return { window, session: session_id, complete };
}

test("an approval with a condition asks only where the condition is not false", async () => {
  const { complete } = await atReview(change());
  expect(await complete(2, { findings: 7 })).toMatchObject({ error: "approval_required" });
  expect(await complete(2, { findings: 3 })).toMatchObject({ checkpoint_passed: true, next_phase: 1 });
});

test("waiving a field that routes read needs a choice of what follows", async () => {
  const project = change();
  const { session, complete } = await atReview(project);
  const bare = sitDown().runs(project, ["waive", session, "findings", "--reason", "The tool is gone."]);
  await reply(bare, "[y/N]", "y");
  await bare.sees("what follows must be chosen");
  await bare.ends();
  const chosen = sitDown().runs(project, [
    "waive",
    session,
    "findings",
    "--reason",
    "The tool is gone.",
    "--then",
    "1",
  ]);
  await reply(chosen, "[y/N]", "y");
  await chosen.sees("Waived in");
  await chosen.ends();
  expect(await complete(2, {}, { confirmation: "They agree." })).toMatchObject({ phase_completed: 2, next_phase: 1 });
  await complete(1, { summary: "again" });
  expect(await complete(2, { findings: 0 })).toMatchObject({ workflow_complete: true, outcome: "done" });
  const { code, stdout } = await runCli(["verify", "--require", "change", "--root", project.root]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("was completed as defined")]);
});

test("a person ends a session with an outcome that its author declared, and never as done", async () => {
  const project = change();
  const { session, complete } = await atReview(project);
  const asDone = sitDown().runs(project, ["end", session, "done"]);
  await asDone.sees("not an outcome that a person can choose");
  await asDone.ends();
  const asNoGo = sitDown().runs(project, ["end", session, "no-go", "--reason", "The customer left."]);
  await reply(asNoGo, "[y/N]", "y");
  await asNoGo.sees("ended as no-go");
  await asNoGo.ends();
  expect(await complete(2, { findings: 0 })).toMatchObject({ isError: true });
  const { code } = await runCli(["verify", "--require", "change", "--outcome", "no-go", "--root", project.root]);
  expect(code).toBe(0);
});

test("an assistant can neither end a session nor pass a bound: without a terminal both are refused", async () => {
  const project = change();
  const { session } = await atReview(project);
  for (const args of [
    ["end", session, "no-go"],
    ["answer", session, "Go on.", "--continue"],
  ]) {
    const { code, stderr } = await runCli([...args, "--root", project.root]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("needs a terminal")]);
  }
});

test("waymark start starts a session with its inputs, read by their types", async () => {
  const project = emptyProject();
  project.write(
    ".waymark/workflows/change.md",
    page.replace("---\n", "---\ninputs:\n  count: { type: integer, required: true }\n"),
  );
  const { stdout } = await runCli([
    "start",
    "change",
    "src/a.ts",
    "--input",
    "count=3",
    "--json",
    "--root",
    project.root,
  ]);
  expect(JSON.parse(stdout)).toMatchObject({ target_file: "src/a.ts", inputs: { count: 3 }, current_phase: 1 });
  const wrong = await runCli(["start", "change", "--input", "count=many", "--root", project.root]);
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining("must be an integer")]);
  const none = await runCli(["start", "change", "--root", project.root]);
  expect(none.stderr).toContain("the input count is missing");
  expect(none.stderr).toContain("Give it with --input NAME=VALUE.");
  const twice = ["start", "change", "--input", "count=3", "--input", "count=4", "--root", project.root];
  expect((await runCli(twice)).stderr).toContain("given twice");
});

test("a bot's action goes back by its routes, and an action whose condition is false is passed over", async () => {
  const project = makeProject();
  project.write(
    ".waymark/bots/story_bot/behaviors/shape/behavior.json",
    JSON.stringify({
      actions: [
        "gather_context",
        { name: "build_knowledge", when: 'gather_context.size == "large"' },
        "render_output",
        "validate_rules",
      ],
    }),
  );
  project.write(
    ".waymark/base_actions/gather_context/gate-definition.yaml",
    "evidence_schema:\n  size: { type: string, required: true, validator: { one_of: [small, large] } }\n",
  );
  project.write(
    ".waymark/base_actions/validate_rules/gate-definition.yaml",
    "evidence_schema:\n  findings: { type: integer, required: true }\nthen:\n  - { when: findings > 0, back_to: render_output, at_most: 3 }\n",
  );
  const window = await openWindow(project.root);
  const pass = async (evidence?: object) => {
    const opened = await window.call("shape_bot");
    const done = await window.call("complete_action", { confirmation: "yes", ...(evidence ? { evidence } : {}) });
    return { opened, done };
  };
  const first = await pass({ size: "small" });
  expect(first.done).toMatchObject({ action: "gather_context", next: { action: "render_output" } });
  await pass();
  const rejected = await pass({ findings: 2 });
  expect(rejected.done).toMatchObject({ action: "validate_rules", next: { action: "render_output" } });
  const again = await pass();
  expect(again.opened.action).toBe("render_output");
  expect(again.opened.instructions).toMatch(/round 2.*came back from validate_rules.*findings/is);
  expect((await pass({ findings: 0 })).done).toMatchObject({ status: "workflow_complete" });
  const { code, stdout } = await runCli(["verify", "--require", "story_bot.shape", "--root", project.root]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("build_knowledge: passed over")]);
});

test("two windows that complete a step at once go back once, and nothing is lost", async () => {
  const project = change();
  const { session, complete } = await atReview(project);
  const second = await openWindow(project.root);
  for (const round of [1, 2]) {
    const evidence = { findings: round };
    const [mine, theirs] = await Promise.all([
      complete(2, evidence),
      callPhase(second, "complete_phase", { session_id: session, phase: 2, evidence }),
    ]);
    const passed = [mine, theirs].filter(({ checkpoint_passed }) => checkpoint_passed === true);
    expect(passed.length).toBeGreaterThan(0);
    const state = await callPhase(second, "get_workflow_state", { session_id: session });
    expect(state).toMatchObject({ current_phase: 1, workflow_complete: false });
    await complete(1, { summary: `again after ${round}` });
  }
  const records = project.read(`.waymark/journal/sessions/${session}.jsonl`);
  expect(records.match(/"went_back"/g)).toHaveLength(2);
  expect(await complete(2, { findings: 0 })).toMatchObject({ workflow_complete: true });
  expect((await runCli(["verify", "--require", "change", "--root", project.root])).code).toBe(0);
});

test("at a bound of a step whose approvals need a key, a person's answer needs it too", async () => {
  const project = emptyProject();
  const proven = page
    .replace("approval: { when:", "approval: { level: proven, when:")
    .replace("at_most: 2", "at_most: 1");
  project.write(".waymark/workflows/change.md", proven);
  const { session, complete } = await atReview(project);
  await complete(2, { findings: 1 });
  await complete(1, { summary: "again" });
  expect(await complete(2, { findings: 1 })).toMatchObject({ status: "blocked" });
  const keyless = sitDown().runs(project, ["answer", session, "Go on.", "--again"]);
  await keyless.sees("create a key");
  await keyless.ends();
  const dana = await keyed(project, "dana");
  const answered = dana.runs(project, ["answer", session, "Once more.", "--again"]);
  await reply(answered, "Passphrase for dana", "correct horse");
  await answered.sees("leads back once more");
  await answered.ends();
  await complete(1, { summary: "and again" });
  expect(await complete(2, { findings: 0 })).toMatchObject({ workflow_complete: true });
  const verify = ["verify", "--require", "change", "--allow-waived", "--root", project.root];
  expect((await runCli(verify)).code).toBe(0);
  const file = `.waymark/journal/sessions/${session}.jsonl`;
  forge(project, file, (event) => {
    if (event.type !== "answered") return event;
    const { signed: _, person: __, ...rest } = event;
    return { ...rest, level: "elicited" };
  });
  const { code, stdout } = await runCli(verify);
  expect([code, stdout]).toEqual([1, expect.stringContaining("passed its bound without the approval")]);
});

test("waiving a check that gives a field of a route needs a choice of what follows", async () => {
  const project = emptyProject();
  project.write("count.mjs", "process.exit(1);\n");
  const checked = page.replace(
    "approval: { when: findings > 5 }",
    "checks:\n  - { name: count, run: [node, count.mjs], report: { format: junit, path: r.xml }, gives: { findings: failed } }",
  );
  project.write(".waymark/workflows/change.md", checked);
  const { session } = await atReview(project);
  const bare = sitDown().runs(project, ["waive", session, "count", "--reason", "The tool is gone."]);
  await reply(bare, "[y/N]", "y");
  await bare.sees("what follows must be chosen");
  await bare.ends();
});

test.each([
  ["next", { workflow_complete: true, outcome: "done" }, "done"],
  ["no-go", { workflow_complete: true, outcome: "no-go" }, "no-go"],
])("after a waiver the person's choice counts: --then %s", async (follows, reply_, outcome) => {
  const project = change();
  const { session, complete } = await atReview(project);
  const waived = sitDown().runs(project, ["waive", session, "findings", "--reason", "Gone.", "--then", follows]);
  await reply(waived, "[y/N]", "y");
  await waived.sees("Waived in");
  await waived.ends();
  // the condition of the approval reads what is waived: unknown asks
  expect(await complete(2, {})).toMatchObject({ error: "approval_required" });
  expect(await complete(2, {}, { confirmation: "They agree." })).toMatchObject(reply_);
  const verify = ["verify", "--require", "change", "--outcome", outcome, "--root", project.root];
  expect((await runCli(verify)).code).toBe(1);
  expect((await runCli([...verify, "--allow-waived"])).code).toBe(0);
});

test("--then must name a step up to this one, an outcome or next", async () => {
  const project = change();
  const { session } = await atReview(project);
  for (const follows of ["3", "build", "soon", ""]) {
    const waived = sitDown().runs(project, ["waive", session, "findings", "--reason", "Gone.", "--then", follows]);
    await reply(waived, "[y/N]", "y");
    await waived.sees("names no step or outcome");
    await waived.ends();
  }
});
