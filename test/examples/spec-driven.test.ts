import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { call } from "../items/item-calls.ts";
import { openWindow } from "../window.ts";
import { projectFrom } from "./walk.ts";

/** The specification, the plan and the task list where each tool keeps them, and the tasks in the list. */
const lists = {
  "spec-kit": [
    ["specs/001-bookings/spec.md", "specs/001-bookings/plan.md", "specs/001-bookings/tasks.md"],
    "## Phase 1: Setup\n\n- [ ] T001 Create the table\n- [ ] T002 [P] Add the form\n- [ ] T003 [P] Add the list\n\n## Phase N: Polish\n\n- [ ] T004 Docs\n",
    ["T001", "T002", "T003", "T004"],
  ],
  OpenSpec: [
    [
      "openspec/changes/add-bookings/proposal.md",
      "openspec/changes/add-bookings/design.md",
      "openspec/changes/add-bookings/tasks.md",
    ],
    "## 1. Setup\n- [ ] 1.1 Create the table\n- [ ] 1.2 Add the form\n\n## 2. Docs\n- [ ] 2.1 Write them\n",
    ["1.1", "1.2", "2.1"],
  ],
  Kiro: [
    [".kiro/specs/bookings/requirements.md", ".kiro/specs/bookings/design.md", ".kiro/specs/bookings/tasks.md"],
    "# Implementation Plan\n\n- [ ] 1. Create the table\n  - _Requirements: 1.1_\n\n- [ ] 2. Screens\n- [ ] 2.1 Add the form\n  - _Requirements: 1.2_\n  - _Depends: 1_\n- [ ]* 2.2 Write tests\n",
    ["1", "2.1", "2.2"],
  ],
} as const;

const output = "Tests  12 passed (12)";

test.each(Object.entries(lists))(
  "the spec-driven template walks a task list of %s as it is, with a review that sends one task back",
  async (_, [[specification, plan, path], list, ids]) => {
    const root = projectFrom("spec-driven");
    expect((await runCli(["check", "--compact", "--root", root])).stdout).toBe("");
    mkdirSync(dirname(join(root, path)), { recursive: true });
    for (const [file, text] of Object.entries({ [specification]: "# Spec\n", [plan]: "# Plan\n", [path]: list }))
      writeFileSync(join(root, file), text);
    const window = await openWindow(root);
    const { session_id } = await call(window, "start_workflow", {
      workflow_type: "spec-driven",
      inputs: { feature: "Bookings" },
    });
    const complete = (phase: number, evidence: object, id = session_id) =>
      call(window, "complete_phase", { session_id: id, phase, evidence });
    await complete(1, { specification, requirements: 2, unclear: 0, verdict: "build" });
    await complete(2, { plan, risks: [] });
    const opened = await complete(3, { list: path, uncovered: 0 });
    expect(opened).toMatchObject({ next_phase: 4, items: { total: ids.length, ready: [ids[0]] } });
    const settle = async (item: string) => {
      const started = await call(window, "start_workflow", { session_id, item });
      expect(started.phase_content?.content).toContain(`The specification is in ${specification}.`);
      return complete(1, { changed_files: [`src/${item}.ts`], test_output: output }, started.session_id);
    };
    for (const id of ids) await settle(id);
    const review = { test_output: output };
    const back = await complete(5, { ...review, findings: ["no index"], redo: [ids[1]] });
    expect(back).toMatchObject({ next_phase: 4, round: 2, items: { ready: [ids[1]] } });
    await settle(ids[1]);
    expect(await complete(5, { ...review, findings: [], redo: [] })).toMatchObject({
      workflow_complete: true,
      outcome: "done",
    });
    const { code, stdout } = await runCli(["verify", "--require", "spec-driven", "--root", root]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("was completed as defined")]);
  },
);
