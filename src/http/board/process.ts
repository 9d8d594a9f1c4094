import {
  type InsightsReader,
  insightsReader,
  type StepInsights,
  type WorkflowInsights,
} from "../../overview/insights.ts";
import type { Event } from "../../workflow/events.ts";
import type { ProcessData, ProcessFigures, ProcessMap, ProcessStep } from "./board-data.ts";
import { line } from "./cut.ts";
import { follows } from "./follows.ts";
import type { KeptRow } from "./kept-rows.ts";
import { labelOf } from "./rows.ts";

/** A workflow as it is defined: its steps in order, as far as they may be told before anybody has come to them. */
export type KnownWorkflow = { readonly kind: ProcessMap["kind"]; readonly steps: readonly string[] };

/** Adds up every history of a project; what was added up is not read again. */
export function processReader(): (
  rows: readonly KeptRow[],
  known: ReadonlyMap<string, KnownWorkflow>,
) => Promise<ProcessData> {
  let counting = begin();
  let last: Promise<unknown> = Promise.resolve();
  async function read(rows: readonly KeptRow[]): Promise<InsightsReader> {
    for (const { desk, changes } of rows) {
      const { key, id, area } = desk;
      const so = counting.desks.get(key) ?? { seen: 0, hash: "", changes: -1, feed: counting.reader.desk(id) };
      counting.desks.set(key, so);
      if (so.changes === changes) continue;
      for await (const record of area.log.records(id, so.seen)) {
        if (!follows(record, so.hash)) {
          counting = begin(); // everything is added up anew
          return read(rows);
        }
        for (const event of record.events) so.feed(event);
        Object.assign(so, { seen: record.seq, hash: record.hash });
      }
      so.changes = changes;
    }
    return counting.reader;
  }
  return async (rows, known) => {
    const reading = last.catch(() => undefined).then(() => read(rows));
    last = reading;
    const { runs, events, workflows } = (await reading).insights();
    const walked = new Set(workflows.map(({ workflow }) => workflow));
    const others = [...known].flatMap(([workflow, { kind }]) =>
      walked.has(workflow) ? [] : [unwalked(workflow, kind)],
    );
    const shown = [...workflows, ...others].map((one) => processMap(one, known.get(one.workflow)?.steps));
    return { runs, events, workflows: shown };
  };
}

function begin() {
  return {
    reader: insightsReader(),
    desks: new Map<string, { seen: number; hash: string; changes: number; readonly feed: (event: Event) => void }>(),
  };
}

function unwalked(workflow: string, kind: ProcessMap["kind"]): WorkflowInsights {
  return { workflow, kind, walks: 0, finished: 0, outOfTurn: 0, all: none, steps: [] };
}

function processMap(one: WorkflowInsights, known: readonly string[] = []): ProcessMap {
  const { workflow, kind, walks, finished, outOfTurn, all } = one;
  const steps = new Map(one.steps.map((step) => [step.step, step]));
  const order = [...known, ...[...steps.keys()].filter((step) => !known.includes(step)).sort(byNumber)];
  return {
    ...{ kind, walks, finished, outOfTurn },
    workflow: line(workflow),
    refusals: all.refusals.map(({ code, times }) => ({ code: line(code, 60), times })),
    steps: order.map((step) => processStep(kind, step, steps.get(step))),
  };
}

function processStep(kind: ProcessMap["kind"], step: string, insights: StepInsights | undefined): ProcessStep {
  return {
    step: line(step),
    label: kind === "bot" ? line(step) : labelOf(kind, { workflow: "", step }),
    ...figuresOf(insights),
    versions: (insights?.versions ?? []).map(({ version, since, ...figures }) => ({
      ...{ version, since },
      ...figuresOf(figures),
    })),
  };
}

const none: ProcessFigures = {
  completed: 0,
  work: { times: 0, median: null, longest: null },
  firstPass: { passed: 0, of: 0 },
  missed: [],
  refusals: [],
  waits: { times: 0, median: null, longest: null, declined: 0 },
};

function figuresOf(figures: ProcessFigures | undefined): ProcessFigures {
  const { completed, work, firstPass, missed, refusals, waits } = figures ?? none;
  return {
    ...{ completed, work, firstPass, waits },
    missed: missed.map(({ field, times }) => ({ field: line(field, 100), times })),
    refusals: refusals.map(({ code, times }) => ({ code: line(code, 60), times })),
  };
}

function byNumber(a: string, b: string): number {
  const [one, other] = [Number(a), Number(b)];
  return Number.isFinite(one) && Number.isFinite(other) ? one - other : a < b ? -1 : 1;
}
