import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../command-line.ts";
import { callPhase, emptyProject, type PhaseResult } from "../phased.ts";
import type { Project } from "../project.ts";
import { openProcess, type ProcessWindow } from "../window.ts";

/** One completion: the phase, its evidence, and where it leads: a phase, an outcome or "blocked". */
type Turn = readonly [phase: number, evidence: object, leads: number | string, more?: object];

type Walked = {
  readonly turn: string;
  readonly process: string;
  readonly inputs?: Record<string, unknown>;
  readonly turns: readonly Turn[];
  /** Whom `verify --require` needs to be told: an outcome other than done. */
  readonly outcome?: string;
};

const yes = { confirmation: "Yes, go on." };

const seen = { steps: "run it twice with an empty list", output: "TypeError: x is undefined" };
const cause = {
  cause: "the list is assumed to have an entry although it can be empty",
  place: "a.js:3",
  elsewhere: [],
};
const failing = { test_file: "spec.md", failure: "expected [] but a TypeError was thrown" };
const change = { changed_files: ["a.js"], test_output: "38 tests passed, none failed", suite_failures: 0 };

/** Processes that people use, in our own words, each walked through the turns that make it what it is. */
const walks: readonly Walked[] = [
  {
    turn: "our own template: a review with findings leads back to the change",
    process: "bug-fix",
    inputs: { report: "it crashes" },
    turns: [
      [1, { verdict: "bug", ...seen }, 2],
      [2, cause, 3],
      [3, failing, 4],
      [4, change, 5],
      [5, { findings: ["hides the cause"], test_fails_without_fix: true }, 4],
      [4, change, 5],
      [5, { findings: [], test_fails_without_fix: true }, "done"],
    ],
  },
  {
    turn: "our own template: what works as promised is no bug",
    process: "bug-fix",
    inputs: { report: "it is blue", review: "no" },
    turns: [[1, { verdict: "no-bug", ...seen }, "no-bug"]],
    outcome: "no-bug",
  },
  {
    turn: "spec-kit: clarifies only what is marked, and goes back to the document that contradicts",
    process: "spec-kit",
    inputs: { feature: "export", ui: true },
    turns: [
      [1, { spec: "spec.md", markers: 2 }, 2],
      [2, { answered: 1, left: 1 }, 2],
      [2, { answered: 1, left: 0 }, 3],
      [3, { violations: 1, justified: 1 }, 4, yes],
      [4, { screens: 2 }, 5],
      [5, { spec_issues: 0, plan_issues: 1, worth_it: true }, 3],
      [3, { violations: 0, justified: 0 }, 4],
      [4, { screens: 3 }, 5],
      [5, { spec_issues: 1, plan_issues: 0, worth_it: true }, 1],
      [1, { spec: "spec.md", markers: 0 }, 3],
      [3, { violations: 0, justified: 0 }, 4],
      [4, { screens: 3 }, 5],
      [5, { spec_issues: 0, plan_issues: 0, worth_it: true }, "done"],
    ],
  },
  {
    turn: "Kiro: the design finds a missing requirement, and each document is agreed on",
    process: "kiro-spec",
    inputs: { idea: "search" },
    turns: [
      [1, { requirements: 3, agreed: false }, 1],
      [1, { requirements: 4, agreed: true }, 2, yes],
      [2, { gaps: 1, agreed: true }, 1],
      [1, { requirements: 5, agreed: true }, 2, yes],
      [2, { gaps: 0, agreed: true }, 3, yes],
      [3, { tasks: 9, uncovered: 1, design_wrong: false }, 3, yes],
      [3, { tasks: 10, uncovered: 0, design_wrong: false }, "done", yes],
    ],
  },
  {
    turn: "BMAD: the review sends each finding to where its fault lies",
    process: "bmad-quick-dev",
    inputs: { intent: "a filter" },
    turns: [
      [1, { goals: 1 }, 2],
      [2, { criteria: ["a"], open_questions: 0 }, 3, yes],
      [3, { tests_pass: true }, 4],
      [4, { intent_gap: 0, bad_spec: 0, patch: 2 }, 3],
      [3, { tests_pass: true }, 4],
      [4, { intent_gap: 0, bad_spec: 1, patch: 3 }, 2],
      [2, { criteria: ["a", "b"], open_questions: 0 }, 3, yes],
      [3, { tests_pass: true }, 4],
      [4, { intent_gap: 0, bad_spec: 0, patch: 0 }, 5],
      [5, { commit: "feat: filter" }, "done"],
    ],
  },
  {
    turn: "BMAD: more than one goal does not belong in the quick flow",
    process: "bmad-quick-dev",
    inputs: { intent: "everything" },
    turns: [[1, { goals: 3 }, "too-big"]],
    outcome: "too-big",
  },
  {
    turn: "BMAD: without a review the flow is a line",
    process: "bmad-quick-dev",
    inputs: { intent: "a typo", review: "none" },
    turns: [
      [1, { goals: 1 }, 2],
      [2, { criteria: ["a"], open_questions: 0 }, 3, yes],
      [3, { tests_pass: true }, 5],
      [5, { commit: "fix: typo" }, "done"],
    ],
  },
  {
    turn: "superpowers: a hypothesis that fails is replaced, and a fix that fails leads back to the cause",
    process: "superpowers-debugging",
    inputs: { symptom: "a crash" },
    turns: [
      [1, { reproduced: true, cause: "null" }, 2],
      [2, { differences: ["order"] }, 3],
      [3, { hypothesis: "order", confirmed: false }, 3],
      [3, { hypothesis: "cache", confirmed: true }, 4],
      [4, { failing_test: "t1", fixed: false }, 1],
      [1, { reproduced: true, cause: "cache" }, 2],
      [2, { differences: ["key"] }, 3],
      [3, { hypothesis: "key", confirmed: true }, 4],
      [4, { failing_test: "t2", fixed: true }, "done"],
    ],
  },
  {
    turn: "superpowers: after three fixes that failed only a person can go on",
    process: "superpowers-debugging",
    inputs: { symptom: "another crash" },
    turns: [1, 2, 3].flatMap((round): readonly Turn[] => [
      [1, { reproduced: true, cause: `cause ${round}` }, 2],
      [2, { differences: ["one"] }, 3],
      [3, { hypothesis: "h", confirmed: true }, 4],
      [4, { failing_test: "t", fixed: false }, round < 3 ? 1 : "blocked"],
    ]),
  },
  {
    turn: "superpowers: what cannot be reproduced twice ends as the environment's",
    process: "superpowers-debugging",
    inputs: { symptom: "a ghost" },
    turns: [
      [1, { reproduced: false, cause: "unknown" }, 1],
      [1, { reproduced: false, cause: "still unknown" }, "environmental"],
    ],
    outcome: "environmental",
  },
  {
    turn: "superpowers: a test that passes at once is no test, and each behavior has its own round",
    process: "superpowers-tdd",
    turns: [
      [1, { test: "adds", result: "passed" }, 1],
      [1, { test: "adds 1", result: "failed" }, 2],
      [2, { failing: 1 }, 2],
      [2, { failing: 0 }, 3],
      [3, { failing: 1, behaviors_left: 1 }, 2],
      [2, { failing: 0 }, 3],
      [3, { failing: 0, behaviors_left: 1 }, 1],
      [1, { test: "subtracts", result: "failed" }, 2],
      [2, { failing: 0 }, 3],
      [3, { failing: 0, behaviors_left: 0 }, "done"],
    ],
  },
  {
    turn: "superpowers: a merge whose tests fail starts over, and the steps of the other ways are passed over",
    process: "superpowers-finish-branch",
    turns: [
      [1, { failing: 2 }, 1],
      [1, { failing: 0 }, 2],
      [2, { choice: "merge" }, 3],
      [3, { failing_after_merge: 1 }, 1],
      [1, { failing: 0 }, 2],
      [2, { choice: "merge" }, 3],
      [3, { failing_after_merge: 0 }, 5],
      [5, { removed: true }, "done"],
    ],
  },
  {
    turn: "superpowers: work is discarded only with a person's yes",
    process: "superpowers-finish-branch",
    inputs: { base: "next" },
    turns: [
      [1, { failing: 0 }, 2],
      [2, { choice: "discard" }, "approval_required"],
      [2, { choice: "discard" }, "discarded", yes],
    ],
    outcome: "discarded",
  },
  {
    turn: "OpenSpec: a design only where it is needed, validation before agreement, specs only where they change",
    process: "openspec-change",
    inputs: { change: "rate limits" },
    turns: [
      [1, { capabilities: 1, breaking: false, crosses_services: false }, 3],
      [3, { requirements: 2 }, 4],
      [4, { problems: 1, verdict: "change" }, 3],
      [3, { requirements: 3 }, 4],
      [4, { problems: 0, verdict: "change" }, 1],
      [1, { capabilities: 1, breaking: true, crosses_services: false }, 2],
      [2, { decisions: ["header"] }, 3],
      [3, { requirements: 3 }, 4],
      [4, { problems: 0, verdict: "approve" }, 5, yes],
      [5, { archived_as: "2026-11-19-rate-limits" }, 6],
      [6, { specs_updated: 1 }, "done"],
    ],
  },
  {
    turn: "OpenSpec: a proposal can be rejected",
    process: "openspec-change",
    inputs: { change: "a rewrite", tooling_only: true },
    turns: [
      [1, { capabilities: 0, breaking: false, crosses_services: false }, 4],
      [4, { problems: 0, verdict: "reject" }, "rejected"],
    ],
    outcome: "rejected",
  },
  {
    turn: "agent-os: questions until nothing is open, visuals only if there are any, the spec checked against the answers",
    process: "agent-os-shape",
    inputs: { feature: "tags" },
    turns: [
      [1, { answers: ["a"], follow_ups: 2, visuals: 0 }, 1],
      [1, { answers: ["a", "b"], follow_ups: 0, visuals: 1 }, 2],
      [2, { components: ["list"] }, 3],
      [3, { reused: ["list"] }, 4],
      [4, { missing: 0, invented: 2 }, 3],
      [3, { reused: ["list"] }, 4],
      [4, { missing: 0, invented: 0 }, "done"],
    ],
  },
  {
    turn: "Anthropic: a reader who stumbles sends the document back to its sections",
    process: "anthropic-coauthoring",
    inputs: { document: "a proposal" },
    turns: [
      [1, { enough: false, goes_ahead: true }, 1],
      [1, { enough: true, goes_ahead: true }, 2],
      [2, { sections: ["why"], still_to_change: 1 }, 2],
      [2, { sections: ["why", "how"], still_to_change: 0 }, 3],
      [3, { wrong_answers: 0, ambiguities: 1 }, 2, yes],
      [2, { sections: ["why", "how"], still_to_change: 0 }, 3],
      [3, { wrong_answers: 0, ambiguities: 0 }, "done", yes],
    ],
  },
  {
    turn: "Anthropic: a skill is evaluated only if it can be, and improved until the person is content or stops",
    process: "anthropic-skill-creator",
    turns: [
      [1, { measurable: true }, 2],
      [2, { lines: 120 }, 3],
      [3, { with_skill: 0.4, without_skill: 0.6 }, 2],
      [2, { lines: 90 }, 3],
      [3, { with_skill: 0.9, without_skill: 0.6 }, 4],
      [4, { content: false, goes_on: true }, 2],
      [2, { lines: 95 }, 3],
      [3, { with_skill: 0.9, without_skill: 0.6 }, 4],
      [4, { content: false, goes_on: false }, "good-enough"],
    ],
    outcome: "good-enough",
  },
];

