import { expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { callPhase, emptyProject } from "../phased.ts";
import { openWindow } from "../window.ts";

/** Adopts a file and starts what came of it. */
async function adopted(file: string, text: string, workflow: string, inputs?: object) {
  const project = emptyProject();
  project.write(".waymark/workflows/other.md", "# Other\n\n## Phase 1: Do\n\n- [ ] `done`: it is done\n");
  project.write(file, text);
  const { code, stdout, stderr } = await runCli([
    "adopt",
    project.path(file),
    "--yes",
    "--json",
    "--root",
    project.root,
  ]);
  expect([code, stderr]).toEqual([0, ""]);
  const { errors } = JSON.parse((await runCli(["check", "--json", "--root", project.root])).stdout).counts ?? {};
  expect(errors ?? 0).toBe(0);
  const window = await openWindow(project.root);
  const started = await callPhase(window, "start_workflow", { workflow_type: workflow, ...(inputs && { inputs }) });
  expect(started.error).toBeUndefined();
  const complete = (phase: number, evidence: object, more: object = {}) =>
    callPhase(window, "complete_phase", { session_id: started.session_id, phase, evidence, ...more });
  return {
    data: JSON.parse(stdout),
    page: project.read(`.waymark/workflows/${workflow}.md`),
    started,
    complete,
    project,
  };
}

const machine = `# comment
---
name: 'bugfix'
description: 'Reproduce, fix, verify'
initial_state: 'reproduce'
states:
  reproduce:
    description: 'Reproduce the bug'
    allowed_file_patterns: ['**/*.md']
    default_instructions: |
      # How
      Find the exact steps. Follow \`$DESIGN_DOC\`.
    transitions:
      - trigger: 'reproduced'
        to: 'fix'
      - trigger: 'no_fix_needed'
        to: 'verify'
        transition_reason: 'It is fixed already'
  fix:
    description: 'Fix it'
    required_capability: 'coding'
    default_instructions: Change the code.
    transitions:
      - trigger: 'fixed'
        to: 'verify'
        review_perspectives:
          - { perspective: 'architect', prompt: 'Look at the design.' }
  verify:
    description: 'Verify it'
    default_instructions: Run the tests.
    transitions:
      - trigger: 'not_fixed'
        to: 'fix'
        additional_instructions: 'Look at what verification found.'
      - trigger: 'verified'
        to: 'done'
  done:
    description: 'Done'
    transitions: []
`;

test("a state machine becomes phases with routes, and what is lost is named", async () => {
  const { data, page, complete } = await adopted("bugfix.yaml", machine, "bugfix");
  expect(data.not_carried_over).toEqual(
    expect.arrayContaining([
      expect.stringContaining("verify could lead back without end"),
      expect.stringContaining("the reviews of fix"),
      expect.stringContaining("$DESIGN_DOC"),
    ]),
  );
  expect(data.claims_alone).toEqual(["Phase 1: Reproduce", "Phase 2: Fix", "Phase 3: Verify", "Phase 4: Done"]);
  expect(page).toContain("**How**");
  expect(page).toContain("role: coding");
  expect(await complete(1, { trigger: "reproduced", summary: "x" })).toMatchObject({ next_phase: 2 });
  await complete(2, { summary: "x" });
  const back = await complete(3, { trigger: "not_fixed", summary: "x" });
  expect(back).toMatchObject({ next_phase: 2 });
  expect(back.next_phase_content?.content).toContain("Look at what verification found.");
  await complete(2, { summary: "y" });
  expect(await complete(3, { trigger: "verified", summary: "x" })).toMatchObject({ next_phase: 4 });
});

test("a transition that leads past a state passes it over", async () => {
  const { complete } = await adopted("bugfix.yaml", machine, "bugfix");
  expect(await complete(1, { trigger: "no_fix_needed", summary: "x" })).toMatchObject({ next_phase: 3 });
  // a later transition leads back to the state that was passed over
  expect(await complete(3, { trigger: "not_fixed", summary: "x" })).toMatchObject({ next_phase: 2 });
});

const kit = `schema_version: "1.0"
workflow:
  id: "sdd"
  name: "SDD Cycle"
  description: "specify, plan, implement"
  integration: copilot
inputs:
  feature: { type: string, required: true, prompt: "Feature name" }
  scope: { type: string, default: "full", enum: ["full", "backend-only"] }
steps:
  - id: specify
    command: speckit.specify
    input: { args: "{{ inputs.feature }}" }
  - id: plan-cycle
    type: do-while
    condition: "{{ steps.review-plan.output.choice == 'revise' }}"
    max_iterations: 3
    steps:
      - id: plan
        command: speckit.plan
      - id: review-plan
        type: gate
        message: "Review the plan."
        options: [approve, revise, reject]
        on_reject: abort
  - id: scope
    type: if
    condition: "{{ inputs.scope == 'full' }}"
    then:
      - id: frontend
        type: prompt
        prompt: "Plan the frontend of {{ inputs.feature }}"
  - id: tasks
    command: speckit.tasks
  - id: build
    type: fan-out
    items: "{{ steps.tasks.output.task_list }}"
    max_concurrency: 2
    step: { id: implement, command: speckit.implement, input: { args: "{{ item.title }}" } }
  - id: test
    type: shell
    run: "npm test"
  - id: tidy
    type: shell
    run: "rm -rf build && echo {{ context.run_id }}"
`;

test("a spec-kit workflow keeps its inputs, gates, loops, branches, fan-out and plain commands", async () => {
  const { data, page, complete, started, project } = await adopted("workflow.yml", kit, "sdd", {
    feature: "Login",
    scope: "backend-only",
  });
  expect(started.phase_content?.content).toContain("/speckit.specify` with: Login");
  expect(data.claims_alone).toEqual([
    "Phase 1: Specify",
    "Phase 2: Plan",
    "Phase 4: Frontend",
    "Phase 5: Tasks",
    "Phase 8: Tidy",
  ]);
  expect(data.not_carried_over).toEqual(
    expect.arrayContaining([expect.stringContaining("tidy"), expect.stringContaining("integration")]),
  );
  expect(page).toContain("at_most: 3");
  expect(page).toMatch(/run:\n\s+- npm\n\s+- test/);
  await complete(1, { summary: "x" });
  await complete(2, { summary: "x" });
  expect(await complete(3, { choice: "revise" })).toMatchObject({ error: "approval_required" });
  expect(await complete(3, { choice: "revise" }, { confirmation: "Once more." })).toMatchObject({ next_phase: 2 });
  await complete(2, { summary: "x" });
  expect(await complete(3, { choice: "approve" }, { confirmation: "Good." })).toMatchObject({ next_phase: 5 });
  expect(await complete(5, { summary: "x", task_list: ["One", "Two"] })).toMatchObject({
    next_phase: 6,
    items: { total: 2 },
  });
  const item = await callPhase(await openWindow(project.root), "start_workflow", {
    session_id: started.session_id,
    item: "One",
  });
  expect(item.phase_content?.content).toContain("/speckit.implement` with: One");
});

test.each([
  [
    "headings",
    "## Step 1: Look\n\nLook at it.\n\n### Details\n\nMore.\n\n## Step 2: Act\n\nAct on it.\n",
    ["Look", "Act"],
  ],
  [
    "a numbered list",
    "Do this:\n\n1. Look at it: closely.\n2. Act on it.\n3. Report.\n",
    ["Look at it", "Act on it", "Report"],
  ],
])("a skill with %s becomes phases that rest on claims", async (_, body, titles) => {
  const skill = `---\nname: look-and-act\ndescription: How to act\nallowed-tools: Bash\n---\n# Look and act\n\n${body}`;
  const { data, page, started } = await adopted("look/SKILL.md", skill, "look-and-act");
  expect(data.claims_alone).toEqual(titles.map((title, at) => `Phase ${at + 1}: ${title}`));
  expect(data.not_carried_over).toEqual(["allowed-tools in its front matter"]);
  expect(started.total_phases).toBe(titles.length);
  expect(page).toContain("description: How to act");
});

test("a YAML file of another kind is not adopted", async () => {
  const project = emptyProject();
  project.write("x.yaml", "a: 1\n");
  const { code, stderr } = await runCli(["adopt", project.path("x.yaml"), "--yes", "--root", project.root]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("neither states (codemcp) nor steps (spec-kit)")]);
});
