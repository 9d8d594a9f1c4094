import type { StepStanding } from "../../engine/standing.ts";
import { stepLabel } from "../../overview/step-label.ts";
import { type RunSummary, summaryOf } from "../../overview/summary.ts";
import { waitsForWhom } from "../../words/approval.ts";
import type { RowStep, RunRow } from "./board-data.ts";
import { line } from "./cut.ts";
import type { Looked } from "./desks.ts";

/** A run as a list shows it; undefined where nothing has begun yet. */
export function rowOf(looked: Looked, now: Date): RunRow | undefined {
  const summary = summaryOf(looked, now);
  if (summary === undefined) return undefined;
  const { key, kind, name, run, stands, map, refusals, completed, steps, changed, records, head } = summary;
  const step = summary.at === null ? undefined : stepOf(kind, summary.at);
  return {
    ...{ key, kind, stands, refusals, completed, steps, changed, records },
    title: line(summary.title),
    workflow: line(kind === "session" ? summary.workflow : name),
    ...(run === undefined ? {} : { run }),
    map: map.map(({ workflow, signs }) => ({ workflow: line(workflow), signs })),
    ...(looked.desk.session === null ? {} : { first: looked.desk.session.first }),
    ...(step === undefined || stands === "finished" ? {} : { now: step }),
    head: head.slice(0, 16),
  };
}

/** A step as people read it, in a line. */
export function labelOf(...about: Parameters<typeof stepLabel>): string {
  return line(stepLabel(...about));
}

function stepOf(kind: RunSummary["kind"], at: NonNullable<RunSummary["at"]>): RowStep {
  const { workflow, step, since, waitingSince, checkingSince, refused, missing, sameGaps, client } = at;
  const whom = whomOf(at);
  return {
    ...{ workflow, step },
    label: labelOf(kind, at),
    ...(since === undefined ? {} : { since }),
    ...(waitingSince === undefined ? {} : { waitingSince }),
    ...(whom === undefined ? {} : { waitingFor: whom }),
    ...(checkingSince === undefined ? {} : { checkingSince }),
    ...(refused === undefined ? {} : { refused }),
    ...(missing === undefined ? {} : { missing: missingLines(missing, 6) }),
    ...(sameGaps === undefined ? {} : { sameGaps }),
    ...(client === undefined ? {} : { client: line(client, 60) }),
  };
}

/** For whom a step waits, in words. */
export function whomOf({ waitingFor }: StepStanding): string | undefined {
  return waitingFor === undefined ? undefined : line(waitsForWhom(waitingFor.needs, waitingFor.given));
}

/** What was wanting, as much of it as a list has room for. */
export function missingLines(missing: readonly string[], most: number): readonly string[] {
  const shown = missing.slice(0, most).map((one) => line(one, 100));
  return missing.length > most ? [...shown, `and ${missing.length - most} more`] : shown;
}
