import { expect, test } from "vitest";
import type { Event } from "../../src/workflow/events.ts";
import { runCli } from "../command-line.ts";
import { forge } from "../forge.ts";
import { callPhase, emptyProject } from "../phased.ts";
import type { Project } from "../project.ts";
import { openWindow } from "../window.ts";

/** A review loop, an optional step and an early end. */
const page = `---
title: Change
inputs:
  ui: { type: boolean, default: false }
outcomes: [done, no-go]
---
# Change

## Phase 1: Build
\`\`\`yaml gate
evidence_schema:
  summary: { type: string, required: true }
\`\`\`

## Phase 2: Screens
\`\`\`yaml gate
when: inputs.ui == true
evidence_schema:
  screens: { type: integer, required: true }
\`\`\`

## Phase 3: Review
\`\`\`yaml gate
evidence_schema:
  findings: { type: integer, required: true }
approval: { when: findings > 5 }
then:
  - { when: findings > 9, end: no-go }
  - { when: findings > 0, back_to: build, at_most: 2 }
\`\`\`
`;

/** Walks a session through the reviews' findings, one round each. */
async function walked(findings: readonly number[], inputs: object = {}): Promise<{ project: Project; file: string }> {
  const project = emptyProject();
  project.write(".waymark/workflows/change.md", page);
  const window = await openWindow(project.root);
  const { session_id } = await callPhase(window, "start_workflow", { workflow_type: "change", inputs });
  const complete = (phase: number, evidence: object) =>
    callPhase(window, "complete_phase", { session_id, phase, evidence, confirmation: "They agree." });
  for (const [round, found] of findings.entries()) {
    await complete(1, { summary: `round ${round}` });
    if ("ui" in inputs) await complete(2, { screens: 1 });
    await complete(3, { findings: found });
  }
  await window.close();
  return { project, file: `.waymark/journal/sessions/${session_id}.jsonl` };
}

async function verified({ root }: Project, ...args: string[]): Promise<{ code: number | null; problems: string[] }> {
  const { code, stdout } = await runCli(["verify", "--json", "--require", "change", "--root", root, ...args]);
  return { code, problems: JSON.parse(stdout).required.problems };
}

type Change = (event: Event) => Event | readonly Event[];
const without =
  (type: Event["type"]): Change =>
  (event) =>
    event.type === type ? [] : event;

test("a walk through loops and past an optional step is proved by deciding its routes again", async () => {
  expect(await verified((await walked([2, 0])).project)).toEqual({ code: 0, problems: [] });
  expect(await verified((await walked([0], { ui: true })).project)).toEqual({ code: 0, problems: [] });
});

test("a session that ended early is what was asked for only if its outcome is named", async () => {
  const { project } = await walked([12]);
  expect(await verified(project)).toEqual({ code: 1, problems: ["change ended as no-go, not as done"] });
  expect(await verified(project, "--outcome", "no-go")).toEqual({ code: 0, problems: [] });
  expect((await verified((await walked([0])).project, "--outcome", "no-go")).code).toBe(1);
});

test("an approval whose condition is false need not be there; without that it is missed", async () => {
  expect(await verified((await walked([4, 0])).project)).toMatchObject({ code: 0 });
  const { project, file } = await walked([7, 0]);
  expect(await verified(project)).toMatchObject({ code: 0 });
  forge(project, file, (event) =>
    event.type === "completed" && event.evidence?.findings === 7 ? { ...event, word: { level: "auto" } } : event,
  );
  expect((await verified(project)).code).toBe(1);
});

test.each<[string, readonly number[], object, Change, string]>([
  [
    "a loop left out",
    [2, 0],
    {},
    (event) =>
      event.type === "completed" && event.evidence?.findings === 2
        ? { ...event, evidence: { findings: 0 }, word: { level: "auto" } }
        : event,
    "goes on to the next step, but the record leads back to phase 1 (again: phase 2, phase 3)",
  ],
  [
    "a loop cut short",
    [2, 0],
    {},
    (event) =>
      event.type === "completed" && event.evidence?.findings === 0 ? { ...event, evidence: { findings: 3 } } : event,
    "leads back to phase 1 (again: phase 2, phase 3), but the record goes on to the next step",
  ],
  [
    "a step passed over without cause",
    [0],
    { ui: true },
    (event) => (event.type === "session_began" ? { ...event, inputs: { ui: false } } : event),
    "passes over phase 2, but the record goes on to the next step",
  ],
  [
    "a route whose values are not those that were read",
    [2, 0],
    {},
    (event) =>
      event.type === "completed" && event.taken !== undefined
        ? { ...event, taken: { ...event.taken, read: { findings: 7 } } }
        : event,
    "names another route, condition or value",
  ],
  [
    "a step passed over by another condition than was judged",
    [0],
    {},
    (event) => (event.type === "passed_over" ? { ...event, read: { "inputs.ui": "no" } } : event),
    "phase 2 was passed over, but its condition did not say so",
  ],
  ["a record of passing over that is gone", [0], {}, without("passed_over"), "phase 2"],
])("verify --require names %s, with a history whose hashes are right", async (_, findings, inputs, change, said) => {
  const { project, file } = await walked(findings, inputs);
  forge(project, file, change);
  const { code, problems } = await verified(project);
  expect(code).toBe(1);
  expect(problems.join("; ")).toContain(said);
});

test("verify --require names a bound exceeded", async () => {
  const { project, file } = await walked([1, 1, 0]);
  expect(await verified(project)).toEqual({ code: 0, problems: [] });
  const once = page.replace("at_most: 2", "at_most: 1");
  project.write(".waymark/workflows/change.md", once);
  const { code, problems } = await verified(project);
  expect([code, problems.join("; ")]).toEqual([1, expect.stringContaining("stops at its bound, but the record leads")]);
  expect(file).toMatch(/jsonl$/);
});

test("verify --require names another definition", async () => {
  const { project } = await walked([1, 0]);
  project.write(".waymark/workflows/change.md", page.replace("findings > 0", "findings > 1"));
  const { code, problems } = await verified(project);
  expect([code, problems.join("; ")]).toEqual([1, expect.stringContaining("different gate")]);
});
