import type { OpenedWorkplace } from "../../app/open-workplace.ts";
import { durationText } from "../../dashboard/overview/duration-text.ts";
import { insightsReader } from "../../dashboard/overview/insights.ts";
import type { Figures, Insights, StepInsights, WorkflowInsights } from "../../dashboard/overview/insights-data.ts";
import { countText } from "../../kit/count-text.ts";
import { stepTitle } from "../../messages/stream-words.ts";
import { alignColumns, oneLine, paint, print, printJson } from "../terminal/print.ts";
import { parseRunName, unknownRunError } from "../terminal/workplace-options.ts";
import { cutToWidth, terminalSize, wrap } from "../terminal/wrap.ts";

type InsightsOptions = { readonly bot?: string; readonly run?: string; readonly json?: true; readonly all?: true };

/** Prints statistics over all histories, or those of a bot or run. */
export async function insights(workplace: OpenedWorkplace, options: InsightsOptions): Promise<void> {
  const found = await readInsights(workplace, options);
  if (options.json) return printJson(found);
  if (found.runs === 0) return print("Nothing is recorded yet, so there are no statistics.");
  const { width } = terminalSize();
  print(paint("bold", `Insights from ${countText(found.runs, "run")} and ${countText(found.events, "event")}`));
  for (const workflow of found.workflows) print("", ...workflowLines(workflow, width, options.all === true));
}

async function readInsights(workplace: OpenedWorkplace, { bot, run: written }: InsightsOptions): Promise<Insights> {
  const run = parseRunName(written);
  const reader = insightsReader();
  let read = 0;
  for (const { log } of await workplace.logs())
    for (const id of await log.streams()) {
      if (id.name !== (bot ?? id.name) || id.run !== (run ?? id.run)) continue;
      read += 1;
      const feed = reader.stream(id);
      for await (const { events } of log.records(id)) for (const event of events) feed(event);
    }
  if (run !== undefined && read === 0) throw unknownRunError(run);
  return reader.insights();
}

function workflowLines(one: WorkflowInsights, width: number, all: boolean): string[] {
  const { workflow, walks, finished, outOfTurn, all: figures } = one;
  const refused = figures.refusals.map(({ code, times }) => `${code} ${times}`).join(", ");
  const turn = outOfTurn === 0 ? "" : `, ${countText(outOfTurn, "call")} out of turn`;
  const head = `${oneLine(workflow)}: ${countText(walks, "run")}, ${finished} finished, first pass ${firstPassText(figures)}${turn}`;
  const steps = one.steps.map((step) => [oneLine(stepTitle(one, step)), ...figureCells(step)]);
  const rows = [["step", "first pass", "work", "waiting", "most missed"], ...steps];
  const table = alignColumns(rows).map((line) => (Number.isFinite(width) ? cutToWidth(line, width) : line));
  const versions = all ? one.steps.flatMap((step) => versionLines(one, step)) : [];
  return [
    ...wrap(head, width, 2).map((line) => paint("bold", line)),
    ...(refused === "" ? [] : wrap(`  refused: ${refused}`, width, 4)),
    ...table.map((line, at) => (at === 0 ? paint("dim", line) : line)),
    ...versions,
  ];
}

/** Formats each version of a step's gate, if there were several. */
function versionLines(one: WorkflowInsights, step: StepInsights): string[] {
  if (step.versions.length < 2) return [];
  const rows = step.versions.map((version) => [
    `${version.version ?? "not recorded"} since ${version.since.slice(0, 10)}`,
    ...figureCells(version),
  ]);
  return [
    paint("dim", `  ${oneLine(stepTitle(one, step))}, by version of its gate:`),
    ...alignColumns(rows).map((line) => `  ${line}`),
  ];
}

function figureCells({ work, waits, missed, ...figures }: Figures): string[] {
  const asked = waits.times === 0 ? "" : `${waits.times}×, ${durationText(waits.median ?? 0)}`;
  return [
    firstPassText(figures),
    work.median === null ? "" : durationText(work.median),
    `${asked}${waits.declined === 0 ? "" : `, ${waits.declined} rejected`}`,
    missed
      .slice(0, 3)
      .map(({ field, times }) => `${oneLine(field)} ${times}`)
      .join(", "),
  ];
}

function firstPassText({ firstPass: { passed, of } }: Pick<StepInsights, "firstPass">): string {
  return of === 0 ? "–" : `${Math.round((100 * passed) / of)} % of ${of}`;
}
