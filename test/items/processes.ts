import { expect } from "vitest";
import { runCli } from "../command-line.ts";
import { emptyProject } from "../phased.ts";
import type { Project } from "../project.ts";
import type { Window } from "../window.ts";
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

/** A process that repeats something for each item. */
export type Process = {
  readonly title: string;
  readonly files: Readonly<Record<string, string>>;
  /** What a phase submits, by workflow and phase: one entry for each time, the last again and again. */
  readonly turns: Readonly<Record<string, readonly Record<string, unknown>[]>>;
  readonly inputs?: Record<string, unknown>;
  /** The sessions of items that must have been walked. */
  readonly sessions: number;
};

const wf = (name: string): string => `.waymark/workflows/${name}.md`;

/** Twelve processes, each with its characteristic turns. */
export const processes: readonly Process[] = [
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

/** What one who walks a session does next: calls a tool, or hands out items, each to a walker of its own. */
export type Move =
  | { readonly tool: string; readonly args: Record<string, unknown> }
  | { readonly handOut: readonly string[]; readonly session: string };

/** A process under way: what it submits depends on how often a phase was done, by whoever did it. */
export type Player = {
  walk(session: string): AsyncGenerator<Move, ItemResult, ItemResult>;
  /** Opens an item and walks its session; somebody else may have it, or its place. */
  walkItem(
    session: string,
    item: string,
    opened?: (isOpen: boolean) => Promise<void>,
  ): AsyncGenerator<Move, ItemResult, ItemResult>;
  /** The sessions of items that were opened. */
  readonly sessions: ReadonlySet<string>;
};

/** Plays the turns of a process. */
export function playerOf({ turns }: Process): Player {
  const visits = new Map<string, number>();
  const sessions = new Set<string>();
  /** The next turn of a phase: of each session by itself, or of all reviewers and reports together. */
  const turnOf = (session: string, workflow: string, number: number): Record<string, unknown> => {
    const key = `${workflow}.${number}`;
    const isShared = workflow === "reviewer" || workflow === "bug";
    const own = isShared ? key : `${session} ${key}`;
    const visit = visits.get(own) ?? 0;
    visits.set(own, visit + 1);
    const scripted = turns[key] ?? [];
    const at = workflow === "reviewer" ? Math.floor(visit / 3) : visit;
    return scripted[Math.min(at, scripted.length - 1)] ?? {};
  };
  async function* walk(session: string): AsyncGenerator<Move, ItemResult, ItemResult> {
    for (let calls = 0; calls < 200; calls++) {
      const read = yield { tool: "get_phase_content", args: { session_id: session } };
      const { items, phase_number: number = 0, checkpoint_criteria, attempt } = read;
      const handOut = [...(items?.ready ?? []), ...(items?.open ?? [])];
      if (handOut.length > 0) {
        yield { handOut, session };
        continue;
      }
      const state = yield { tool: "get_workflow_state", args: { session_id: session } };
      if (state.workflow_complete === true) return state;
      const asked = Object.entries(checkpoint_criteria?.required_evidence ?? {}).map(([field, { type }]) => [
        field,
        type === "integer" ? 0 : type === "list" ? [] : `${field} of phase ${number}`,
      ]);
      const evidence = { ...Object.fromEntries(asked), ...turnOf(session, state.workflow_type ?? "", number) };
      const done = yield { tool: "complete_phase", args: { session_id: session, phase: number, evidence, attempt } };
      expect([done.error, done.missing_evidence], `${session} ${number}`).toEqual([undefined, undefined]);
      if (done.workflow_complete === true) return done;
    }
    throw new Error(`${session} did not end`);
  }
  return {
    walk,
    sessions,
    async *walkItem(session, item, opened) {
      const started = yield { tool: "start_workflow", args: { session_id: session, item } };
      await opened?.(started.error === undefined);
      if (started.error === "item_not_ready") return started;
      expect(started.error, `${session} ${item}`).toBeUndefined();
      sessions.add(started.session_id);
      return yield* walk(started.session_id);
    },
  };
}

/** Walks a session through a window to its end, its items first come first served, as an assistant without sub-agents does. */
export async function walkAlone(window: Pick<Window, "client">, player: Player, session: string): Promise<void> {
  await play(window, player, player.walk(session), async (parent, [item = ""]) => {
    await play(window, player, player.walkItem(parent, item));
  });
}

/** Walks a session through several windows, all items that are ready at once. */
export async function walkTogether(
  windows: readonly Pick<Window, "client">[],
  player: Player,
  session: string,
): Promise<void> {
  const [first] = windows;
  if (first === undefined) return;
  await play(first, player, player.walk(session), async (parent, items) => {
    await Promise.all(
      items.map((item, at) => play(windows[at % windows.length] ?? first, player, player.walkItem(parent, item))),
    );
  });
}

type HandOut = (session: string, items: readonly string[]) => Promise<void>;

async function play(
  window: Pick<Window, "client">,
  player: Player,
  moves: AsyncGenerator<Move, ItemResult, ItemResult>,
  handOut: HandOut = async (parent, [item = ""]) => play(window, player, player.walkItem(parent, item)),
): Promise<void> {
  let result: ItemResult | undefined;
  for (;;) {
    const step = result === undefined ? await moves.next() : await moves.next(result);
    if (step.done === true) return;
    const { value } = step;
    if ("tool" in value) {
      result = await call(window, value.tool, value.args);
      continue;
    }
    await handOut(value.session, value.handOut);
    result = await call(window, "get_phase_content", { session_id: value.session });
  }
}

/** A project with the files of a process. */
export function processProject({ files }: Process): Project {
  const project = emptyProject();
  for (const [file, written] of Object.entries(files)) project.write(file, written);
  return project;
}

/** Expects that a process is proved, and that it took as many sessions of items as it should. */
export async function isWalked(
  { sessions }: Process,
  player: Player,
  root: string,
  store: readonly string[] = [],
): Promise<void> {
  expect(player.sessions.size).toBe(sessions);
  const required = await runCli(["verify", "--require", "w", "--root", root, ...store]);
  expect([required.code, required.stdout]).toEqual([0, expect.stringContaining("was completed as defined")]);
}