/** A project with all of them, and a client with a server process of its own. */
async function openProcesses(): Promise<{ readonly project: Project; readonly window: ProcessWindow }> {
  const project = emptyProject();
  cpSync(join(import.meta.dirname, "processes"), join(project.root, ".waymark/workflows"), { recursive: true });
  cpSync(join(import.meta.dirname, "../../templates/bug-fix/workflows"), join(project.root, ".waymark/workflows"), {
    recursive: true,
  });
  project.write("spec.md", "# Spec\n");
  return { project, window: await openProcess(project.root, { name: "claude-code" }) };
}

/** Where a reply leads: the next phase, the outcome, that it is blocked, or why it is not passed. */
function leadsTo(reply: PhaseResult & { readonly status?: string; readonly outcome?: string }): number | string {
  if (reply.status === "blocked") return "blocked";
  if (reply.workflow_complete === true) return reply.outcome ?? "complete";
  return reply.next_phase ?? reply.error ?? "nothing";
}

test("check finds nothing wrong with the processes of others", async () => {
  const { project } = await openProcesses();
  const { code, stdout } = await runCli(["check", "--strict", "--root", project.root]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("No problems found")]);
});

test.each([...new Set(walks.map(({ process }) => process))])(
  "%s, through a real client over stdio",
  async (process) => {
    const { project, window } = await openProcesses();
    for (const { turn, inputs = {}, turns, outcome = "done" } of walks.filter((walk) => walk.process === process)) {
      const started = await callPhase(window, "start_workflow", { workflow_type: process, inputs });
      const { session_id: session } = started;
      const led: (number | string)[] = [];
      for (const [phase, evidence, , more = {}] of turns) {
        const reply = await callPhase(window, "complete_phase", { session_id: session, phase, evidence, ...more });
        expect(JSON.stringify(reply)).not.toMatch(/back_to|then:|when:|passed_over/);
        led.push(leadsTo(reply));
      }
      expect([turn, led]).toEqual([turn, turns.map(([, , leads]) => leads)]);
      const required = ["verify", "--require", session, "--outcome", outcome, "--json", "--root", project.root];
      const { code, stdout } = await runCli(required);
      const problems = led.at(-1) === "blocked" ? [expect.stringContaining("no person has said what follows")] : [];
      expect([turn, code, JSON.parse(stdout).required.problems]).toEqual([turn, problems.length, problems]);
    }
  },
);
