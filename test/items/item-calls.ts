import { emptyChain, extend } from "../../src/stores/chain/journal-chain.ts";
import type { Event } from "../../src/workflow/events.ts";
import { callPhase, emptyProject, type PhaseResult } from "../phased.ts";
import type { Project } from "../project.ts";
import type { Window } from "../window.ts";

type Items = { total: number; open: string[]; ready: string[]; problem?: string };

export type ItemResult = PhaseResult & {
  items?: Items;
  parent?: { session_id: string; items?: Items };
  next_step?: string;
  round?: number;
  outcome?: string;
  workflow_type?: string;
};

export const call = (window: Pick<Window, "client">, tool: string, args: Record<string, unknown>) =>
  callPhase(window, tool, args) as Promise<ItemResult>;

/** A workflow for one item: it ends as no-go where its verdict is bad. */
export const one = `---
inputs:
  task: { type: string, required: true }
outcomes: [done, no-go]
---
# One task

## Phase 1: Do

Do {{inputs.task}} ({{item.id}}).

\`\`\`yaml gate
evidence_schema:
  findings: { type: integer, required: true }
  verdict: { type: string, required: true, validator: { one_of: [good, bad] } }
then:
  - { when: 'verdict == "bad"', end: no-go }
\`\`\`
`;

/** A workflow that plans, builds each part, and reviews. */
export const each = (source: string, { more = "", review = "" } = {}): string => `---
inputs:
  tasks: { type: string }
---
# Each

## Phase 1: Plan

\`\`\`yaml gate
evidence_schema:
  parts: { type: list, required: true }
\`\`\`

## Phase 2: Build

Build each part.

\`\`\`yaml gate
for_each: ${source}
workflow: one
with: { task: "{{item.title}}" }
${more}
\`\`\`

## Phase 3: Review

\`\`\`yaml gate
evidence_schema:
  redo: { type: list, required: true, may_be_empty: true }
  findings: { type: integer, required: true }
${review}
\`\`\`
`;

export function itemProject(source: string, more: Parameters<typeof each>[1] = {}): Project {
  const made = emptyProject();
  made.write(".waymark/workflows/one.md", one);
  made.write(".waymark/workflows/each.md", each(source, more));
  return made;
}

export const good = { findings: 0, verdict: "good" };
export const bad = { findings: 1, verdict: "bad" };

/** Starts the session and plans these parts. */
export async function planned(window: Pick<Window, "client">, parts: readonly unknown[], inputs?: object) {
  const begun = await call(window, "start_workflow", { workflow_type: "each", ...(inputs && { inputs }) });
  const session = begun.session_id;
  const opened = await call(window, "complete_phase", { session_id: session, phase: 1, evidence: { parts } });
  const open = (item: string) => call(window, "start_workflow", { session_id: session, item });
  const finish = (id: string, evidence: object = good) =>
    call(window, "complete_phase", { session_id: id, phase: 1, evidence });
  const settle = async (item: string, evidence: object = good) => finish((await open(item)).session_id, evidence);
  const read = () => call(window, "get_phase_content", { session_id: session });
  const state = () => call(window, "get_workflow_state", { session_id: session });
  const complete = (phase: number, evidence: object) =>
    call(window, "complete_phase", { session_id: session, phase, evidence });
  return { session, opened, open, finish, settle, read, state, complete };
}

/** The events of a parent on record: lines that lost a race are in the file and do not count. */
export function recorded(project: Project, session: string): readonly Event[] {
  const chain = emptyChain();
  const lines = project.read(`.waymark/journal/sessions/${session}.jsonl`).split("\n").slice(0, -1);
  return lines.flatMap((line) => extend(chain, Buffer.from(line)).flatMap(({ record }) => record.events));
}
