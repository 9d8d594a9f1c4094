import type { StepStatus } from "../../engine/run-status.ts";
import { defined } from "../../kit/defined.ts";
import { approvalWaitText } from "../../messages/approval-texts.ts";
import { stepLabel } from "../../messages/stream-words.ts";
import { type RunSummary, runKey, summarizeRun } from "../overview/run-summary.ts";
import type { RowStep, RunRow } from "./board-data.ts";
import type { RunState } from "./board-runs.ts";
import { cutLine } from "./cut-values.ts";

/** Builds the row of a run, or undefined if it has not started. */
export function runRow(looked: RunState, now: Date): RunRow | undefined {
  const summary = summarizeRun(looked, now);
  if (summary === undefined) return undefined;
  const { key, kind, run, stands, map, refusals, evidence, completed, steps, changed, records, head } = summary;
  const step = summary.at === null ? undefined : rowStep(kind, summary.at);
  return {
    ...{ key, kind, stands, refusals, evidence, completed, steps, changed, records },
    title: cutLine(summary.title),
    workflow: cutLine(summary.workflow),
    ...defined({ run }),
    map: map.map(({ workflow, signs }) => ({ workflow: cutLine(workflow), signs })),
    ...(looked.stream.session === null ? {} : { first: looked.stream.session.first }),
    ...itemParts(looked),
    ...(step === undefined || stands === "finished" ? {} : { now: step }),
    ...(summary.answered ? { answered: true as const } : {}),
    head: head.slice(0, 16),
  };
}

/** The run that an item's session belongs to: a session, or a run of a bot. */
function itemParts({ stream: { session } }: RunState): Pick<RunRow, "itemOf"> {
  if (session?.item === undefined) return {};
  const { parent } = session.item;
  const [, bot, run] = /^([^./]+)\.[^#/]+(?:#(.+))?$/.exec(parent) ?? [];
  const id =
    bot === undefined ? ({ kind: "session", name: parent } as const) : { kind: "bot", name: bot, ...defined({ run }) };
  return { itemOf: runKey(id) };
}

function rowStep(kind: RunSummary["kind"], at: NonNullable<RunSummary["at"]>): RowStep {
  const {
    workflow,
    step,
    since,
    waitingSince,
    checkingSince,
    runnerChecks,
    refused,
    missing,
    sameGaps,
    client,
    blocked,
  } = at;
  const whom = waitingForText(at);
  return {
    ...{ workflow, step },
    label: cutLine(stepLabel({ kind }, at)),
    ...defined({ since, waitingSince, waitingFor: whom, checkingSince, refused }),
    ...(runnerChecks === undefined ? {} : { runnerChecks: missingLines(runnerChecks, 6) }),
    ...(missing === undefined ? {} : { missing: missingLines(missing, 6) }),
    ...defined({ sameGaps }),
    ...(blocked === undefined ? {} : { blocked: cutLine(blocked, 240) }),
    ...(client === undefined ? {} : { client: cutLine(client, 60) }),
  };
}

/** Names the people a step waits for. */
export function waitingForText({ waitingFor }: StepStatus): string | undefined {
  return waitingFor === undefined ? undefined : cutLine(approvalWaitText(waitingFor.needs, waitingFor.given));
}

/** Lists the missing fields, as many as fit. */
export function missingLines(missing: readonly string[], most: number): readonly string[] {
  const shown = missing.slice(0, most).map((one) => cutLine(one, 100));
  return missing.length > most ? [...shown, `and ${missing.length - most} more`] : shown;
}
