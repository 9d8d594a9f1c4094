import { stepTitle } from "../../messages/stream-words.ts";
import type { Event } from "../../workflow/events.ts";
import { cutLine } from "../overview/cut-values.ts";
import { startTally } from "../overview/figures.ts";
import { type InsightsReader, insightsReader } from "../overview/insights.ts";
import type { Figures, StepInsights, WorkflowInsights } from "../overview/insights-data.ts";
import { continuesFrom } from "./continues-from.ts";
import type { CachedRow } from "./kept-rows.ts";
import type { ProcessData, ProcessMap, ProcessStep } from "./process-data.ts";

/** A defined workflow with its steps, as far as they may be shown. */
export type KnownWorkflow = {
  readonly kind: ProcessMap["kind"];
  readonly steps: readonly string[];
  /** The names of its phases, once a session has finished. */
  readonly titles?: ReadonlyMap<string, string>;
};

/** Aggregates all histories of a project, reading only new records. */
export function processReader(): (
  rows: readonly CachedRow[],
  known: ReadonlyMap<string, KnownWorkflow>,
) => Promise<ProcessData> {
  let counting = startCounting();
  let last: Promise<unknown> = Promise.resolve();
  async function read(rows: readonly CachedRow[]): Promise<InsightsReader> {
    for (const { stream, changes } of rows) {
      const { key, id, area } = stream;
      const so = counting.desks.get(key) ?? { seen: 0, hash: "", changes: -1, feed: counting.reader.stream(id) };
      counting.desks.set(key, so);
      if (so.changes === changes) continue;
      for await (const record of area.log.records(id, so.seen)) {
        if (!continuesFrom(record, so.hash)) {
          counting = startCounting(); // start over
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
      walked.has(workflow) ? [] : [unusedWorkflow(workflow, kind)],
    );
    const shown = [...workflows, ...others].map((one) => processMap(one, known.get(one.workflow)));
    return { runs, events, workflows: shown };
  };
}

function startCounting() {
  return {
    reader: insightsReader(),
    desks: new Map<string, { seen: number; hash: string; changes: number; readonly feed: (event: Event) => void }>(),
  };
}

function unusedWorkflow(workflow: string, kind: ProcessMap["kind"]): WorkflowInsights {
  return { workflow, kind, walks: 0, finished: 0, outOfTurn: 0, all: startTally().figures(), steps: [] };
}

function processMap(one: WorkflowInsights, { steps: known = [], titles }: Partial<KnownWorkflow> = {}): ProcessMap {
  const { workflow, kind, walks, finished, outOfTurn, all } = one;
  const steps = new Map(one.steps.map((step) => [step.step, step]));
  const order = [...known, ...[...steps.keys()].filter((step) => !known.includes(step)).sort(byNumber)];
  return {
    ...{ kind, walks, finished, outOfTurn },
    workflow: cutLine(workflow),
    refusals: all.refusals.map(({ code, times }) => ({ code: cutLine(code, 60), times })),
    steps: order.map((step) => processStep(kind, { step, title: titles?.get(step) }, steps.get(step))),
  };
}

function processStep(
  kind: ProcessMap["kind"],
  named: { readonly step: string; readonly title: string | undefined },
  insights: StepInsights | undefined,
): ProcessStep {
  return {
    step: cutLine(named.step),
    label: cutLine(stepTitle({ kind }, named)),
    ...figuresOf(insights),
    versions: (insights?.versions ?? []).map(({ version, since, ...figures }) => ({
      ...{ version, since },
      ...figuresOf(figures),
    })),
    weeks: insights?.weeks ?? [],
  };
}

function figuresOf(figures: Figures | undefined): Figures {
  const { completed, work, firstPass, missed, refusals, waits } = figures ?? startTally().figures();
  return {
    ...{ completed, work, firstPass, waits },
    missed: missed.map(({ field, times }) => ({ field: cutLine(field, 100), times })),
    refusals: refusals.map(({ code, times }) => ({ code: cutLine(code, 60), times })),
  };
}

function byNumber(a: string, b: string): number {
  const [one, other] = [Number(a), Number(b)];
  return Number.isFinite(one) && Number.isFinite(other) ? one - other : a < b ? -1 : 1;
}
