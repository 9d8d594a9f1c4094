import { describe, expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { emptyProject } from "../phased.ts";
import { openWindow, type Window } from "../window.ts";
import { call, type ItemResult } from "./item-calls.ts";

/** One phase: what it asks for, what it calls, and what follows. */
const phase = (number: number, name: string, gate: string): string =>
  `## Phase ${number}: ${name}\n\n${name} it.\n\n\`\`\`yaml gate\n${gate.trim()}\n\`\`\`\n`;
const asks = (...fields: string[]): string => `evidence_schema:\n${fields.map((field) => `  ${field}`).join("\n")}`;
const text = (name: string): string => `${name}: { type: string, required: true }`;
const list = (name: string): string => `${name}: { type: list, required: true, may_be_empty: true }`;
const count = (name: string): string => `${name}: { type: integer, required: true }`;
const page = (...phases: string[]): string =>
  `---\ninputs:\n  what: { type: string }\noutcomes: [done, blocked, no-go]\n---\n# W\n\n${phases.join("\n")}`;
const withItem = 'with: { what: "{{item.title}}" }';
const task = page(phase(1, "Do", asks(text("summary"))));

type Process = {
  readonly title: string;
  readonly files: Readonly<Record<string, string>>;
  /** What a visit to a phase submits, by workflow and phase; one entry for each visit, the last again and again. */
  readonly turns: Readonly<Record<string, readonly Record<string, unknown>[]>>;
  readonly inputs?: Record<string, unknown>;
  /** The sessions of items that must have been walked. */
  readonly sessions: number;
};

const wf = (name: string): string => `.waymark/workflows/${name}.md`;

const processes: readonly Process[] = [
  {
    title: "a product: epics, their stories, their tasks",
    files: {
      [wf("w")]: page(
        phase(1, "Plan", asks(list("epics"))),
        phase(2, "Build", `for_each: { in: plan.epics, parallel: 2 }\nworkflow: epic\n${withItem}`),
      ),
      [wf("epic")]: page(
        phase(1, "Stories", asks(list("stories"))),
        phase(2, "Build", `for_each: { in: stories.stories }\nworkflow: story\n${withItem}`),
      ),
      [wf("story")]: page(
        phase(1, "Tasks", asks(list("tasks"))),
        phase(2, "Build", `for_each: { in: tasks.tasks }\nworkflow: task\n${withItem}`),
      ),
      [wf("task")]: task,
    },
    turns: {
      "w.1": [{ epics: ["one", "two"] }],
      "epic.1": [{ stories: ["a", "b"] }],
      "story.1": [{ tasks: ["x", "y"] }],
    },
    sessions: 2 + 4 + 8,
  },
  {
    title: "a story cycle: each story is reviewed, and goes back once",
    files: {
      [wf("w")]: page(
        phase(1, "Sprint", asks(list("stories"))),
        phase(2, "Stories", `for_each: { in: sprint.stories, parallel: 3 }\nworkflow: story\n${withItem}`),
        phase(3, "Retro", asks(text("learned"))),
      ),
      [wf("story")]: page(
        phase(1, "Dev", asks(text("summary"))),
        phase(2, "Review", `${asks(count("findings"))}\nthen:\n  - { when: findings > 0, back_to: dev, at_most: 3 }`),
      ),
    },
    turns: { "w.1": [{ stories: ["s1", "s2", "s3"] }], "story.2": [{ findings: 2 }, { findings: 0 }] },
    sessions: 3,
  },
  {
    title: "triage: each report ends in its own way",
    files: {
      [wf("w")]: page(
        phase(1, "Gather", asks(list("reports"))),
        phase(
          2,
          "Triage",
          `for_each: { in: gather.reports, parallel: 5 }\nworkflow: bug\naccept: [done, no-go]\n${withItem}`,
        ),
      ),
      [wf("bug")]: page(
        phase(
          1,
          "Look",
          `evidence_schema:\n  verdict: { type: string, required: true, validator: { one_of: [bug, none] } }\nthen:\n  - { when: 'verdict == "none"', end: no-go }`,
        ),
        phase(2, "Fix", asks(text("summary"))),
      ),
    },
    turns: { "w.1": [{ reports: ["r1", "r2"] }], "bug.1": [{ verdict: "none" }, { verdict: "bug" }] },
    sessions: 2,
  },
  ...(
    [
      [
        "spec-kit",
        "## Phase 1: Setup\n\n- [ ] T001 One\n- [ ] T002 [P] Two\n- [ ] T003 [P] Three\n\n## Phase N: Polish\n\n- [ ] T004 Docs\n",
        "T001",
        4,
      ],
      ["OpenSpec", "## 1. Build\n- [ ] 1.1 One\n- [ ] 1.2 Two\n## 2. Test\n- [ ] 2.1 Three\n", "1.1", 3],
      [
        "Kiro",
        "- [ ] 1. One\n- [ ] 2. Two\n  - [ ] 2.1 A\n    - _Depends: 1_\n  - [ ] 2.2 B\n    - _Depends: 2.1_\n",
        "1",
        3,
      ],
      ["superpowers", "### Task 1: One\n\n- [ ] **Step 1: x**\n\n### Task 2: Two\n\n- [ ] **Step 1: y**\n", "1", 2],
    ] as const
  ).map(
    ([tool, tasks, first, sessions]): Process => ({
      title: `the tasks of ${tool}, in their order, with a review that sends the first one back`,
      files: {
        "docs/tasks.md": tasks,
        [wf("w")]: page(
          phase(
            1,
            "Implement",
            `for_each: { file: "docs/tasks.md", after: depends_on, parallel: 4 }\nworkflow: task\n${withItem}`,
          ),
          phase(
            2,
            "Review",
            `${asks(list("redo"))}\nthen:\n  - { when: length(redo) > 0, back_to: implement, at_most: 2, only: redo }`,
          ),
        ),
        [wf("task")]: task,
      },
      turns: {
        "w.2": [{ redo: [first] }, { redo: [] }],
      },
      sessions: sessions + 1,
    }),
  ),
  {
    title: "the epic of ccpm: a folder of files",
    files: {
      "epic/001.md": "---\nname: First\ndepends_on: []\n---\n# T\n",
      "epic/002.md": "---\nname: Second\ndepends_on: [001]\n---\n# T\n",
      [wf("w")]: page(
        phase(1, "Build", `for_each: { file: "epic", after: depends_on, parallel: 2 }\nworkflow: task\n${withItem}`),
      ),
      [wf("task")]: task,
    },
    turns: {},
    sessions: 2,
  },
  {
    title: "a document: each section is written and read; one is written again",
    files: {
      [wf("w")]: page(
        phase(1, "Outline", asks(list("sections"))),
        phase(2, "Write", `for_each: { in: outline.sections, after: needs, parallel: 2 }\nworkflow: task\n${withItem}`),
        phase(
          3,
          "Read",
          `role: reader\n${asks(list("weak"))}\nthen:\n  - { when: length(weak) > 0, back_to: write, at_most: 3, only: weak }`,
        ),
      ),
      [wf("task")]: task,
    },
    turns: {
      "w.1": [{ sections: [{ id: "intro" }, { id: "body", needs: ["intro"] }, { id: "end", needs: "body" }] }],
      "w.3": [{ weak: ["body"] }, { weak: [] }],
    },
    sessions: 4,
  },
  {
    title: "a panel: reviewers at once, whose findings decide whether a person is asked",
    files: {
      [wf("w")]: page(
        phase(1, "Change", asks(text("summary"))),
        phase(
          2,
          "Panel",
          `for_each: { in: [security, performance, design], parallel: 3 }\nworkflow: reviewer\n${withItem}\ncollect: { findings: look.findings }\n${asks(count("findings"))}\nthen:\n  - { when: findings > 0, back_to: change, at_most: 2 }`,
        ),
      ),
      [wf("reviewer")]: page(phase(1, "Look", asks(count("findings")))),
    },
    turns: { "reviewer.1": [{ findings: 1 }, { findings: 0 }] },
    sessions: 6,
  },
  {
    title: "a migration: modules in order, and an optional clean-up",
    files: {
      [wf("w")]: page(
        phase(1, "Scan", asks(list("modules"), count("leftovers"))),
        phase(2, "Move", `for_each: { in: scan.modules, after: after, parallel: 2 }\nworkflow: task\n${withItem}`),
        phase(3, "Clean", `when: scan.leftovers > 0\n${asks(text("summary"))}`),
        phase(4, "Report", asks(text("summary"))),
      ),
      [wf("task")]: task,
    },
    turns: { "w.1": [{ modules: [{ name: "core" }, { name: "ui", after: ["core"] }], leftovers: 0 }] },
    sessions: 2,
  },
  {
    title: "a release: one session of another workflow, in the middle",
    files: {
      [wf("w")]: page(
        phase(1, "Prepare", asks(text("version"))),
        phase(2, "Check", 'workflow: checklist\nwith: { what: "{{prepare.version}}" }'),
        phase(3, "Publish", asks(text("summary"))),
      ),
      [wf("checklist")]: page(phase(1, "Tests", asks(text("output"))), phase(2, "Notes", asks(text("summary")))),
    },
    turns: { "w.1": [{ version: "1.2.0" }] },
    sessions: 1,
  },
];

/** Walks a session to its end, its items first come first served, as an assistant without a plan does. */
async function walkAll(
  window: Window,
  { turns }: Process,
  session: string,
  visits: Map<string, number>,
  seen: Set<string>,
): Promise<ItemResult> {
  for (let calls = 0; calls < 200; calls++) {
    const read = await call(window, "get_phase_content", { session_id: session });
    if (read.next_step?.startsWith("Phase") === true && read.next_step.includes("review")) return read;
    const { items, phase_number: number = 0, checkpoint_criteria } = read;
    const [item] = [...(items?.ready ?? []), ...(items?.open ?? [])];
    if (item !== undefined) {
      const started = await call(window, "start_workflow", { session_id: session, item });
      expect(started.error, `${session} ${item}`).toBeUndefined();
      seen.add(started.session_id);
      await walkAll(window, { turns } as Process, started.session_id, visits, seen);
      continue;
    }
    const { workflow_type } = (await call(window, "get_workflow_state", { session_id: session })) as ItemResult & {
      workflow_type: string;
    };
    const key = `${workflow_type}.${number}`;
    const own = workflow_type === "w" ? key : `${session}${key}`;
    const visit = visits.get(own) ?? 0;
    const scripted = turns[key] ?? [];
    // sessions of items that are done again have the later turns
    const at =
      workflow_type === "reviewer" || workflow_type === "bug"
        ? [...visits.keys()].filter((one) => one.endsWith(key)).length
        : visit;
    visits.set(own, visit + 1);
    const index = workflow_type === "reviewer" ? Math.floor(at / 3) : at;
    const given = scripted[Math.min(index, scripted.length - 1)] ?? {};
    const asked = Object.entries(checkpoint_criteria?.required_evidence ?? {}).map(([field, { type }]) => [
      field,
      type === "integer" ? 0 : type === "list" ? [] : `${field} of ${key}`,
    ]);
    const done = await call(window, "complete_phase", {
      session_id: session,
      phase: number,
      evidence: { ...Object.fromEntries(asked), ...given },
    });
    expect([done.error, done.missing_evidence], `${session} ${number}`).toEqual([undefined, undefined]);
    if (done.workflow_complete === true) return done;
  }
  throw new Error(`${session} did not end`);
}

describe("twelve processes that repeat something for each item, walked whole", () => {
  test("are twelve", () => expect(processes).toHaveLength(12));

  test.each(processes)("$title", async (process) => {
    const project = emptyProject();
    for (const [file, written] of Object.entries(process.files)) project.write(file, written);
    const { stdout } = await runCli(["check", "--compact", "--root", project.root]);
    expect(stdout.split("\n").filter((line) => line.includes(" error: "))).toEqual([]);
    const window = await openWindow(project.root);
    const { session_id } = await call(window, "start_workflow", { workflow_type: "w" });
    const seen = new Set<string>();
    await walkAll(window, process, session_id, new Map(), seen);
    expect(await call(window, "get_workflow_state", { session_id })).toMatchObject({ workflow_complete: true });
    expect(seen.size).toBe(process.sessions);
    const required = await runCli(["verify", "--require", "w", "--root", project.root]);
    expect([required.code, required.stdout]).toEqual([0, expect.stringContaining("was completed as defined")]);
  });
});
